import CDBus

/// Values from and into messages of libdbus, within bounds.
///
/// libdbus has checked a message's layout, its lengths and its UTF-8 before it is handed over. What is
/// bounded here is what a valid message of 4 MiB could still make of a process: arrays of empty values, and
/// variants within variants.
enum DBusWire {
  /// Values of one message, nested ones counted.
  static let valueLimit = 65_536
  /// Containers within containers. The deepest message that is expected, a daemon's list of all its objects,
  /// has 5.
  static let depthLimit = 16

  /// What could not be read or written.
  struct Fault: Error, Equatable { var what: String }

  static func decode(_ message: UnsafeMutableRawPointer) throws(Fault) -> [DBusValue] {
    var iterator = cdbus_iterator()
    guard cdbus_read(message, &iterator) else { return [] }
    var left = valueLimit
    return try values(&iterator, depth: 0, left: &left)
  }

  private static func values(
    _ iterator: inout cdbus_iterator, depth: Int, left: inout Int
  ) throws(Fault) -> [DBusValue] {
    guard depth < depthLimit else { throw Fault(what: "more than \(depthLimit) nested values") }
    var values: [DBusValue] = []
    while cdbus_type(&iterator) != 0 {
      values.append(try value(&iterator, depth: depth, left: &left))
      guard cdbus_next(&iterator) else { break }
    }
    return values
  }

  private static func value(
    _ iterator: inout cdbus_iterator, depth: Int, left: inout Int
  ) throws(Fault) -> DBusValue {
    left -= 1
    guard left >= 0 else { throw Fault(what: "more than \(valueLimit) values") }
    let type = Character(Unicode.Scalar(UInt8(clamping: cdbus_type(&iterator))))
    switch type {
    case "y": return .byte(UInt8(truncatingIfNeeded: cdbus_number(&iterator)))
    case "b": return .boolean(cdbus_number(&iterator) != 0)
    case "n": return .int16(Int16(truncatingIfNeeded: cdbus_number(&iterator)))
    case "q": return .uint16(UInt16(truncatingIfNeeded: cdbus_number(&iterator)))
    case "i": return .int32(Int32(truncatingIfNeeded: cdbus_number(&iterator)))
    case "u": return .uint32(UInt32(truncatingIfNeeded: cdbus_number(&iterator)))
    case "x": return .int64(Int64(bitPattern: cdbus_number(&iterator)))
    case "t": return .uint64(cdbus_number(&iterator))
    case "d": return .double(Double(bitPattern: cdbus_number(&iterator)))
    case "s": return .string(try text(&iterator))
    case "o": return .objectPath(try text(&iterator))
    case "g": return .signature(try text(&iterator))
    case "a": return try array(&iterator, depth: depth, left: &left)
    case "v", "r":
      var inner = cdbus_iterator()
      cdbus_enter(&iterator, &inner)
      let members = try values(&inner, depth: depth + 1, left: &left)
      if type == "r" { return .structure(members) }
      guard let only = members.first else { throw Fault(what: "an empty variant") }
      return .variant(only)
    default: throw Fault(what: "a value of type '\(type)'")
    }
  }

  private static func text(_ iterator: inout cdbus_iterator) throws(Fault) -> String {
    guard let text = cdbus_text(&iterator) else { throw Fault(what: "a string without text") }
    return String(cString: text)
  }

  private static func array(
    _ iterator: inout cdbus_iterator, depth: Int, left: inout Int
  ) throws(Fault) -> DBusValue {
    var inner = cdbus_iterator()
    let element = Character(Unicode.Scalar(UInt8(clamping: cdbus_element_type(&iterator))))
    let signature = try elementSignature(&iterator)
    cdbus_enter(&iterator, &inner)
    if element == "y" {
      var count: Int32 = 0
      let bytes = cdbus_bytes(&inner, &count)
      return .bytes(Array(UnsafeBufferPointer(start: bytes, count: Int(count))))
    }
    guard element == "e" else {
      return .array(of: signature, try values(&inner, depth: depth + 1, left: &left))
    }
    var entries: [DBusValue.Entry] = []
    while cdbus_type(&inner) != 0 {
      var members = cdbus_iterator()
      cdbus_enter(&inner, &members)
      let pair = try values(&members, depth: depth + 2, left: &left)
      guard pair.count == 2 else { throw Fault(what: "an entry of \(pair.count) values") }
      entries.append(DBusValue.Entry(pair[0], pair[1]))
      guard cdbus_next(&inner) else { break }
    }
    // {, the key's one character, the value's type, }
    let inside = signature.dropFirst().dropLast()
    return .dictionary(key: String(inside.prefix(1)), value: String(inside.dropFirst()), entries)
  }

  /// The signature behind the `a`.
  private static func elementSignature(_ iterator: inout cdbus_iterator) throws(Fault) -> String {
    // A signature has at most 255 characters.
    let signature = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { room in
      cdbus_signature(&iterator, room.baseAddress, UInt32(room.count))
        ? room.baseAddress.map { String(cString: $0) } : nil
    }
    guard let signature else { throw Fault(what: "an array without a type") }
    return String(signature.dropFirst())
  }
}
