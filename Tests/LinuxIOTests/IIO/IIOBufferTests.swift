import Chips
import LinuxIO
import Quantities
import Testing

@Suite("Samples from IIO's buffers", .timeLimit(.minutes(30)))
struct IIOBufferTests {
  private static let axes = [
    ("in_magn_x", 0, "be:s16/16>>0"), ("in_magn_y", 2, "be:s16/16>>0"),
    ("in_magn_z", 1, "be:s16/16>>0"), ("in_timestamp", 3, "le:s64/64>>0"),
  ]

  private func tree() throws -> IIOTree {
    let tree = try IIOTree(driver: "hmc5843")
    try tree.magnetometer()
    try tree.buffer(0, Self.axes.map { (name: $0.0, index: $0.1, type: $0.2) })
    return tree
  }

  private func driver(_ tree: IIOTree) throws -> IIOMagnetometer {
    IIOMagnetometer(
      device: try tree.found(), model: .hmc5883l, settings: ChipSettings(rateHertz: 15)
    ) { tree.clock.read() }
  }

  @Test("the chip's own trigger is chosen, elements and clock are set, the buffer is enabled")
  func setup() throws {
    let tree = try tree()
    try tree.trigger(0, "other-chip", ofChip: false)
    try tree.trigger(1, "hmc5883l-dev0", ofChip: true)
    try tree.node(0, ["buffer0/in_temp_en": "1", "buffer0/in_temp_index": "9"])
    var magnetometer: IIOMagnetometer? = try driver(tree)
    try magnetometer?.start()
    #expect(magnetometer?.isBuffered == true)
    #expect(try tree.read("trigger/current_trigger") == "hmc5883l-dev0")
    #expect(try tree.read("current_timestamp_clock") == "monotonic")
    for name in ["in_magn_x", "in_magn_y", "in_magn_z", "in_timestamp"] {
      #expect(try tree.read("buffer0/\(name)_en") == "1")
    }
    #expect(try tree.read("buffer0/in_temp_en") == "0")
    #expect(try tree.read("buffer0/enable") == "1")
    #expect(try magnetometer?.holdsConfiguration() == true)
    magnetometer = nil
    #expect(try tree.read("buffer0/enable") == "0")
  }

  @Test("a present trigger is kept; a timer made for us is used with its rate")
  func otherTriggers() throws {
    let chosen = try tree()
    try chosen.node(0, ["trigger/current_trigger": "sysfstrig7"])
    var magnetometer = try driver(chosen)
    try magnetometer.start()
    #expect(magnetometer.isBuffered)
    #expect(try chosen.read("trigger/current_trigger") == "sysfstrig7")

    // No more often than the chip measures.
    let timed = try tree()
    try timed.trigger(4, "lodestar-hrtimer-0", ofChip: false)
    var slow = IIOMagnetometer(
      device: try timed.found(), model: .hmc5883l, settings: ChipSettings(rateHertz: 12)
    ) { timed.clock.read() }
    try slow.start()
    #expect(slow.isBuffered)
    #expect(try timed.read("trigger/current_trigger") == "lodestar-hrtimer-0")
    #expect(slow.rateHertz == 12)
    var fast = IIOMagnetometer(
      device: try timed.found(), model: .hmc5883l, settings: ChipSettings(rateHertz: 500)
    ) { timed.clock.read() }
    try fast.start()
    #expect(fast.rateHertz == 75)
  }

  @Test("without its own trigger or our timer the driver is read through sysfs")
  func noTrigger() throws {
    let tree = try tree()
    try tree.trigger(0, "other-chip", ofChip: false)
    var magnetometer = try driver(tree)
    try magnetometer.start()
    #expect(!magnetometer.isBuffered)
    #expect(try tree.read("buffer0/enable") == "0")
    #expect(try magnetometer.readField() != nil)
  }

  @Test("all scans are delivered, oldest first, each with the kernel's stamp")
  func scans() throws {
    let tree = try tree()
    try tree.trigger(1, "hmc5883l-dev0", ofChip: true)
    var magnetometer = try driver(tree)
    try magnetometer.start()
    #expect(try magnetometer.readField() == nil)
    let pipe = try tree.pipe()
    for number in Int16(1)...5 {
      // x, z, y by the indices, and two unused bytes before the timestamp.
      try pipe.write(bigEndian(number, number + 10, number + 20) + [0xAA, 0xAA])
      try pipe.write(littleEndian(Int64(number) * 1000))
    }
    for number in 1...5 {
      let read = try #require(try magnetometer.readField()?.value?.components)
      let counts = read / (0.000_009_174 * 100 * 100)
      #expect((counts.x).rounded() == Double(number))
      #expect((counts.y).rounded() == Double(number + 20))
      #expect((counts.z).rounded() == Double(number + 10))
      #expect(magnetometer.sampleTimestamp == Timestamp(nanoseconds: UInt64(number) * 1000))
    }
    #expect(try magnetometer.readField() == nil)
  }

  @Test("a scan read in two parts is one")
  func parts() throws {
    let tree = try tree()
    try tree.trigger(1, "hmc5883l-dev0", ofChip: true)
    var magnetometer = try driver(tree)
    try magnetometer.start()
    let pipe = try tree.pipe()
    let scan = bigEndian(Int16(1), 2, 3) + [0, 0] + littleEndian(Int64(5))
    for split in 1..<scan.count {
      try pipe.write(Array(scan[..<split]))
      #expect(try magnetometer.readField() == nil)
      try pipe.write(Array(scan[split...]))
      #expect(try magnetometer.readField()?.value != nil)
    }
  }

  @Test("a disabled buffer does not hold the configuration")
  func switchedOff() throws {
    let tree = try tree()
    try tree.trigger(1, "hmc5883l-dev0", ofChip: true)
    var magnetometer = try driver(tree)
    try magnetometer.start()
    try tree.node(0, ["buffer0/enable": "0"])
    #expect(try magnetometer.holdsConfiguration() == false)
    try magnetometer.start()
    #expect(try magnetometer.holdsConfiguration() == true)
  }

  @Test("an unknown type is an error that names it")
  func badType() throws {
    let tree = try tree()
    try tree.trigger(1, "hmc5883l-dev0", ofChip: true)
    try tree.node(0, ["buffer0/in_magn_y_type": "strange"])
    var magnetometer = try driver(tree)
    let error = try chipFailure { try magnetometer.start() }
    #expect("\(error)".contains("understanding in_magn_y_type of iio:device0 failed"))
  }
}
