/// CFG-VALGET (0x06 0x8B), the answer: values of configuration keys.
///
/// The length of a value depends on its key. A payload with a truncated value, or with a key
/// without a length, is malformed.
/// - Source: u-blox ZED-F9P interface description UBX-18010854, "Configuration interface" and
///   UBX-CFG-VALGET, version 1, as ubloxcfg quotes it; version 0 is the poll.
public struct CfgValGet: UBXPayload, Sequence {
  static var shortestPayload: Int { 4 }
  private static var answer: UInt8 { 1 }
  private static var header: Int { 4 }

  /// Where a value is stored.
  public enum Layer: UInt8, Sendable {
    /// In use now.
    case ram = 0
    /// Battery-backed RAM.
    case batteryBacked
    /// Flash.
    case flash
    /// The manufacturer's defaults.
    case defaults = 7
  }

  /// One key with its value.
  public struct Item: Equatable, Sendable {
    /// The key: group and number with the value's length.
    public let key: UInt32
    /// Length of the value, bytes: 1, 2, 4 or 8.
    public let size: Int
    /// The value's bytes as an unsigned number.
    public let bits: UInt64

    /// The value as a flag.
    public var isOn: Bool { bits != 0 }
    /// The value as a signed number.
    public var signed: Int64 {
      let unused = 64 - 8 * size
      return Int64(bitPattern: bits << unused) >> unused
    }
    /// The value as a floating-point number of eight bytes, else of four.
    public var real: Double {
      size == 8
        ? Double(bitPattern: bits) : Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    }
  }

  /// Iterates over the items.
  public struct Iterator: IteratorProtocol {
    fileprivate let fields: UBXFields
    fileprivate var offset: Int

    /// The next item.
    public mutating func next() -> Item? {
      guard offset < fields.count, let item = CfgValGet.item(fields, at: offset) else { return nil }
      offset += 4 + item.size
      return item
    }
  }

  private let fields: UBXFields
  /// Where the values are stored; nil for an unknown layer.
  public let layer: Layer?
  /// Number of values of the answer in earlier messages.
  public let position: UInt16
  /// Number of items.
  public let count: Int

  init(_ fields: UBXFields) throws(UBXRejection) {
    guard fields.u1(0) == Self.answer else { throw .unregistered }
    self.fields = fields
    layer = Layer(rawValue: fields.u1(1))
    position = fields.u2(2)
    var (offset, count) = (Self.header, 0)
    while offset < fields.count {
      guard let item = Self.item(fields, at: offset) else { throw .malformed }
      offset += 4 + item.size
      count += 1
    }
    self.count = count
  }

  /// Iterates over the items in the order in which they were sent.
  public func makeIterator() -> Iterator { Iterator(fields: fields, offset: Self.header) }

  /// The item of a key; nil where the answer does not contain it.
  public func item(_ key: UInt32) -> Item? {
    for item in self where item.key == key { return item }
    return nil
  }

  fileprivate static func item(_ fields: UBXFields, at offset: Int) -> Item? {
    guard offset + 4 < fields.count else { return nil }
    let key = fields.u4(offset)
    let value = offset + 4
    // Bits 28 to 30 of a key encode the length of its value; a flag has a whole byte.
    let size =
      switch key.bits(28, count: 3) {
      case 1, 2: 1
      case 3: 2
      case 4: 4
      case 5: 8
      default: 0
      }
    guard size > 0, value + size <= fields.count else { return nil }
    let bits =
      switch size {
      case 1: UInt64(fields.u1(value))
      case 2: UInt64(fields.u2(value))
      case 4: UInt64(fields.u4(value))
      default: fields.u8(value)
      }
    return Item(key: key, size: size, bits: bits)
  }
}
