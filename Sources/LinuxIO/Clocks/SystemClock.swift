import CLinuxIO
import Quantities

/// The kernel's `CLOCK_REALTIME`: UTC, as accurate as its synchronisation.
public enum SystemClock {
  /// Both clocks at one instant.
  ///
  /// The monotonic clock is read before and after, and the closest of three such pairs is used: an
  /// interrupt between the readings increases their distance.
  public static var reading: (monotonic: Timestamp, utc: UTCTime) {
    var narrowest = UInt64.max
    var best = (Timestamp(nanoseconds: 0), UTCTime(nanosecondsSince1970: 0))
    for _ in 0..<3 {
      let before = linuxbus_monotonic()
      let utc = linuxbus_realtime()
      let width = linuxbus_monotonic() &- before
      guard width < narrowest else { continue }
      narrowest = width
      best = (
        Timestamp(nanoseconds: before + width / 2),
        UTCTime(nanosecondsSince1970: Int64(clamping: utc))
      )
    }
    return best
  }

  /// The time of `reading`; nil where the clock has never been set: it shows a time before 2025, as
  /// on a board without a battery clock after a start without a network.
  public static var civilTime: UTCTime? {
    let now = reading.utc
    return now >= earliestTime ? now : nil
  }

  /// The begin of the magnetic model's validity, 2025-01-01, which is older than this program.
  private static let earliestTime = UTCTime(nanosecondsSince1970: 1_735_689_600_000_000_000)

  /// The civil time with one sigma of its error where the clock is believed: it is synchronised, or
  /// it was set from a battery clock that still agrees with it. Other clocks show the time of the
  /// last stop, or none.
  package static var believed: (utc: UTCTime, errorSeconds: Double)? {
    guard let now = civilTime else { return nil }
    if let error = errorSeconds { return (now, error) }
    return batteryClockError(at: now).map { (now, $0) }
  }

  /// One sigma of a time that was set from a battery clock, s: some months of 2 ppm, or days of 20.
  private static let batteryClockSigma = 10.0
  /// The largest difference between the two clocks, s, of which one was set from the other.
  private static let batteryClockDifference = 30.0

  private static func batteryClockError(at now: UTCTime) -> Double? {
    let folder = "/sys/class/rtc/rtc0/"
    do throws(FileFault) {
      let (files, newline) = (LinuxFiles(), Character("\n"))
      let hasSet = try files.text(of: folder + "hctosys").prefix { $0 != newline } == "1"
      let epoch = try files.text(of: folder + "since_epoch").prefix { $0 != newline }
      guard hasSet, let seconds = Double(epoch), let time = UTCTime(secondsSince1970: seconds),
        abs(now.seconds(since: time)) < batteryClockDifference
      else { return nil }
      return batteryClockSigma
    } catch {
      return nil
    }
  }

  /// The kernel's estimate of the clock's largest error, seconds; nil if it is not synchronised.
  ///
  /// - Source: adjtimex(2), `maxerror` and `STA_UNSYNC`.
  public static var errorSeconds: Double? {
    let microseconds = linuxbus_realtime_error()
    return microseconds < 0 ? nil : Double(microseconds) * 1e-6
  }
}
