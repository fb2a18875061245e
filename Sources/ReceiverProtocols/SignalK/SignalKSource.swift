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

  /// Its label in the server, such as `can0.43` or `gps.GN`.
  let name: [UInt8]
  /// In NMEA 2000 the altitude is above the ellipsoid, in NMEA 0183 above mean sea level.
  private var isOfNMEA2000 = false
  private var (speed, course, variation) = (Held<Double>(), Held<Angle>(), Held<Angle>())
  private var (kind, satellites) = (Held<FixKind>(), Held<Int>())
  private var (horizontalDilution, positionDilution) = (Held<Double>(), Held<Double>())
  private var (altitude, separation) = (Held<Double>(), Held<Double>())
  private var correctionAge = Held<Double>()
  private var datetime: (value: UTCTime?, stamp: UTCTime?)
  /// The newest epoch, the time stamp of its instant, and whether it was reported.
  private var newest: (epoch: ReceiverEpoch, stamp: UTCTime?)?
  private var isReported = false

  init(name: [UInt8]) { self.name = name }

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
  ///   - isOfNMEA2000: True for the values of an NMEA 2000 device.
  ///   - now: The arrival.
  /// - Returns: The epoch that the update completes or corrects.
  mutating func add(
    _ update: SignalKUpdate, stamp: UTCTime?, isOfNMEA2000: Bool, at now: Timestamp
  ) -> Outcome {
    self.isOfNMEA2000 = isOfNMEA2000
    speed.set(update.speed, at: now)
    course.set(update.course, at: now)
    variation.set(update.variation, at: now)
    kind.set(update.kind, at: now)
    satellites.set(update.satellites, at: now)
    horizontalDilution.set(update.horizontalDilution, at: now)
    positionDilution.set(update.positionDilution, at: now)
    altitude.set(update.altitude, at: now)
    separation.set(update.separation, at: now)
    correctionAge.set(update.correctionAge, at: now)
    if let time = update.datetime { datetime = (time, stamp) }
    let isLoss = kind.value(at: now) == FixKind.none
    guard let place = update.position ?? (update.kind != nil && isLoss ? .some(nil) : nil) else {
      return .nothing
    }
    var epoch = epoch(isLoss ? nil : place, at: now)
    // A time of another update belongs to this instant where the server says so.
    if update.datetime != nil || stamp != nil && datetime.stamp == stamp {
      epoch.fix.utc = datetime.value
    }
    if let before = newest, let stamp, before.stamp == stamp {
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
    epoch.magneticVariation = variation.value(at: now)
    epoch.fix.satellitesUsed = satellites.value(at: now)
    epoch.fix.horizontalDilution = horizontalDilution.value(at: now)
    epoch.positionDilution = positionDilution.value(at: now)
    guard let place else { return epoch }
    let altitude = altitude.value(at: now) ?? place.altitudeMetres
    let quality = kind.value(at: now) ?? .threeDimensional
    epoch.fix.kind =
      quality == .threeDimensional && altitude == nil ? .twoDimensional : quality
    epoch.dimension = altitude == nil ? .two : .three
    epoch.heldDimension = epoch.dimension
    epoch.fix.position = place.position
    epoch.fix.speedMetresPerSecond = speed.value(at: now)
    epoch.fix.course = course.value(at: now)
    epoch.correctionAgeSeconds = correctionAge.value(at: now)
    epoch.fix.horizontalAccuracyMetres = RangeError.metres(
      dilution: epoch.fix.horizontalDilution, kind: epoch.fix.kind)
    let separation = separation.value(at: now)
    epoch.geoidSeparationMetres = separation
    if isOfNMEA2000 {
      epoch.fix.ellipsoidalAltitudeMetres = altitude
      epoch.fix.altitudeMetres = separation.flatMap { up in altitude.map { $0 - up } }
    } else {
      epoch.fix.altitudeMetres = altitude
      epoch.fix.ellipsoidalAltitudeMetres = separation.flatMap { up in altitude.map { $0 + up } }
    }
    epoch.printedAltitudeMetres = epoch.fix.altitudeMetres
    epoch.printedHeightMetres = epoch.fix.ellipsoidalAltitudeMetres
    return epoch
  }
}
