import Quantities

extension HeadingReport {
  /// True where it contains no value.
  var isEmpty: Bool {
    trueHeading == nil && magneticHeading == nil && rateOfTurn == nil && pitch == nil && roll == nil
      && heaveMetres == nil && printed == nil
  }

  init(_ pashr: PASHR, _ timestamp: Timestamp) {
    self.init(timestamp: timestamp, trueHeading: pashr.heading)
    (pitch, roll, heaveMetres) = (pashr.pitch, pashr.roll, pashr.heaveMetres)
    headingAccuracy = pashr.headingError
    (pitchAccuracy, rollAccuracy) = (pashr.pitchError, pashr.rollError)
  }

  init(_ vehicle: PQTMVEHATT, _ timestamp: Timestamp) {
    self.init(
      timestamp: timestamp,
      trueHeading: Self.isKnown(vehicle.headingError) ? vehicle.heading : nil)
    (pitch, roll, headingAccuracy) = (vehicle.pitch, vehicle.roll, vehicle.headingError)
    (pitchAccuracy, rollAccuracy) = (vehicle.pitchError, vehicle.rollError)
  }

  /// The sentence does not specify true or magnetic north. Without a configured variation it is
  /// magnetic.
  init(_ compass: PTNTHPR, _ timestamp: Timestamp) {
    self.init(timestamp: timestamp)
    if compass.headingStatus?.isAlarm != true {
      magneticHeading = compass.heading.map { MagneticHeading($0) }
    }
    (pitch, roll) = (compass.pitch, compass.roll)
  }

  init(_ compass: PTNTHTM, _ timestamp: Timestamp) {
    self.init(
      timestamp: timestamp,
      trueHeading: compass.headingStatus?.isAlarm == true ? nil : compass.heading)
    (pitch, roll, dip) = (compass.pitch, compass.roll, compass.dip)
  }

  /// Yaw is ignored, because the sentence does not specify true or magnetic north.
  init(_ xdr: XDR, _ timestamp: Timestamp) {
    self.init(timestamp: timestamp)
    (pitch, roll) = (xdr.pitch, xdr.roll)
  }

  /// The receiver also sends angles that it does not know, usually as zero.
  init(_ attitude: VehicleAttitude, _ timestamp: Timestamp, utc: UTCTime?) {
    self.init(
      timestamp: timestamp,
      trueHeading: Self.isKnown(attitude.headingAccuracy) ? attitude.heading : nil)
    self.utc = utc
    (pitch, roll) = (attitude.pitch, attitude.roll)
    printed = Printed(
      heading: attitude.printedHeading, pitch: attitude.printedPitch, roll: attitude.printedRoll)
    headingAccuracy = attitude.headingAccuracy
    (pitchAccuracy, rollAccuracy) = (attitude.pitchAccuracy, attitude.rollAccuracy)
  }

  init(_ pvat: NavPVAT, _ timestamp: Timestamp, utc: UTCTime?) {
    self.init(timestamp: timestamp, trueHeading: pvat.heading)
    self.utc = utc
    (pitch, roll) = (pvat.pitch, pvat.roll)
    printed = Printed(
      heading: pvat.printedHeading, pitch: pvat.printedPitch, roll: pvat.printedRoll)
    headingAccuracy = pvat.headingAccuracy
    (pitchAccuracy, rollAccuracy) = (pvat.pitchAccuracy, pvat.rollAccuracy)
  }

  /// The direction from the other antenna to this one. No message contains how the pair is mounted.
  init(_ relative: NavRelPosNED, _ timestamp: Timestamp, utc: UTCTime?) {
    self.init(
      antennas: relative.heading, relative.headingAccuracy, relative.lengthMetres,
      relative.isMovingBaseline ? relative.carrierSolution : nil, timestamp, utc: utc)
  }

  init(_ pair: NavDAHeading, _ timestamp: Timestamp, utc: UTCTime?) {
    self.init(
      antennas: pair.heading, pair.headingAccuracy, pair.lengthMetres, pair.carrierSolution,
      timestamp, utc: utc)
  }

  /// With float ambiguities, the short vector between two antennas on board has no usable direction.
  private init(
    antennas heading: Angle?, _ accuracy: Angle?, _ lengthMetres: Double?,
    _ carrier: UBXCarrierSolution?, _ timestamp: Timestamp, utc: UTCTime?
  ) {
    let isUsable = carrier == .fixed && Self.isKnown(accuracy)
    self.init(timestamp: timestamp, trueHeading: isUsable ? heading.map { TrueHeading($0) } : nil)
    if trueHeading != nil {
      antennas = AntennaVector(lengthMetres: AntennaVector.length(lengthMetres))
    }
    (self.utc, headingAccuracy) = (utc, accuracy)
  }

  init(_ antennas: AntennaDirection, _ timestamp: Timestamp) {
    self.init(
      timestamp: timestamp,
      trueHeading: Self.isKnown(antennas.headingError) ? antennas.heading : nil)
    (pitch, roll) = (antennas.pitch, antennas.roll)
    (headingAccuracy, pitchAccuracy) = (antennas.headingError, antennas.pitchError)
    if trueHeading != nil {
      self.antennas = AntennaVector(
        lengthMetres: antennas.lengthMetres, elevation: pitch, elevationAccuracy: pitchAccuracy)
    }
  }

  /// False where the sigma is an eighth of a turn or more: such a direction is not usable.
  static func isKnown(_ accuracy: Angle?) -> Bool {
    let limit = Angle(degrees: 45)
    return accuracy.map { $0 < limit } ?? true
  }
}
