/// A value of a D-Bus message.
/// - Source: D-Bus Specification 0.43, Type System.
public indirect enum DBusValue: Equatable, Sendable {
  /// `y`
  case byte(UInt8)
  /// `b`
  case boolean(Bool)
  /// `n`
  case int16(Int16)
  /// `q`
  case uint16(UInt16)
  /// `i`
  case int32(Int32)
  /// `u`
  case uint32(UInt32)
  /// `x`
  case int64(Int64)
  /// `t`
  case uint64(UInt64)
  /// `d`
  case double(Double)
  /// `s`
  case string(String)
  /// `o`
  case objectPath(String)
  /// `g`
  case signature(String)
  /// `ay`
  case bytes([UInt8])
  /// `a` and the signature of its elements; an empty array has one too.
  case array(of: String, [DBusValue])
  /// `a{}` and the signatures of its keys and values.
  case dictionary(key: String, value: String, [Entry])
  /// `()`
  case structure([DBusValue])
  /// `v`
  case variant(DBusValue)

  /// A key and a value of a dictionary.
  public struct Entry: Equatable, Sendable {
    /// The key, a basic value.
    public var key: DBusValue
    /// The value.
    public var value: DBusValue

    /// Makes an entry.
    public init(_ key: DBusValue, _ value: DBusValue) {
      self.key = key
      self.value = value
    }
  }

  /// Names with values of any type, `a{sv}`, the format of properties and options. Sorted by name,
  /// so that equal values make equal messages.
  public static func properties(_ values: [String: DBusValue]) -> DBusValue {
    let entries = values.sorted { $0.key < $1.key }.map { name, value in
      Entry(.string(name), .variant(value))
    }
    return .dictionary(key: "s", value: "v", entries)
  }

  /// The type in D-Bus's notation, such as `a{sv}`.
  public var signature: String {
    switch self {
    case .byte: "y"
    case .boolean: "b"
    case .int16: "n"
    case .uint16: "q"
    case .int32: "i"
    case .uint32: "u"
    case .int64: "x"
    case .uint64: "t"
    case .double: "d"
    case .string: "s"
    case .objectPath: "o"
    case .signature: "g"
    case .bytes: "ay"
    case .array(let element, _): "a" + element
    case .dictionary(let key, let value, _): "a{" + key + value + "}"
    case .structure(let members): "(" + members.map(\.signature).joined() + ")"
    case .variant: "v"
    }
  }
}
