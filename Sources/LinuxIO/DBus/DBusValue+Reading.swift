/// Typed access to a value: nil for another type. Variants are unwrapped, because daemons differ in
/// wrapping their values.
extension DBusValue {
  /// The value inside any number of variants.
  public var unwrapped: DBusValue {
    var value = self
    while case .variant(let inner) = value { value = inner }
    return value
  }

  /// A value of any integer type, if it fits.
  public var integer: Int? {
    switch unwrapped {
    case .byte(let number): Int(number)
    case .int16(let number): Int(number)
    case .uint16(let number): Int(number)
    case .int32(let number): Int(number)
    case .uint32(let number): Int(number)
    case .int64(let number): Int(number)
    case .uint64(let number): Int(exactly: number)
    default: nil
    }
  }

  /// A Boolean.
  public var boolean: Bool? {
    guard case .boolean(let value) = unwrapped else { return nil }
    return value
  }

  /// The text of a string, an object's path or a signature.
  public var text: String? {
    switch unwrapped {
    case .string(let text), .objectPath(let text), .signature(let text): text
    default: nil
    }
  }

  /// An array of bytes.
  public var bytes: [UInt8]? {
    guard case .bytes(let bytes) = unwrapped else { return nil }
    return bytes
  }

  /// The elements of an array or a structure.
  public var elements: [DBusValue]? {
    switch unwrapped {
    case .array(_, let elements), .structure(let elements): elements
    case .bytes(let bytes): bytes.map(DBusValue.byte)
    default: nil
    }
  }

  /// The entries of a dictionary, in the sender's order.
  public var entries: [Entry]? {
    guard case .dictionary(_, _, let entries) = unwrapped else { return nil }
    return entries
  }

  /// The values of a dictionary by the text of their keys. For a repeated key, which the
  /// specification forbids, the last value.
  public var members: [String: DBusValue]? {
    guard let entries else { return nil }
    var members: [String: DBusValue] = [:]
    for entry in entries {
      guard let name = entry.key.text else { return nil }
      members[name] = entry.value.unwrapped
    }
    return members
  }
}
