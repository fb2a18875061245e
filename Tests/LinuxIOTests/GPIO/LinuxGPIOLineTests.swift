import Chips
import LinuxIO
import Testing

/// Lines themselves need a kernel with GPIO: `Tests/Rig/buses` has that.
@Suite("GPIO lines of the kernel: finding them", .timeLimit(.minutes(30)))
struct LinuxGPIOLineTests {
  private static var hasLibrary: Bool { LinuxGPIOLine.libraryGeneration > 0 }

  private func refusal(_ name: String, _ folder: TemporaryFolder) throws -> BusError {
    try failure { _ = try LinuxGPIOLine(name: name, direction: .input, devices: folder.path) }
  }

  @Test("a missing library is reported with its packages")
  func library() throws {
    let folder = try TemporaryFolder()
    let kind = try refusal("GPIO17", folder).kind
    if Self.hasLibrary {
      #expect([1, 2].contains(LinuxGPIOLine.libraryGeneration))
      #expect(kind == .missing)
    } else {
      #expect(kind == .libraryMissing("libgpiod", package: "libgpiod3 or libgpiod2"))
    }
  }

  @Test("no GPIO chip is another error than a missing line", .enabled(if: hasLibrary))
  func noChips() throws {
    let folder = try TemporaryFolder()
    let found = try refusal("GPIO17", folder)
    #expect(found.kind == .missing)
    #expect(found.device == "\(folder.path)/gpiochip*")
  }

  @Test("a file that is no GPIO chip is reported, by name and by offset", .enabled(if: hasLibrary))
  func noChip() throws {
    let folder = try TemporaryFolder()
    try folder.file("gpiochip0")
    let noChip = BusError.Kind.unsupported("not a GPIO chip; see /dev/gpiochip*")
    #expect(try refusal("gpiochip0:17", folder).kind == noChip)
    #expect(try refusal("GPIO17", folder).kind == noChip)
    #expect(try refusal("gpiochip3:17", folder).kind == .missing)
  }

  @Test("only chip and offset in digits are an explicit place")
  func explicitPlaces() throws {
    let place = try #require(LinuxGPIOLine.explicitPlace("gpiochip12:7"))
    #expect(place.chip == "gpiochip12")
    #expect(place.offset == 7)
    for name in [
      "GPIO17", "gpiochip0", "gpiochip0:", "gpiochip0:x", "gpiochipx:1", "gpiochip0:-1",
      "gpiochip0:1:2", "gpiochip0:4294967296", "chip0:1",
    ] {
      #expect(LinuxGPIOLine.explicitPlace(name) == nil, "\(name)")
    }
  }

  @Test("stamps of either clock come out on the monotonic one")
  func stamps() {
    // An edge 3 ms old; the machine is up for 1000 s, in 2025.
    let monotonic: UInt64 = 1_000_000_000_000
    let realtime: UInt64 = 1_750_000_000_000_000_000
    let age: UInt64 = 3_000_000
    func stamp(_ value: UInt64) -> UInt64 {
      EdgeClock.monotonic(value, monotonic: monotonic, realtime: realtime)
    }
    #expect(stamp(monotonic - age) == monotonic - age)
    #expect(stamp(realtime - age) == monotonic - age)
    // A clock without a battery, 20 s behind the other: the nearer one is used.
    #expect(
      EdgeClock.monotonic(
        monotonic - 20_000_000_000 - age, monotonic: monotonic,
        realtime: monotonic - 20_000_000_000) == monotonic - age)
  }
}
