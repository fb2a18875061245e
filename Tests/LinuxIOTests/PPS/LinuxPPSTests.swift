import Chips
import LinuxIO
import Testing

/// Pulses themselves need a kernel with a source of them: `Tests/Rig/buses` has that.
@Suite("Pulses per second of the kernel: opening", .timeLimit(.minutes(30)))
struct LinuxPPSTests {
  @Test("a file that is no PPS source is distinguished from a missing one")
  func noSource() throws {
    func kind(_ path: String) throws -> BusError.Kind {
      try failure { _ = try LinuxPPS(path: path) }.kind
    }
    #expect(try kind("/dev/null") == .unsupported("not a source of pulses; see /dev/pps*"))
    #expect(try kind("/dev/pps-that-is-not-there") == .missing)
  }
}
