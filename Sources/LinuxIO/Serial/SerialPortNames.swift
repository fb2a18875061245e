/// The names of serial ports.
package enum SerialPortNames {
  /// The serial port of the pins 8 and 10 of a Raspberry Pi. On a Raspberry Pi 5 `/dev/serial0` is
  /// usually the debug connector between the HDMI sockets, to which no receiver is wired.
  /// - Source: Raspberry Pi documentation, "Configuring UARTs", Raspberry Pi 5: `/dev/serial0` is
  ///   `ttyAMA10`; the pins are `ttyAMA0`.
  /// - Parameter target: Where the link `/dev/serial0` leads; nil where it is missing.
  /// - Returns: The path, which exists where the UART is switched on.
  package static func header(serial0 target: String?) -> String {
    target?.hasSuffix("ttyAMA10") == true ? "/dev/ttyAMA0" : "/dev/serial0"
  }
}
