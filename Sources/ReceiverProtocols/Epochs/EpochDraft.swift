import Quantities
import RealModule

/// The values from the messages of one instant so far.
struct EpochDraft: Sendable {
  var epoch: ReceiverEpoch
  /// The receiver's time of day.
  var time: TimeOfDay?
  /// GPS time of week that the UBX messages and records of the instant share, milliseconds.
  var timeOfWeek: UInt32?
  /// Time since the receiver's start that messages of the instant share, milliseconds.
  var runTime: UInt32?
  /// The instant, from a message with both date and time.
  var utc: UTCTime?
  var date: CivilDate?
  /// A date from a message without a fix; used where there is no other.
  var doubtfulDate: CivilDate?
  /// Messages without a time; a second one of the same key begins a new cycle.
  var untimed = MessageKeys()
  /// True once it was reported: the next report is a revision.
  var isReported = false
  /// True where a message had an empty time field: the receiver does not know the time.
  var isTimeless = false
  /// True once it has values other than headings and satellites.
  var hasContent = false
  /// True while it has only values of wind, water and weather.
  var isOnlyEnvironment: Bool {
    time == nil && timeOfWeek == nil && runTime == nil && isValid == nil
  }
  /// True for the high-rate solution (HNR).
  var isHighRate = false
  /// The dimension by a UBX message; nil without one.
  var solution: ReceiverEpoch.Dimension?
  /// The dimension that a sentence of this instant states itself; nil without one.
  var statedDimension: ReceiverEpoch.Dimension?
  /// Earth-centred position and velocity, for receivers that send no other.
  var earthCentred: (position: EarthCentredPosition, accuracyMetres: Double?)?
  var earthCentredVelocity: EarthCentredVelocity?
  /// True once a message declared the position valid; nil before the first message with a position.
  var isValid: Bool?
  var quality: FixKind?
  /// True once it has a position to tenths of millimetres.
  var hasFinePlace = false

  init(timestamp: Timestamp) { epoch = ReceiverEpoch(timestamp: timestamp) }

  /// What its messages say of its instant: the properties of the same names.
  struct Instant {
    let time: TimeOfDay?
    let timeOfWeek: UInt32?
    let runTime: UInt32?
    let utc: UTCTime?
    let untimed: MessageKeys
    let isTimeless: Bool
  }

  /// A small part, so that a comparison does not copy all.
  var instant: Instant {
    Instant(
      time: time, timeOfWeek: timeOfWeek, runTime: runTime, utc: utc, untimed: untimed,
      isTimeless: isTimeless)
  }

  /// True where it has a position that a message declared valid.
  var hasFix: Bool { isValid == true && epoch.fix.position != nil }

  /// Adds the values of messages without a time that came between this instant's report and its
  /// next message.
  mutating func absorb(_ later: EpochDraft) {
    let (new, fix) = (later.epoch, later.epoch.fix)
    epoch.fix.speedMetresPerSecond = fix.speedMetresPerSecond ?? epoch.fix.speedMetresPerSecond
    epoch.fix.course = fix.course ?? epoch.fix.course
    epoch.fix.horizontalDilution = fix.horizontalDilution ?? epoch.fix.horizontalDilution
    epoch.magneticCourse = new.magneticCourse ?? epoch.magneticCourse
    epoch.positionDilution = new.positionDilution ?? epoch.positionDilution
    epoch.verticalDilution = new.verticalDilution ?? epoch.verticalDilution
    epoch.magneticVariation = new.magneticVariation ?? epoch.magneticVariation
    epoch.trueHeading = new.trueHeading ?? epoch.trueHeading
    epoch.magneticHeading = new.magneticHeading ?? epoch.magneticHeading
    if !new.environment.isEmpty { epoch.environment = new.environment }
  }

  /// Stores a position. One that a sentence declares valid stays, even where another sentence of
  /// the same instant is invalid.
  mutating func place(_ position: GeodeticPosition?, isValid: Bool?, kind: FixKind?) {
    guard isValid == true, let position else {
      if self.isValid == nil { self.isValid = isValid.map { _ in false } }
      return
    }
    self.isValid = true
    epoch.fix.position = position
    // RMC and GLL have fewer kinds than GGA, so they do not replace a kind other than plain GNSS. A
    // simulated or dead-reckoned fix keeps that kind whatever other sentences report.
    guard let kind, kind != .none else { return }
    let isUnreal = kind == .simulated || kind == .deadReckoning
    if quality == nil || quality == .threeDimensional || isUnreal { quality = kind }
  }

  mutating func altitude(_ metres: Double?, _ separation: Double?) {
    epoch.fix.altitudeMetres = metres ?? epoch.fix.altitudeMetres
    epoch.geoidSeparationMetres = separation ?? epoch.geoidSeparationMetres
  }

