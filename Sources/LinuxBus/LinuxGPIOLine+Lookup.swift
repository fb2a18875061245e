import Bus
import CLinuxBus

#if canImport(Glibc)
  import Glibc
#endif

extension LinuxGPIOLine {
  /// The generation of libgpiod's interface in use: 2, 1, or 0 where it is not installed.
  package static var libraryGeneration: Int { Int(linuxbus_gpio_library()) }

  /// The chip and offset of a line.
  static func place(
    of name: String, devices: String
  ) throws(BusError) -> (chip: String, offset: UInt32) {
    if let place = explicitPlace(name) { return ("\(devices)/\(place.chip)", place.offset) }
    let chips = SystemFiles.numbered("gpiochip", in: devices).map { "\(devices)/\($0)" }
    let all = "\(devices)/gpiochip*"
    if chips.isEmpty { throw BusError(.missing, device: all) }
    // A chip that cannot be opened may be the one that has the line: its error is told in the end.
    var failure: BusError?
    for chip in chips {
      let found = linuxbus_gpio_find(chip, name)
      if found >= 0 { return (chip, UInt32(found)) }
      if found != -ENOENT && failure == nil {
        let group = SystemFiles.group(of: chip, usual: "gpio")
        failure = BusError(
          SystemError.line(-found, name: name, owner: "", group: group), device: chip,
          code: -found)
      }
    }
    throw failure ?? BusError(.noSuchLine(name), device: all)
  }

  /// Chip and offset of a name such as `gpiochip0:17`; nil for other names.
  package static func explicitPlace(_ name: String) -> (chip: String, offset: UInt32)? {
    let parts = name.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].hasPrefix("gpiochip"),
      SystemFiles.number(parts[0].dropFirst("gpiochip".count)) != nil,
      let number = SystemFiles.number(parts[1]), let offset = UInt32(exactly: number)
    else { return nil }
    return (String(parts[0]), offset)
  }
}
