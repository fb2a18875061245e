import Quantities
import ReceiverProtocols

/// The values of a vessel in the Signal K data model, SI units. A value that has never been known
/// is absent; one that has become invalid is null.
public struct SignalKModel: Sendable {
  /// One value.
  struct Entry: Sendable {
    var value: SignalKNode
    /// The time of the measurement; nil while the clock is not known.
    var utc: UTCTime?
    /// The number of the measurement: of two, the newer has the greater.
    var number: UInt64
    /// The arrival of the measurement.
    var arrival: Timestamp
  }

  /// Time after which the values of an estimate and of a barometer are no longer valid, seconds.
  private static let (estimateLifetime, pressureLifetime) = (3.0, 10.0)
  /// Interval in which an unchanged value of slow change is not reported again, seconds.
  private static let slowInterval = 1.0

  private var entries: [SignalKPath: Entry] = [:]
  private var newest: UInt64 = 0
  private var fixTimestamp: Timestamp?
  private var skyTimestamp: Timestamp?
  /// The newest civil time and its arrival.
  private var clock: (utc: UTCTime, at: Timestamp)?
  /// The arrival of the newest estimate; nil before the first.
  public private(set) var estimateArrival: Timestamp?

  /// Makes a model without values.
  public init() {}

  subscript(path: SignalKPath) -> Entry? { entries[path] }

  /// The newest civil time, advanced to an instant; nil while it is not known.
  public func utc(at now: Timestamp) -> UTCTime? {
    clock.map { $0.utc.advanced(bySeconds: now.seconds(since: $0.at)) }
  }

  // MARK: Measurements

  /// Updates the values from an estimate.
  /// - Parameters:
  ///   - estimate: The estimate.
  ///   - sky: The receiver's newest satellites; nil where they are not known.
  ///   - now: The arrival.
  public mutating func update(_ estimate: Estimate, sky: SkyReport?, at now: Timestamp) {
    estimateArrival = now
    clock = estimate.utc.map { ($0, now) }
    updateHeading(estimate, now)
    updateFix(estimate, sky, now)
    updateSky(sky, now)
  }

  private mutating func updateHeading(_ estimate: Estimate, _ now: Timestamp) {
    let magnetic = estimate.magneticHeading?.angle
    func set(_ path: SignalKPath, _ value: SignalKNode?, slowly isSlow: Bool = false) {
      self.set(path, value, estimate.utc, now, slowly: isSlow)
    }
    set(.headingMagnetic, .number(magnetic?.radiansBelowTurn, Self.angleDecimals))
    set(.headingTrue, .number(estimate.trueHeading?.angle.radiansBelowTurn, Self.angleDecimals))
    let compass = magnetic.flatMap { heading in estimate.deviation.map { heading - $0 } }
    set(.headingCompass, .number(compass?.radiansBelowTurn, Self.angleDecimals))
    set(
      .magneticVariation, .number(estimate.magneticVariation?.radians, Self.slowDecimals),
      slowly: true)
    set(
      .magneticDeviation, .number(estimate.deviation?.radians, Self.slowDecimals), slowly: true)
    set(.rateOfTurn, .number(estimate.rateOfTurn?.radiansPerSecond, Self.angleDecimals))
    set(.heave, .number(estimate.heaveMetres, 3))
    set(.waveHeight, .number(estimate.waveHeightMetres, 2), slowly: true)
    set(.wavePeakPeriod, .number(estimate.wavePeakPeriodSeconds, 2), slowly: true)
    set(.waveMeanPeriod, .number(estimate.waveMeanPeriodSeconds, 2), slowly: true)
    set(
      .waveDirection, .number(estimate.waveDirection?.radiansBelowTurn, Self.slowDecimals),
      slowly: true)
    set(
      .pressureTendency, .number(estimate.pressureTendencyHectopascal.map { $0 * 100 }, 1),
      slowly: true)
    var attitude: SignalKNode?
    if estimate.isLevelKnown, let angles = estimate.attitude?.attitudeAngles {
      var value = SignalKNode.empty
      value.set(["roll"], .number(angles.roll.radians, Self.angleDecimals))
      value.set(["pitch"], .number(angles.pitch.radians, Self.angleDecimals))
      value.set(["yaw"], .number(magnetic?.wrappedToHalfTurn.radians, Self.angleDecimals))
      attitude = value
    }
    set(.attitude, attitude)
  }

