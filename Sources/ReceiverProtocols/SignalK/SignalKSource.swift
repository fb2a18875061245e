import Quantities

/// A source of a Signal K server, such as a receiver, and its newest values. They are never joined
/// with those of another source.
struct SignalKSource: Sendable {
  /// A value and its arrival. The values of an instant come in several updates, such as those of RMC
  /// and GGA, or of three messages of NMEA 2000.
  private struct Held<Content: Equatable & Sendable>: Equatable, Sendable {
    private(set) var content: Content?
    private var arrival = Timestamp(nanoseconds: 0)

    /// Time after which a value is no longer valid: the slowest usual message comes every second,
    /// from some receivers every two or three, s.
    private static var lifetime: Double { 5 }

    mutating func set(_ value: SignalKUpdate.Value<Content>, at now: Timestamp) {
      if let value { (content, arrival) = (value, now) }
    }

    func value(at now: Timestamp) -> Content? {
      now.seconds(since: arrival) <= Self.lifetime ? content : nil
    }
  }

  /// An altitude with the surface above which it is.
  private struct Altitude: Equatable, Sendable {
    var metres: Double
    /// In NMEA 2000 it is above the ellipsoid, in NMEA 0183 above mean sea level.
    var isAboveEllipsoid: Bool
  }

  /// The values that an epoch joins with its position.
  private struct Values: Sendable {
    var (speed, course, variation) = (Held<Double>(), Held<Angle>(), Held<Angle>())
    var (kind, satellites) = (Held<FixKind>(), Held<Int>())
    var (horizontalDilution, positionDilution) = (Held<Double>(), Held<Double>())
    var (altitude, separation) = (Held<Altitude>(), Held<Double>())
    var correctionAge = Held<Double>()

    mutating func set(_ update: SignalKUpdate, isOfNMEA2000: Bool, at now: Timestamp) {
      speed.set(update.speed, at: now)
      course.set(update.course, at: now)
      variation.set(update.variation, at: now)
      kind.set(update.kind, at: now)
      satellites.set(update.satellites, at: now)
      horizontalDilution.set(update.horizontalDilution, at: now)
      positionDilution.set(update.positionDilution, at: now)
      let metres = update.altitude
      altitude.set(
        metres.map { $0.map { Altitude(metres: $0, isAboveEllipsoid: isOfNMEA2000) } }, at: now)
      separation.set(update.separation, at: now)
      correctionAge.set(update.correctionAge, at: now)
    }
  }

  /// The longest time between the updates of one instant, s. Their time stamps alone do not tell:
  /// some servers stamp in whole seconds, or always alike.
  private static let instantDuration = 0.15

  /// Its label in the server, such as `can0.43` or `gps.GN`; empty for updates without one, which
  /// may be of different sources.
  let name: [UInt8]
  /// When its newest update arrived.
  var lastArrival: Timestamp
  /// By the newest update that states its type.
  private var isOfNMEA2000 = false
  private var values = Values()
  /// The newest epoch, the time stamp of its instant, and whether it was reported.
  private var newest: (epoch: ReceiverEpoch, stamp: UTCTime?)?
  private var isReported = false

  init(name: [UInt8], at now: Timestamp) { (self.name, lastArrival) = (name, now) }

  /// What becomes of an update.
  enum Outcome {
    /// It has no position.
    case nothing
    /// It adds nothing to an earlier one of its instant.
    case repeated
    /// A new or more complete epoch.
    case epoch(ReceiverEpoch)
  }

  /// Adds an update.
  /// - Parameters:
  ///   - update: Its values.
  ///   - stamp: The time of the measurement by the server's or the receiver's clock; of one instant
  ///     they are equal.
  ///   - isOfNMEA2000: True for the values of an NMEA 2000 device, false for those of another one;
  ///     nil where the update does not state it.
  ///   - now: The arrival.
  /// - Returns: The epoch that the update completes or corrects.
  mutating func add(
    _ update: SignalKUpdate, stamp: UTCTime?, isOfNMEA2000: Bool?, at now: Timestamp
  ) -> Outcome {
    if name.isEmpty { (values, self.isOfNMEA2000, newest) = (Values(), false, nil) }
    if let isOfNMEA2000 { self.isOfNMEA2000 = isOfNMEA2000 }
    values.set(update, isOfNMEA2000: self.isOfNMEA2000, at: now)
    let isLoss = values.kind.value(at: now) == FixKind.none
    guard let place = update.position ?? (update.kind != nil && isLoss ? .some(nil) : nil) else {
      return .nothing
    }
    var epoch = epoch(isLoss ? nil : place, at: now)
    epoch.fix.utc = update.datetime ?? nil
    if let before = newest, let stamp, before.stamp == stamp,
      now.seconds(since: before.epoch.fix.timestamp) < Self.instantDuration,
      before.epoch.fix.position == epoch.fix.position
    {
      epoch.fix.timestamp = before.epoch.fix.timestamp
      epoch.fix.utc = epoch.fix.utc ?? before.epoch.fix.utc
      guard epoch != before.epoch else { return .repeated }
      newest = (epoch, stamp)
      epoch.isRevision = isReported
    } else {
      newest = (epoch, stamp)
      isReported = false
    }
    return .epoch(epoch)
  }

  /// The newest epoch was passed on: a further one of its instant is a revision.
  mutating func markReported() { isReported = true }

  private func epoch(_ place: SignalKUpdate.Place?, at now: Timestamp) -> ReceiverEpoch {
    var epoch = ReceiverEpoch(timestamp: now)
    epoch.magneticVariation = values.variation.value(at: now)
    epoch.fix.satellitesUsed = values.satellites.value(at: now)
    epoch.fix.horizontalDilution = values.horizontalDilution.value(at: now)
    epoch.positionDilution = values.positionDilution.value(at: now)
    guard let place else { return epoch }
    let ownAltitude = place.altitudeMetres.map {
      Altitude(metres: $0, isAboveEllipsoid: isOfNMEA2000)
    }
    let altitude = values.altitude.value(at: now) ?? ownAltitude
    let quality = values.kind.value(at: now) ?? .threeDimensional
    epoch.fix.kind =
      quality == .threeDimensional && altitude == nil ? .twoDimensional : quality
    epoch.dimension = altitude == nil ? .two : .three
    epoch.heldDimension = epoch.dimension
    epoch.fix.position = place.position
    epoch.fix.speedMetresPerSecond = values.speed.value(at: now)
    epoch.fix.course = values.course.value(at: now)
    epoch.correctionAgeSeconds = values.correctionAge.value(at: now)
    // Signal K has no accuracy.
    epoch.fix.setHorizontalAccuracy(stated: nil)
    let separation = values.separation.value(at: now)
    epoch.geoidSeparationMetres = separation
    let metres = altitude?.metres
    if altitude?.isAboveEllipsoid == true {
      epoch.fix.ellipsoidalAltitudeMetres = metres
      epoch.fix.altitudeMetres = separation.flatMap { up in metres.map { $0 - up } }
    } else {
      epoch.fix.altitudeMetres = metres
      epoch.fix.ellipsoidalAltitudeMetres = separation.flatMap { up in metres.map { $0 + up } }
    }
    epoch.printedAltitudeMetres = epoch.fix.altitudeMetres
    epoch.printedHeightMetres = epoch.fix.ellipsoidalAltitudeMetres
    return epoch
  }
}
