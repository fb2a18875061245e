import CDBus

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
