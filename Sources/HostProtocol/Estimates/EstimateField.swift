import Quantities

/// One stored property of an estimate on the wire: its name is its key, and what writes it stands beside what
/// reads it.
package struct EstimateField: Sendable {
  package let name: String
  /// The key with its quotation marks and colon, as it is written.
  let key: [UInt8]
  /// Appends the value; false where there is none, and nothing is appended then.
  package let write: @Sendable (Estimate, inout [UInt8]) -> Bool
  let read: @Sendable (inout Estimate, inout JSONScanner) throws(JSONFault) -> Void

  /// A property that may be absent.
  init<Value>(
    _ name: String, _ path: WritableKeyPath<Estimate, Value?> & Sendable,
    _ coding: EstimateValueCoding<Value>
  ) {
    self.name = name
    key = Array("\"\(name)\":".utf8)
    write = { estimate, line in
      guard let value = estimate[keyPath: path] else { return false }
      coding.write(value, &line)
      return true
    }
    read = { (estimate, json) throws(JSONFault) in
      estimate[keyPath: path] = try coding.read(&json)
    }
  }

  /// A word; one that this version does not know reads as absent.
  init<Value: RawRepresentable<String> & Sendable>(
    _ name: String, word path: WritableKeyPath<Estimate, Value?> & Sendable
  ) {
    self.name = name
    key = Array("\"\(name)\":".utf8)
    write = { estimate, line in
      guard let value = estimate[keyPath: path] else { return false }
      line.append(UInt8(ascii: "\""))
      line.append(contentsOf: value.rawValue.utf8)
      line.append(UInt8(ascii: "\""))
      return true
    }
    read = { (estimate, json) throws(JSONFault) in
      estimate[keyPath: path] = Value(rawValue: try json.string())
    }
  }

  /// A property that is always there.
  init<Value>(
    _ name: String, always path: WritableKeyPath<Estimate, Value> & Sendable,
    _ coding: EstimateValueCoding<Value>
  ) {
    self.name = name
    key = Array("\"\(name)\":".utf8)
    write = { estimate, line in
      coding.write(estimate[keyPath: path], &line)
      return true
    }
    read = { (estimate, json) throws(JSONFault) in
      estimate[keyPath: path] = try coding.read(&json)
    }
  }
}

/// How a kind of value is written and read, to the last bit.
struct EstimateValueCoding<Value>: Sendable {
  let write: @Sendable (Value, inout [UInt8]) -> Void
  let read: @Sendable (inout JSONScanner) throws(JSONFault) -> Value
}

extension [UInt8] {
  /// Appends the shortest text that gives the same number again; the bits of one that is not finite.
  mutating func append(exactly value: Double) {
    if value.isFinite {
      append(contentsOf: value.description.utf8)
    } else {
      append(contentsOf: "\"0x\(String(value.bitPattern, radix: 16))\"".utf8)
    }
  }

  /// Appends numbers in brackets.
  mutating func append(exactly values: [Double]) {
    append(UInt8(ascii: "["))
    for (index, value) in values.enumerated() {
      if index > 0 { append(UInt8(ascii: ",")) }
      append(exactly: value)
    }
    append(UInt8(ascii: "]"))
  }
}
