import Foundation
import LinuxIO
import Quantities
import Testing

@Suite("The system's clock", .timeLimit(.minutes(30)))
struct SystemClockTests {
  @Test("is read together with the monotonic one")
  func reading() {
    let (before, earlier) = (MonotonicClock.now, Date().timeIntervalSince1970)
    let reading = SystemClock.reading
    let (after, later) = (MonotonicClock.now, Date().timeIntervalSince1970)
    #expect(reading.monotonic >= before && reading.monotonic <= after)
    // A Date holds a fraction of a microsecond.
    #expect(reading.utc.secondsSince1970 >= earlier - 1e-5)
    #expect(reading.utc.secondsSince1970 <= later + 1e-5)
  }

  @Test("reports its largest error, or that it is not synchronised")
  func error() {
    // Beyond sixteen seconds the kernel reports an unsynchronised clock.
    if let seconds = SystemClock.errorSeconds { #expect(seconds >= 0 && seconds <= 16) }
  }

  @Test("sources of pulses are found by their numbers")
  func sources() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "lodestar-pps-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer {
      do { try FileManager.default.removeItem(at: folder) } catch { Issue.record(error) }
    }
    for name in ["pps10", "pps2", "ppsx", "ptp0"] {
      try Data().write(to: folder.appendingPathComponent(name))
    }
    #expect(
      LinuxPPS.sources(devices: folder.path) == ["pps2", "pps10"].map { "\(folder.path)/\($0)" })
  }
}
