import Chips
import LinuxIO
import Quantities
import Testing

#if canImport(Glibc)
  import Glibc
#endif

@Suite("I2C buses of the kernel: opening and listing", .timeLimit(.minutes(30)))
struct LinuxI2CBusTests {
  private func refusal(_ path: String) throws -> BusError {
    try failure { _ = try LinuxI2CBus(path: path) }
  }

  @Test("a file that is no I2C bus is distinguished from a missing one")
  func notABus() throws {
    let folder = try TemporaryFolder()
    let noBus = BusError.Kind.unsupported("not an I2C bus; see /dev/i2c-*")
    #expect(try refusal(folder.path).kind == noBus)
    #expect(try refusal(folder.file("i2c-1")).kind == noBus)
    #expect(try refusal("/dev/null").kind == noBus)
    #expect(try refusal("\(folder.path)/i2c-2").kind == .missing)
    #expect("\(try refusal("/dev/null"))".hasPrefix("/dev/null: not an I2C bus"))
  }

  @Test(
    "the error of a bus without permission names the group",
    .enabled(if: geteuid() != 0, "the superuser may open all"))
  func forbidden() throws {
    let folder = try TemporaryFolder()
    let path = try folder.file("i2c-1")
    try #require(chmod(path, 0) == 0)
    guard case .permissionDenied(let group) = try refusal(path).kind else {
      Issue.record("not refused")
      return
    }
    #expect(!group.isEmpty)
  }

  @Test("buses are listed in the order of their numbers, and nothing else is")
  func listing() throws {
    let devices = try TemporaryFolder()
    for name in ["i2c-10", "i2c-2", "i2c-1", "i2c-x", "i2c-", "i2c-+3", "spidev0.0"] {
      try devices.file(name)
    }
    #expect(
      LinuxI2CBus.buses(devices: devices.path)
        == ["i2c-1", "i2c-2", "i2c-10"].map { "\(devices.path)/\($0)" })
    #expect(LinuxI2CBus.buses(devices: "\(devices.path)/none").isEmpty)
  }

  @Test("an adapter's name and an address's driver are read of sysfs, through symbolic links too")
  func sysfs() throws {
    let folder = try TemporaryFolder()
    let bus = try folder.file("dev/i2c-1")
    try folder.link("dev/i2c-sensors", to: "i2c-1")
    try folder.file("sys/class/i2c-dev/i2c-1/name", "bcm2835 (i2c@7e804000)\n")
    try folder.link(
      "sys/bus/i2c/devices/1-001e/driver", to: "../../../../../bus/i2c/drivers/hmc5843")
    let system = "\(folder.path)/sys"
    for path in [bus, "\(folder.path)/dev/i2c-sensors"] {
      #expect(LinuxI2CBus.adapterName(of: path, system: system) == "bcm2835 (i2c@7e804000)")
      #expect(LinuxI2CBus.kernelDriver(at: 0x1E, of: path, system: system) == "hmc5843")
      #expect(LinuxI2CBus.kernelDriver(at: 0x0E, of: path, system: system) == nil)
    }
    let other = try folder.file("dev/i2c-2")
    #expect(LinuxI2CBus.adapterName(of: other, system: system) == nil)
    #expect(LinuxI2CBus.kernelDriver(at: 0x1E, of: other, system: system) == nil)
  }

  @Test("the clock advances, and a sleep ends after its deadline")
  func clock() {
    let before = MonotonicClock.now
    let deadline = before.advanced(byNanoseconds: 2_000_000)
    MonotonicClock.sleep(until: deadline)
    let after = MonotonicClock.now
    #expect(after >= deadline)
    MonotonicClock.sleep(until: before)
    #expect(MonotonicClock.now >= after)
  }
}
