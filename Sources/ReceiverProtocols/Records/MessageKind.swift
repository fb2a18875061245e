/// The type of a message of any protocol, by its address, name or number.
public struct MessageKind: Equatable, Hashable, Sendable {
  /// A protocol.
  public enum Format: UInt8, Sendable {
    /// NMEA 0183.
    case sentence
    /// u-blox' UBX.
    case ubx
    /// Septentrio's SBF.
    case sbf
    /// A log in ASCII, as of NovAtel and Unicore.
    case log
    /// A binary log of NovAtel.
    case novatel
    /// A binary log of Unicore.
    case unicore
    /// CASIC.
    case casic
    /// SkyTraq.
    case skyTraq
    /// Allystar.
    case allystar
  }

  /// The protocol.
  public let format: Format
  /// The address of a sentence or the name of a log in ASCII; else empty.
  public let name: ShortText
  /// The number of a binary message: UBX, CASIC and Allystar class times 256 plus id; else zero.
  public let number: UInt16

  init(_ format: Format, number: UInt16) {
    (self.format, self.number) = (format, number)
    name = ShortText(UnsafeBufferPointer(start: nil, count: 0))
  }

  init(_ format: Format, name: ShortText) {
    (self.format, self.name, number) = (format, name, 0)
  }
}
