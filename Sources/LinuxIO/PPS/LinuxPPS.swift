import CLinuxIO
import Chips
import Quantities

#if canImport(Glibc)
  import Glibc
#endif

/// A PPS source of the kernel, such as `/dev/pps0`: the kernel's stamps of a receiver's pulses.
public final class LinuxPPS {
  /// The kernel's last pulse.
  public struct Pulse: Equatable, Sendable {
    /// The number of assert edges.
    public let assertCount: UInt32
    /// When the last one was, on the system's clock.
    public let assertTime: UTCTime
    /// The number of clear edges; 0 if the source does not capture them.
    public let clearCount: UInt32
    /// When the last one was, on the system's clock.
    public let clearTime: UTCTime
  }

  /// The source's path.
  public let name: String
  private let file: Int32

  /// Opens a source, such as `/dev/pps0`.
  /// - Throws: `BusError`: missing, forbidden or not a PPS source.
  public init(path: String) throws(BusError) {
    name = path
    file = open(path, O_RDONLY | O_CLOEXEC)
    if file < 0 {
      let code = errno
      let group = SystemFiles.group(of: path, usual: "dialout")
      throw BusError(SystemError.opening(code, group: group), device: path, code: code)
    }
    var last = linuxbus_pps()
    let status = linuxbus_pps_fetch(file, 0, &last)
    if status < 0 {
      throw BusError(
        .unsupported("not a source of pulses; see /dev/pps*"), device: path, code: -status)
    }
  }

  deinit { if file >= 0 { close(file) } }

  /// The existing sources, in the order of their numbers.
  public static func sources(devices: String = "/dev") -> [String] {
    SystemFiles.numbered("pps", in: devices).map { "\(devices)/\($0)" }
  }

  /// Waits for a pulse after the given one.
  /// - Parameters:
  ///   - last: The last known pulse; nil to accept any past pulse.
  ///   - deadline: The end of the wait.
  /// - Returns: The latest pulse; nil at the deadline.
  /// - Throws: `BusError` if the source was removed.
  public func nextPulse(
    after last: Pulse?, until deadline: Timestamp
  ) throws(BusError) -> Pulse? {
    while true {
      let pulse = try fetch(nanoseconds: 0)
      let assertsBefore = last?.assertCount ?? 0
      let clearsBefore = last?.clearCount ?? 0
      if pulse.assertCount != assertsBefore || pulse.clearCount != clearsBefore { return pulse }
      let now = MonotonicClock.now
      if now >= deadline { return nil }
      // The kernel waits for the next pulse after the call. This timeout bounds the delay of a
      // pulse between the check above and the call.
      let left = min(deadline.nanoseconds - now.nanoseconds, Self.step)
      // At least a kernel tick of 10 ms: a shorter timeout would not wait at all.
      if left < Self.tick {
        MonotonicClock.sleep(until: deadline)
      } else {
        _ = try fetch(nanoseconds: left)
      }
    }
  }

  private static var step: UInt64 { 100_000_000 }
  private static var tick: UInt64 { 10_000_000 }

  /// The last pulse, after a wait of at most `nanoseconds` for the next one.
  private func fetch(nanoseconds: UInt64) throws(BusError) -> Pulse {
    var pulse = linuxbus_pps()
    var status = linuxbus_pps_fetch(file, nanoseconds, &pulse)
    // A wait that ended without a pulse, or by a signal, does not fill the fields.
    if status == -ETIMEDOUT || status == -EINTR { status = linuxbus_pps_fetch(file, 0, &pulse) }
    if status < 0 {
      let kind: BusError.Kind = status == -ENODEV ? .disconnected : .failed("reading the pulse")
      throw BusError(kind, device: name, code: -status)
    }
    return Pulse(
      assertCount: pulse.assert_sequence,
      assertTime: UTCTime(nanosecondsSince1970: pulse.assert_time),
      clearCount: pulse.clear_sequence,
      clearTime: UTCTime(nanosecondsSince1970: pulse.clear_time))
  }
}
