import Chips
import Foundation
import LinuxIO
import Quantities
import Testing

@Suite("Magnetometers through IIO, by sysfs", .timeLimit(.minutes(30)))
struct IIOMagnetometerTests {
  private func driver(
    _ tree: IIOTree, _ model: ChipModel = .hmc5883l, _ settings: ChipSettings = ChipSettings()
  ) throws -> IIOMagnetometer {
    IIOMagnetometer(device: try tree.found(), model: model, settings: settings) {
      tree.clock.read()
    }
  }

  private func field(_ magnetometer: inout IIOMagnetometer) throws -> SIMD3<Double>? {
    try magnetometer.readField()?.value?.components
  }

  @Test("a scale of a hundredth of the ABI's gauss is corrected, and a right one is not")
  func correction() throws {
    let tree = try IIOTree(driver: "hmc5843")
    try tree.magnetometer()
    var magnetometer = try driver(tree)
    try magnetometer.start()
    // 0.000917431 gauss a count are the chip's 1090 counts a gauss.
    let read = try #require(try field(&magnetometer))
    #expect(abs(read.x - 100.0 / 1090 * 100) < 1e-3)
    #expect(abs(read.y + 200.0 / 1090 * 100) < 2e-3)
    try tree.node(0, ["in_magn_scale": "0.000917431"])
    try magnetometer.start()
    let again = try #require(try field(&magnetometer))
    #expect(abs(again.x - read.x) < 1e-3)
  }

  @Test("the rate that was set counts, whatever hmc5843 prints as it")
  func misprintedRate() throws {
    let tree = try IIOTree(driver: "hmc5843")
    try tree.magnetometer()
    // A rate from beyond its table: what is written is not printed.
    try tree.remove("iio:device0/in_magn_sampling_frequency")
    let path = "\(tree.folder.path)/\(tree.chip)/iio:device0/in_magn_sampling_frequency"
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/null")
    var magnetometer = try driver(tree)
    try magnetometer.start()
    #expect(magnetometer.rateHertz == 75)
    #expect(try magnetometer.holdsConfiguration() == true)
  }

  @Test("each axis has its own scale if the driver has one")
  func axes() throws {
    let tree = try IIOTree(driver: "st-magn-i2c")
    try tree.node(
      0,
      [
        "name": "lsm303dlhc_magn", "sampling_frequency": "1",
        "sampling_frequency_available": "1 2 3 8 15 30 75 220", "in_magn_x_raw": "1000",
        "in_magn_y_raw": "-2000", "in_magn_z_raw": "500", "in_magn_x_scale": "0.000909",
        "in_magn_y_scale": "0.000909", "in_magn_z_scale": "0.001020",
      ])
    var magnetometer = try driver(tree, .lsm303dlhcMagnetometer)
    try magnetometer.start()
    #expect(try tree.read("sampling_frequency") == "75")
    #expect(magnetometer.rateHertz == 75)
    let read = try #require(try field(&magnetometer))
    #expect(abs(read.x - 90.9) < 1e-9 && abs(read.y + 181.8) < 1e-9 && abs(read.z - 51) < 1e-9)
  }

  @Test(
    "the lowest rate not below the requested one is set",
    arguments: [(0.5, "0.750000"), (3, "3.0"), (8, "15.0"), (16, "30.0"), (200, "75.0")])
  func rates(wish: Double, text: String) throws {
    let tree = try IIOTree(driver: "hmc5843")
    try tree.magnetometer()
    var magnetometer = try driver(tree, .hmc5883l, ChipSettings(rateHertz: wish))
    try magnetometer.start()
    #expect(try tree.read("in_magn_sampling_frequency") == text)
    #expect(magnetometer.rateHertz == IIODecimal(text)?.value)
  }

  @Test("the smallest range that contains the largest field is set")
  func ranges() throws {
    for (field, text) in [(80.0, "0.000007299"), (180, "0.000009174"), (200, "0.000012195")] {
      let tree = try IIOTree(driver: "hmc5843")
      try tree.magnetometer()
      var magnetometer = try driver(tree, .hmc5883l, ChipSettings(fieldMicrotesla: field))
      try magnetometer.start()
      #expect(try tree.read("in_magn_scale") == text)
    }
  }

