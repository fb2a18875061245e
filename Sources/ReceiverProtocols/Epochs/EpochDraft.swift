import Quantities
import RealModule

/// What the messages of one instant have said so far.
struct EpochDraft: Sendable {
  var epoch: ReceiverEpoch
  /// The receiver's time of day.
  var time: TimeOfDay?
  /// GPS time of week by which UBX messages belong together, milliseconds.
  var timeOfWeek: UInt32?
  /// The instant, where one message tells date and time at once.
  var utc: UTCTime?
  var date: CivilDate?
  /// A date that came along with "no fix": better than none.
  var doubtfulDate: CivilDate?
  /// What spoke without a time: when it speaks again, a new cycle began.
  var untimed = MessageKeys()
  /// True once it was told: telling it again is a revision.
  var isReported = false
  /// True where a message whose kind tells the time had none: the receiver does not know it.
  var isTimeless = false
  /// True once anything but compass and sky was said.
  var hasContent = false
  /// True while only wind, water and weather were told.
  var isOnlyEnvironment: Bool { time == nil && timeOfWeek == nil && isValid == nil }
  /// True where it is of the high-rate solution (HNR).
  var isHighRate = false
  /// What the solution determines, as a UBX message says; nil without one.
  var solution: ReceiverEpoch.Dimension?
  /// An earth-centred place and velocity, for receivers that tell no other.
  var earthCentred: (position: EarthCentredPosition, accuracyMetres: Double?)?
  var earthCentredVelocity: EarthCentredVelocity?
  /// Whether a message with a place called it valid; nil before the first.
  var isValid: Bool?
  var quality: FixKind?
  /// True once a place to tenths of millimetres came.
  var hasFinePlace = false

  init(timestamp: Timestamp) { epoch = ReceiverEpoch(timestamp: timestamp) }

  /// True where a message called the place valid.
  var hasFix: Bool { isValid == true && epoch.fix.position != nil }

  /// Takes over what came without a time between this instant's report and its next message.
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

  /// A place that one sentence calls valid stays, whatever another says of the same instant.
  mutating func place(_ position: GeodeticPosition?, isValid: Bool?, kind: FixKind?) {
    guard isValid == true, let position else {
      if self.isValid == nil { self.isValid = isValid.map { _ in false } }
      return
    }
    self.isValid = true
    epoch.fix.position = position
    // RMC and GLL know fewer kinds than GGA: they only say more where nothing is known yet.
    // What is invented or carried on is that whatever else is said.
    guard let kind, kind != .none else { return }
    let isUnreal = kind == .simulated || kind == .deadReckoning
    if quality == nil || quality == .threeDimensional || isUnreal { quality = kind }
  }

  mutating func altitude(_ metres: Double?, _ separation: Double?) {
    epoch.fix.altitudeMetres = metres ?? epoch.fix.altitudeMetres
    epoch.geoidSeparationMetres = separation ?? epoch.geoidSeparationMetres
  }

  /// Settles what depends on several sentences.
  /// - Parameters:
  ///   - dimension: of the solution, where there is one.
  ///   - held: the same as gpsd tells it.
  mutating func settle(dimension: ReceiverEpoch.Dimension, held: ReceiverEpoch.Dimension) {
    resolveEarthCentred()
    // Messages of one instant may contradict each other: one that has no solution outweighs a place.
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
      epoch.fix.horizontalAccuracyMetres = (north * north + east * east).squareRoot()
    } else if epoch.fix.horizontalAccuracyMetres == nil {
      epoch.fix.horizontalAccuracyMetres = RangeError.metres(
        dilution: epoch.fix.horizontalDilution, kind: kind)
    }
    let hasAltitude =
      epoch.fix.altitudeMetres != nil || epoch.fix.ellipsoidalAltitudeMetres != nil
    if hasAltitude, epoch.fix.verticalAccuracyMetres == nil {
      epoch.fix.verticalAccuracyMetres = RangeError.metres(
        dilution: epoch.verticalDilution, kind: kind)
    }
  }

  /// A place told from the earth's centre counts where no other was told.
  private mutating func resolveEarthCentred() {
    guard let (centred, accuracy) = earthCentred, let (position, height) = centred.geodetic else {
      return
    }
    if epoch.fix.position == nil {
      epoch.fix.position = position
      epoch.fix.ellipsoidalAltitudeMetres = height
      // Of three axes told together, two are the place's.
      epoch.fix.horizontalAccuracyMetres =
        epoch.fix.horizontalAccuracyMetres ?? accuracy.map { $0 * (2.0 / 3.0).squareRoot() }
    }
    if epoch.velocity == nil { epoch.velocity = earthCentredVelocity?.atPlace(position) }
  }

  private mutating func completeMotion() {
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
  /// GGA's quality digit; plain GNSS is `threeDimensional` until the dimension is known.
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

  /// A mode letter; plain GNSS is `threeDimensional` until the dimension is known.
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
