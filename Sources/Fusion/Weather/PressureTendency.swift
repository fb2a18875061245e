import Quantities

/// The change of the air's pressure in three hours, as weather stations report it.
public struct PressureTendency: Equatable, Sendable {
  /// The change, hectopascal.
  public var hectopascal: Double
  /// The characteristic `a` of WMO code table 0200: 0 to 3 higher than three hours ago, 4 steady, 5
  /// to 8 lower.
  public var characteristic: Int

  /// Differences that a report does not show, hectopascal: its unit is 0.1 hPa.
  private static let smallest = 0.05
  /// The ratio of two changes from which the second one is faster or slower.
  private static let ratio = 2.0

  /// The tendency of the changes in the first and in the second half of three hours.
  /// - Source: WMO No. 306, Manual on Codes, volume I.1, code table 0200. That table names no
  ///   limits for `more slowly` and `more rapidly`; here they are half and twice as fast.
  public init(first: Double, second: Double) {
    hectopascal = first + second
    let isHigher = hectopascal >= Self.smallest
    let isLower = hectopascal <= -Self.smallest
    // A fall is the mirror of a rise.
    let (one, two) = isLower ? (-first, -second) : (first, second)
    let offset = isLower ? 5 : 0
    characteristic =
      if !isHigher, !isLower {
        first >= Self.smallest ? 0 : first <= -Self.smallest ? 5 : 4
      } else if one >= Self.smallest, two <= -Self.smallest {
        offset
      } else if one >= Self.smallest, two < one / Self.ratio {
        offset + 1
      } else if one < Self.smallest || two > one * Self.ratio {
        offset + 3
      } else {
        offset + 2
      }
  }
}

/// The pressure of three hours, as means of a minute.
///
/// A board that climbs measures the climb: where the receiver's altitude changes there is no
/// tendency.
public struct PressureHistory: Sendable {
  /// Minutes of the tendency.
  private static let minutes: UInt64 = 180
  /// The greatest time between a value and the instant for which it is used, minutes: bridges the
  /// gap of a restart of the sensor.
  private static let tolerance: UInt64 = 3
  /// The greatest change of the receiver's altitude, metres: more than its noise.
  private static let mostClimb = 30.0

  private struct Minute: Sendable {
    let number: UInt64
    let hectopascal: Double
    var altitudeMetres: Double?
  }

  private var minutes: [Minute] = []
  private var minute: UInt64?
  private var sum = 0.0
  private var count = 0
  private var altitudeSum = 0.0
  private var altitudeCount = 0
  /// The tendency of the three hours before the newest full minute; nil without them.
  public private(set) var tendency: PressureTendency?

  /// Makes an empty history.
  public init() {}

  /// Adds the altitude of a receiver above sea level, metres.
  public mutating func add(altitudeMetres: Double) {
    altitudeSum += altitudeMetres
    altitudeCount += 1
  }

  /// Adds a pressure, hectopascal.
  public mutating func add(hectopascal: Double, at now: Timestamp) {
    let number = now.nanoseconds / 60_000_000_000
    if let minute, number != minute {
      // The clock of another source may start at a lower time.
      if number < minute { minutes = [] }
      if count > 0, number > minute {
        minutes.append(
          Minute(
            number: minute, hectopascal: sum / Double(count),
            altitudeMetres: altitudeCount > 0 ? altitudeSum / Double(altitudeCount) : nil))
        minutes.removeAll { $0.number + Self.minutes + Self.tolerance < minute }
      }
      (sum, count, altitudeSum, altitudeCount) = (0, 0, 0, 0)
      tendency = newTendency(at: number)
    }
    minute = number
    sum += hectopascal
    count += 1
  }

  /// Nil after a gap: the tendency would be that of the time before it.
  private func newTendency(at minute: UInt64) -> PressureTendency? {
    guard let newest = minutes.last, newest.number >= Self.minutes,
      minute - newest.number <= Self.tolerance,
      let first = nearest(newest.number - Self.minutes),
      let middle = nearest(newest.number - Self.minutes / 2)
    else { return nil }
    let altitudes = minutes.compactMap { $0.altitudeMetres }
    if let low = altitudes.min(), let high = altitudes.max(), high - low > Self.mostClimb {
      return nil
    }
    return PressureTendency(
      first: middle.hectopascal - first.hectopascal,
      second: newest.hectopascal - middle.hectopascal)
  }

  private func nearest(_ number: UInt64) -> Minute? {
    func distance(_ minute: Minute) -> UInt64 {
      max(minute.number, number) - min(minute.number, number)
    }
    return minutes.filter { distance($0) <= Self.tolerance }.min { distance($0) < distance($1) }
  }
}
