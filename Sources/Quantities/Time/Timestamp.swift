/// A time of the machine's monotonic clock, or of a recording's clock.
public struct Timestamp: Equatable, Comparable, Hashable, Sendable {
  /// Nanoseconds since the clock's zero (`CLOCK_MONOTONIC`: boot; a recording: its first line).
  public let nanoseconds: UInt64

  /// Makes a time from nanoseconds since the clock's zero.
  @inlinable
  public init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

  /// Makes a time from seconds since the clock's zero, to the nearest nanosecond.
  /// - Returns: nil below zero, above 584 years, and for NaN.
  public init?(seconds: Double) {
    let whole = seconds.rounded(.down)
    guard seconds >= 0, whole < 18_446_744_073 else { return nil }
    // Whole seconds are converted separately: a Double cannot hold their product with 1e9.
    nanoseconds =
      UInt64(bounded: whole) * 1_000_000_000 + UInt64(bounded: ((seconds - whole) * 1e9).rounded())
  }

  /// Seconds since the clock's zero.
  @inlinable
  public var seconds: Double { Double(nanoseconds) * 1e-9 }

  /// Seconds since `earlier`; negative if `earlier` is later. Exact to the nanosecond.
  @inlinable
  public func seconds(since earlier: Timestamp) -> Double {
    nanoseconds >= earlier.nanoseconds
      ? Double(nanoseconds - earlier.nanoseconds) * 1e-9
      : -Double(earlier.nanoseconds - nanoseconds) * 1e-9
  }

  /// The time so many nanoseconds later, at most the clock's last.
  @inlinable
  public func advanced(byNanoseconds n: UInt64) -> Timestamp {
    let (sum, isBeyond) = nanoseconds.addingReportingOverflow(n)
    return Timestamp(nanoseconds: isBeyond ? .max : sum)
  }

  /// The time so many seconds later, at most the clock's last; the same time for a negative number
  /// and for NaN.
  @inlinable
  public func advanced(bySeconds s: Double) -> Timestamp {
    advanced(byNanoseconds: UInt64(nanosecondsIn: s))
  }

  /// The order in time.
  @inlinable
  public static func < (a: Timestamp, b: Timestamp) -> Bool { a.nanoseconds < b.nanoseconds }
}
