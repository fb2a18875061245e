import LinuxIO
import Testing

#if canImport(Glibc)
  import Glibc
#endif

@Suite("The place of a USB device", .timeLimit(.minutes(30)))
struct USBPlaceTests {
  private func plug(
    _ folder: TemporaryFolder, _ name: String, _ kind: String, _ device: String
  ) throws {
    try folder.file("dev/\(name)")
    try folder.file("sys/devices/\(device)/dev")
    try folder.link("sys/class/\(kind)/\(name)", to: "../../devices/\(device)")
  }

  private func place(_ folder: TemporaryFolder, _ name: String) -> USBPlace? {
    USBPlace(
      of: "\(folder.path)/dev/\(name)", system: "\(folder.path)/sys", devices: "\(folder.path)/dev")
  }

  @Test("an adapter that returns with another number is found by its port")
  func renumbered() throws {
    let before = try TemporaryFolder()
    let hub = "pci/usb1/1-1/1-1.4"
    try plug(before, "i2c-11", "i2c-dev", "\(hub)/1-1.4:1.0/i2c-11/i2c-dev/i2c-11")
    try plug(before, "ttyUSB0", "tty", "\(hub)/1-1.4:1.1/ttyUSB0/tty/ttyUSB0")
    try before.link("dev/gps", to: "ttyUSB0")
    let (bus, port) = (
      try #require(place(before, "i2c-11")), try #require(place(before, "ttyUSB0"))
    )
    #expect(bus.path == "\(before.path)/dev/i2c-11")
    #expect(place(before, "gps") == port && bus != port)
    // The same ports later, with other numbers and a second adapter.
    unlink("\(before.path)/dev/ttyUSB0")
    unlink("\(before.path)/sys/class/tty/ttyUSB0")
    #expect(port.path == nil)
    try plug(before, "ttyUSB1", "tty", "\(hub)/1-1.4:1.1/ttyUSB1/tty/ttyUSB1")
    try plug(before, "ttyUSB2", "tty", "pci/usb1/1-2/1-2:1.0/ttyUSB2/tty/ttyUSB2")
    #expect(port.path == "\(before.path)/dev/ttyUSB1")
  }

  @Test("a bus or port of the board itself has none")
  func onBoard() throws {
    let folder = try TemporaryFolder()
    try plug(folder, "i2c-1", "i2c-dev", "platform/soc/3f804000.i2c/i2c-1/i2c-dev/i2c-1")
    try plug(folder, "ttyS0", "tty", "platform/soc/3f215040.serial:0.0/tty/ttyS0")
    #expect(place(folder, "i2c-1") == nil && place(folder, "ttyS0") == nil)
    #expect(place(folder, "i2c-2") == nil)
  }
}
