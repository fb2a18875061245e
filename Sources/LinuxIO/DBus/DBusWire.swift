import CLinuxIO

/// Decodes and encodes the values of libdbus messages, within limits.
///
/// libdbus has already checked a message's layout, lengths and UTF-8. The limits here protect
/// against valid messages of 4 MiB that would need much memory: arrays of empty values, and nested
/// variants.
enum DBusWire {
  /// Most values in one message, including nested ones.
  private static let valueLimit = 65_536
  /// Deepest nesting of containers. The deepest expected message, a daemon's list of all objects,
  /// has 5.
  private static let depthLimit = 16

  /// Why a message could not be decoded or encoded.
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

  /// The signature after the `a`.
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

extension DBusWire {
  static func encode(
    _ values: [DBusValue], into message: UnsafeMutableRawPointer
  ) throws(Fault) {
    var iterator = cdbus_iterator()
    cdbus_append(message, &iterator)
    for value in values { try append(value, to: &iterator, depth: 0) }
  }

  private static func append(
    _ value: DBusValue, to iterator: inout cdbus_iterator, depth: Int
  ) throws(Fault) {
    guard depth < depthLimit else { throw Fault(what: "more than \(depthLimit) nested values") }
    switch value {
    case .byte(let number): try number.append("y", &iterator)
    case .boolean(let flag): try (flag ? 1 : 0 as UInt64).append("b", &iterator)
    case .int16(let number): try number.append("n", &iterator)
    case .uint16(let number): try number.append("q", &iterator)
    case .int32(let number): try number.append("i", &iterator)
    case .uint32(let number): try number.append("u", &iterator)
    case .int64(let number): try number.append("x", &iterator)
    case .uint64(let number): try number.append("t", &iterator)
    case .double(let number): try number.bitPattern.append("d", &iterator)
    case .string(let text): try append(text, "s", &iterator)
    case .objectPath(let path): try append(path, "o", &iterator)
    case .signature(let text): try append(text, "g", &iterator)
    case .bytes(let bytes):
      try container("a", "y", &iterator) { (inner: inout cdbus_iterator) throws(Fault) in
        let isDone = bytes.withUnsafeBufferPointer {
          $0.isEmpty || cdbus_append_bytes(&inner, $0.baseAddress, Int32(clamping: $0.count))
        }
        guard isDone else { throw Fault(what: "no memory for bytes") }
      }
    case .array(let element, let elements):
      try check(element)
      try container("a", element, &iterator) { (inner: inout cdbus_iterator) throws(Fault) in
        for each in elements {
          try require(each, element)
          try append(each, to: &inner, depth: depth + 1)
        }
      }
    case .dictionary(let key, let value, let entries):
      let signature = "{" + key + value + "}"
      try check("a" + signature)
      try container("a", signature, &iterator) { (inner: inout cdbus_iterator) throws(Fault) in
        for entry in entries {
          try require(entry.key, key)
          try require(entry.value, value)
          try container("e", nil, &inner) { (pair: inout cdbus_iterator) throws(Fault) in
            try append(entry.key, to: &pair, depth: depth + 2)
            try append(entry.value, to: &pair, depth: depth + 2)
          }
        }
      }
    case .structure(let members):
      guard !members.isEmpty else { throw Fault(what: "a structure without members") }
      try container("r", nil, &iterator) { (inner: inout cdbus_iterator) throws(Fault) in
        for member in members { try append(member, to: &inner, depth: depth + 1) }
      }
    case .variant(let value):
      let signature = value.signature
      try check(signature)
      try container("v", signature, &iterator) { (inner: inout cdbus_iterator) throws(Fault) in
        try append(value, to: &inner, depth: depth + 1)
      }
    }
  }

  private static func append(
    _ text: String, _ type: Unicode.Scalar, _ iterator: inout cdbus_iterator
  ) throws(Fault) {
    guard cdbus_append_text(&iterator, Int32(type.value), text) else {
      throw Fault(what: "'\(text)' is not of type '\(type)'")
    }
  }

  private static func container(
    _ type: Unicode.Scalar, _ signature: String?, _ iterator: inout cdbus_iterator,
    _ body: (inout cdbus_iterator) throws(Fault) -> Void
  ) throws(Fault) {
    var inner = cdbus_iterator()
    guard cdbus_begin(&iterator, Int32(type.value), signature, &inner) else {
      throw Fault(what: "no memory for a container")
    }
    do throws(Fault) {
      try body(&inner)
    } catch {
      cdbus_abandon(&iterator, &inner)
      throw error
    }
    guard cdbus_end(&iterator, &inner) else { throw Fault(what: "no memory for a container") }
  }

  private static func check(_ signature: String) throws(Fault) {
    guard cdbus_is_single_type(signature) else { throw Fault(what: "'\(signature)' is no type") }
  }

  private static func require(_ value: DBusValue, _ signature: String) throws(Fault) {
    guard value.signature == signature else {
      throw Fault(what: "a value of type '\(value.signature)' where '\(signature)' is announced")
    }
  }
}

extension FixedWidthInteger {
  fileprivate func append(
    _ type: Unicode.Scalar, _ iterator: inout cdbus_iterator
  ) throws(DBusWire.Fault) {
    let bits = UInt64(truncatingIfNeeded: self)
    guard cdbus_append_number(&iterator, Int32(type.value), bits) else {
      throw DBusWire.Fault(what: "no memory for a number")
    }
  }
}
