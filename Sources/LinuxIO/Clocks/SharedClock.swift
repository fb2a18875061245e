import CLinuxIO
import Quantities

/// The shared memory of a unit of ntpd's reference clock 28, which ntpd, chronyd and ntpshmmon
/// read; detached with its last reference.
package final class SharedClock: @unchecked Sendable {
  // Unchecked, because of the pointer: it is written under the lock only.
  private let segment: Locked<UnsafeMutableRawPointer>

  /// Attaches the segment of a unit, which is made where it does not exist.
  package init(unit: Int) throws(FileFault) {
    var code: Int32 = 0
    guard let address = linuxbus_shared_clock_open(Int32(truncatingIfNeeded: unit), &code) else {
      throw FileFault(action: "attach", path: Self.name(of: unit), code: code)
    }
    segment = Locked(address)
  }

  deinit { segment.withLock { linuxbus_shared_clock_close($0) } }

  /// The name of a unit's segment, for messages.
  package static func name(of unit: Int) -> String {
    "shared memory of ntpd's unit \(unit) (key 0x" + String(0x4e54_5030 + unit, radix: 16) + ")"
  }

  /// Stores a sample; a time before 1970 is ignored.
  /// - Parameters:
  ///   - reference: The reference's time.
  ///   - system: The system clock at the same instant.
  ///   - precision: A power of two, seconds.
  package func store(reference: UTCTime, system: UTCTime, precision: Int) {
    let (reference, system) = (reference.nanosecondsSince1970, system.nanosecondsSince1970)
    guard reference >= 0, system >= 0 else { return }
    segment.withLock {
      linuxbus_shared_clock_store($0, reference, system, Int32(truncatingIfNeeded: precision))
    }
  }
}