  private mutating func updateFix(_ estimate: Estimate, _ sky: SkyReport?, _ now: Timestamp) {
    let place = estimate.fixKind == FixKind.none ? nil : estimate.position
    if place != nil, let time = estimate.fixTimestamp {
      guard time != fixTimestamp else { return }
      fixTimestamp = time
    }
    let utc = estimate.fixUTC
    func set(_ path: SignalKPath, _ value: SignalKNode?) {
      // Without a place the values of the receiver's state come with each estimate.
      self.set(path, value, utc, now, slowly: place == nil)
    }
    set(.methodQuality, Self.quality(of: estimate))
    set(.satellites, .number(estimate.satellitesUsed.map(Double.init), 0))
    set(
      .horizontalDilution,
      .number(estimate.horizontalDilution ?? sky?.horizontalDilution, Self.dilutionDecimals))
    guard let place else {
      fixTimestamp = nil
      for path in Self.pathsOfPlace { set(path, nil) }
      return
    }
    var position = SignalKNode.empty
    position.set(["latitude"], .number(place.latitude.degrees, 9))
    position.set(["longitude"], .number(place.longitude.degrees, 9))
    position.set(["altitude"], .number(estimate.altitudeMetres, 3))
    set(.position, position)
    set(.datetime, utc.map { .time($0) })
    set(.speedOverGround, .number(estimate.speedMetresPerSecond, 3))
    set(.courseTrue, .number(estimate.course?.radiansBelowTurn, Self.angleDecimals))
    let magnetic = estimate.course.flatMap { course in
      estimate.magneticVariation.map { course - $0 }
    }
    set(.courseMagnetic, .number(magnetic?.radiansBelowTurn, Self.angleDecimals))
    set(.antennaAltitude, .number(estimate.altitudeMetres, 3))
    let separation = estimate.ellipsoidalAltitudeMetres.flatMap { height in
      estimate.altitudeMetres.map { height - $0 }
    }
    set(.geoidalSeparation, .number(separation, 3))
    set(.differentialAge, .number(estimate.correctionAgeSeconds, 1))
  }

  /// The values that need a place.
  private static let pathsOfPlace: [SignalKPath] = [
    .position, .datetime, .speedOverGround, .courseTrue, .courseMagnetic, .antennaAltitude,
    .geoidalSeparation, .differentialAge,
  ]

  private mutating func updateSky(_ sky: SkyReport?, _ now: Timestamp) {
    guard sky == nil || sky?.timestamp != skyTimestamp else { return }
    skyTimestamp = sky?.timestamp
    set(.fixType, sky.flatMap(Self.type).map { .text($0) }, sky?.utc, now)
    set(.positionDilution, .number(sky?.positionDilution, Self.dilutionDecimals), sky?.utc, now)
  }

  /// Updates the pressure from a sample of a barometer, hectopascal.
  public mutating func update(pressure hectopascal: Double, at now: Timestamp) {
    set(.pressure, .number(hectopascal * 100, 1), utc(at: now), now)
  }

  /// Updates the notifications from the receiver's condition; nil without a receiver.
  ///
  /// A notification of a state that the receiver has never reported is absent.
  public mutating func update(_ receiver: ReceiverCondition?, at now: Timestamp) {
    let values: [(SignalKPath, SignalKNotification?)] = [
      (.fixNotification, receiver.flatMap { SignalKNotification(fixOf: $0) }),
      (.antennaNotification, receiver?.antenna.map { SignalKNotification($0) }),
      (.interferenceNotification, receiver?.interference.map { SignalKNotification($0) }),
      (.spoofingNotification, receiver?.spoofing.map { SignalKNotification($0) }),
    ]
    for (path, notification) in values {
      let node = notification?.node
      // A notification is sent when it changes.
      if let node, entries[path]?.value == node { continue }
      set(path, node, utc(at: now), now)
    }
  }