  @Test("sysfs is read once a period, and each value is a sample")
  func pace() throws {
    let tree = try IIOTree(driver: "hmc5843")
    try tree.magnetometer()
    var magnetometer = try driver(tree, .hmc5883l, ChipSettings(rateHertz: 10))
    try magnetometer.start()
    var count = 0
    // The only rate is 15 Hz: 66.7 ms.
    for _ in 0..<200 {
      if try magnetometer.readField() != nil { count += 1 }
      tree.clock.advance(milliseconds: 10)
    }
    #expect(count == 30)
  }

  @Test("a driver that answers slowly lowers the rate")
  func slowDriver() throws {
    let tree = try IIOTree(driver: "hmc5843")
    try tree.magnetometer()
    tree.clock.step = 100_000_000
    var magnetometer = try driver(tree)
    try magnetometer.start()
    #expect(abs(magnetometer.rateHertz - 10) < 1e-9)
  }

  @Test("a count for an overflow is saturated", arguments: [0, 1, 2])
  func overflow(axis: Int) throws {
    let tree = try IIOTree(driver: "hmc5843")
    var raw = [0, 0, 0]
    raw[axis] = -4096
    try tree.magnetometer(raw)
    var magnetometer = try driver(tree)
    try magnetometer.start()
    #expect(try magnetometer.readField() == .saturated)
    raw[axis] = -2048
    try tree.magnetometer(raw)
    tree.clock.advance(milliseconds: 100)
    #expect(try field(&magnetometer) != nil)
  }

  @Test(
    "20 bits without a sign, after RESET, are read as a field", arguments: ["mmc5603", "mmc5633"])
  func unsigned(name: String) throws {
    let tree = try IIOTree(driver: "mmc5633")
    try tree.node(
      0,
      [
        "name": name, "in_magn_scale": "0.000062500", "in_magn_x_raw": "527488",
        "in_magn_y_raw": "524288", "in_magn_z_raw": "516288",
      ])
    let driver = try #require(
      try tree.found().driver(for: .mmc5603, settings: ChipSettings()) as? IIOMagnetometer)
    var magnetometer = driver
    try magnetometer.start()
    let field = try #require(try magnetometer.readField()?.value).microtesla
    // 3200 counts of 62.5 microgauss are 20 microtesla, 8000 are 50.
    #expect((field - SIMD3(-20, 0, 50)).length < 1e-9)
  }

  @Test("changed settings and an unbound driver are detected")
  func holding() throws {
    let tree = try IIOTree(driver: "hmc5843")
    try tree.magnetometer()
    var magnetometer = try driver(tree)
    try magnetometer.start()
    #expect(try magnetometer.holdsConfiguration() == true)
    try tree.node(0, ["in_magn_scale": "0.000012195"])
    #expect(try magnetometer.holdsConfiguration() == false)
    try magnetometer.start()
    try tree.node(0, ["in_magn_sampling_frequency": "3.0"])
    #expect(try magnetometer.holdsConfiguration() == false)
    try magnetometer.start()
    #expect(try magnetometer.holdsConfiguration() == true)
    // Another chip was bound at the address meanwhile.
    try tree.node(0, ["name": "hmc5983"])
    #expect(try magnetometer.holdsConfiguration() == false)
    try tree.node(0, ["name": "hmc5883l"])
    try tree.remove("driver")
    #expect(try magnetometer.holdsConfiguration() == false)
    let error = try chipFailure { try magnetometer.start() }
    guard case .bus(let cause) = error.kind else {
      Issue.record("\(error)")
      return
    }
    #expect(cause.kind == .disconnected)
    #expect("\(error)".contains("iio:device0 (driver hmc5843) address 0x1E"))
  }

  @Test("another chip than the board file's, and an invalid value, are errors")
  func errors() throws {
    let tree = try IIOTree(driver: "hmc5843")
    try tree.magnetometer()
    var other = try driver(tree, .lis3mdl)
    let error = try chipFailure { try other.start() }
    #expect("\(error)".contains("the kernel calls the chip 'hmc5883l', not LIS3MDL"))
    var magnetometer = try driver(tree)
    try magnetometer.start()
    try tree.node(0, ["in_magn_y_raw": "what"])
    let garbage = try chipFailure { _ = try magnetometer.readField() }
    #expect("\(garbage)".contains("reading in_magn_y_raw of iio:device0 failed"))
    try tree.node(0, ["in_magn_y_raw": "7"])
    #expect(try field(&magnetometer) != nil)
  }
}

/// The error that a body throws.
func chipFailure(_ body: () throws -> Void) throws -> ChipError {
  do { try body() } catch let error as ChipError { return error }
  throw NothingThrown()
}
