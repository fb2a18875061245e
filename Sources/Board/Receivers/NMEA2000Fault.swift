import Configuration
import LinuxIO

/// Why an NMEA 2000 bus gives no positions or headings. The description is one line with the address
/// and the remedy.
public enum NMEA2000Fault: Error, Equatable, Sendable, CustomStringConvertible {
  /// The interface cannot be opened or read.
  case interface(CANAddress, NetworkError)
  /// No device has sent a message that is decoded for this many seconds.
  case silent(CANAddress, seconds: Int)
  /// The devices have sent no position or heading for this many seconds.
  case noReports(CANAddress, seconds: Int)
  /// There are devices, but not the requested one.
  case otherDevices(CANAddress, [UInt8])

  /// One line to display.
  public var description: String {
    switch self {
    case .interface(let address, let error): "\(address.text): \(error.reasonOfCAN)"
    case .silent(let address, let seconds):
      "\(address.text): no message for \(seconds) s; check the bit rate (250000), the wires and that "
        + "the bus has power: 'candump \(address.interface)' must show frames"
    case .noReports(let address, let seconds):
      "\(address.text): the bus has messages, but no position or heading for \(seconds) s; look at the "
        + "receiver or compass"
    case .otherDevices(let address, let devices):
      "\(address.text): no device has the address \(address.device ?? 0), there are "
        + "\(devices.map { "\($0)" }.joined(separator: ", ")); name one of these, or none for the best"
    }
  }
}