  // MARK: Validity

  /// Makes null what is no longer valid.
  public mutating func expire(at now: Timestamp) {
    if let estimateArrival, now.seconds(since: estimateArrival) > Self.estimateLifetime {
      for path in SignalKPath.allCases
      where path != .pressure && !SignalKPath.notifications.contains(path) {
        set(path, nil, utc(at: now), now)
      }
      (fixTimestamp, skyTimestamp) = (nil, nil)
    }
    if let pressure = entries[.pressure]?.arrival,
      now.seconds(since: pressure) > Self.pressureLifetime
    {
      set(.pressure, nil, utc(at: now), now)
    }
  }

  /// Makes all values null, as after a change of the access.
  public mutating func invalidate(at now: Timestamp) {
    for path in SignalKPath.allCases { set(path, nil, utc(at: now), now) }
    (fixTimestamp, skyTimestamp) = (nil, nil)
  }

  /// Removes all values where no estimate was received for some time.
  public mutating func forgetStale(at now: Timestamp) {
    guard estimateArrival.map({ now.seconds(since: $0) > Self.estimateLifetime }) ?? true else {
      return
    }
    entries = [:]
    (estimateArrival, clock, fixTimestamp, skyTimestamp) = (nil, nil, nil, nil)
  }

  private mutating func set(
    _ path: SignalKPath, _ value: SignalKNode?, _ utc: UTCTime?, _ now: Timestamp,
    slowly isSlow: Bool = false
  ) {
    let known = entries[path]
    guard let value else {
      // What was never known stays absent.
      guard let known, known.value != .null else { return }
      return store(.null)
    }
    if isSlow, let known, known.value == value,
      now.seconds(since: known.arrival) < Self.slowInterval
    {
      return
    }
    store(value)
    func store(_ value: SignalKNode) {
      newest += 1
      entries[path] = Entry(value: value, utc: utc, number: newest, arrival: now)
    }
  }

  // MARK: Values

  /// Decimals of angles in radians (0.2 arc seconds), of those that change slowly, of dilutions.
  private static let (angleDecimals, slowDecimals, dilutionDecimals) = (6, 4, 2)

  /// - Source: Signal K specification 1.7.0, `gnss.methodQuality`.
  private static func quality(of estimate: Estimate) -> SignalKNode? {
    guard let kind = estimate.fixKind else { return nil }
    if kind != .none, estimate.isSimulated { return .text("Simulator mode") }
    let name =
      switch kind {
      case .none: "no GPS"
      case .twoDimensional, .threeDimensional: "GNSS Fix"
      case .differential: "DGNSS fix"
      case .rtkFixed: "RTK fixed integer"
      case .rtkFloat: "RTK float"
      case .deadReckoning, .network: "Estimated (DR) mode"
      case .simulated: "Simulator mode"
      }
    return .text(name)
  }

  /// The systems of the satellites in use, where the specification has a name for them.
  /// - Source: Signal K specification 1.7.0, `gnss.type`.
  private static func type(of sky: SkyReport) -> String? {
    var systems = Set(sky.satellites.filter(\.isUsed).map(\.id.constellation))
    systems.remove(.sbas)
    return switch systems {
    case [.gps]: "GPS"
    case [.glonass]: "GLONASS"
    case [.galileo]: "Galileo"
    case [.gps, .glonass]: "Combined GPS/GLONASS"
    default: nil
    }
  }
}

extension Angle {
  /// The direction in radians from 0 to below a turn also when printed with six decimals.
  fileprivate var radiansBelowTurn: Double {
    let radians = wrappedToTurn.radians
    return radians >= 2 * .pi - 0.5e-6 ? 0 : radians
  }
}