  /// Computes the values that depend on several sentences.
  /// - Parameters:
  ///   - dimension: the dimension of the solution.
  ///   - held: the dimension by gpsd's rule.
  mutating func complete(dimension: ReceiverEpoch.Dimension, held: ReceiverEpoch.Dimension) {
    resolveEarthCentred()
    // Messages of one instant may contradict each other: one without a solution overrides a
    // position.
    guard hasFix, dimension != .none else {
      epoch.dimension = .none
      epoch.fix.kind = .none
      epoch.fix.position = nil
      epoch.fix.horizontalAccuracyMetres = nil
      epoch.fix.altitudeMetres = nil
      epoch.fix.ellipsoidalAltitudeMetres = nil
      epoch.fix.verticalAccuracyMetres = nil
      epoch.fix.speedMetresPerSecond = nil
      epoch.fix.course = nil
      epoch.velocity = nil
      epoch.positionCovarianceSquareMetres = nil
      epoch.velocityCovarianceSquareMetresPerSecondSquared = nil
      epoch.correctionAgeSeconds = nil
      return
    }
    epoch.dimension = dimension
    epoch.heldDimension = held
    completeMotion()
    let plain: FixKind = dimension == .three ? .threeDimensional : .twoDimensional
    let kind = quality.map { $0 == .threeDimensional || $0 == .none ? plain : $0 } ?? plain
    epoch.fix.kind = kind
    completeAltitudes(dimension)
    if let north = epoch.latitudeErrorMetres, let east = epoch.longitudeErrorMetres {
      epoch.fix.setHorizontalAccuracy(stated: (north * north + east * east).squareRoot())
    } else {
      epoch.fix.setHorizontalAccuracy(stated: epoch.fix.horizontalAccuracyMetres)
    }
    let hasAltitude =
      epoch.fix.altitudeMetres != nil || epoch.fix.ellipsoidalAltitudeMetres != nil
    if hasAltitude, epoch.fix.verticalAccuracyMetres == nil {
      epoch.fix.verticalAccuracyMetres = RangeError.metres(
        dilution: epoch.verticalDilution, kind: kind)
    }
  }

  /// Uses the earth-centred position and velocity where there are no others.
  private mutating func resolveEarthCentred() {
    guard let (centred, accuracy) = earthCentred, let (position, height) = centred.geodetic else {
      return
    }
    if epoch.fix.position == nil {
      epoch.fix.position = position
      epoch.fix.ellipsoidalAltitudeMetres = height
      // The accuracy covers three axes, two of which are horizontal.
      epoch.fix.horizontalAccuracyMetres =
        epoch.fix.horizontalAccuracyMetres ?? accuracy.map { $0 * (2.0 / 3.0).squareRoot() }
    }
    if epoch.velocity == nil { epoch.velocity = earthCentredVelocity?.atPlace(position) }
  }

  private mutating func completeMotion() {
    if epoch.fix.course == nil, let course = epoch.magneticCourse,
      let variation = epoch.magneticVariation
    {
      epoch.fix.course = (course + variation).wrappedToTurn
    }
    guard let velocity = epoch.velocity?.metresPerSecond else { return }
    if epoch.fix.speedMetresPerSecond == nil {
      epoch.fix.speedMetresPerSecond =
        (velocity.x * velocity.x + velocity.y * velocity.y).squareRoot()
    }
    if epoch.fix.course == nil {
      epoch.fix.course = Angle(radians: .atan2(y: velocity.y, x: velocity.x)).wrappedToTurn
    }
    epoch.fix.verticalSpeedMetresPerSecond = -velocity.z
  }

  private mutating func completeAltitudes(_ dimension: ReceiverEpoch.Dimension) {
    let separation = epoch.geoidSeparationMetres
    if let altitude = epoch.fix.altitudeMetres, epoch.fix.ellipsoidalAltitudeMetres == nil {
      epoch.fix.ellipsoidalAltitudeMetres = separation.map { altitude + $0 }
    } else if let height = epoch.fix.ellipsoidalAltitudeMetres, epoch.fix.altitudeMetres == nil {
      epoch.fix.altitudeMetres = separation.map { height - $0 }
    }
    epoch.printedAltitudeMetres = epoch.printedAltitudeMetres ?? epoch.fix.altitudeMetres
    epoch.printedHeightMetres = epoch.fix.ellipsoidalAltitudeMetres
    // In a 2D solution the altitude is an old or assumed one.
    guard dimension < .three else { return }
    epoch.fix.altitudeMetres = nil
    epoch.fix.ellipsoidalAltitudeMetres = nil
    epoch.fix.verticalAccuracyMetres = nil
  }
}

extension FixKind {
  /// The kind of GGA's quality digit; plain GNSS is `threeDimensional` until the dimension is
  /// known.
  init?(quality: Int?) {
    switch quality {
    case 0: self = .none
    case 1, 3: self = .threeDimensional
    case 2: self = .differential
    case 4: self = .rtkFixed
    case 5: self = .rtkFloat
    case 6: self = .deadReckoning
    case 7, 8: self = .simulated
    default: return nil
    }
  }

  /// The kind of a mode letter; plain GNSS is `threeDimensional` until the dimension is known.
  init(mode: PositionMode) {
    switch mode {
    case .notValid: self = .none
    case .simulated, .manual: self = .simulated
    case .estimated: self = .deadReckoning
    case .autonomous, .precise: self = .threeDimensional
    case .differential: self = .differential
    case .rtkFloat: self = .rtkFloat
    case .rtkFixed: self = .rtkFixed
    }
  }
}
