import JSON
import Quantities

/// One stored property of an estimate in a message: its key, which is the property's name, its
/// writer and its reader.
package struct EstimateField: Sendable {
  /// The kind of the JSON value.
  package enum Shape: Sendable {
    /// Nanoseconds: on the monotonic clock, since 1970.
    case instant, civil
    /// A number, or the text of its bits where it is not finite.
    case number
    case count
    case flag
    /// An array of so many numbers.
    case numbers(Int)
    /// One of the words; a text where there is no list.
    case word([String])
  }

  let key: StaticString
  package let shape: Shape
  /// True where the value is in each message.
  package let isAlways: Bool
  /// Adds the value; adds nothing if it is nil.
  package let write: @Sendable (Estimate, inout JSONWriter) -> Void
  let read: @Sendable (inout Estimate, inout JSONReader) -> Void

  package var name: String { "\(key)" }

  /// An optional property.
  init<Value>(
    _ key: StaticString, _ path: WritableKeyPath<Estimate, Value?> & Sendable,
    _ coding: EstimateValueCoding<Value>
  ) {
    (self.key, shape, isAlways) = (key, coding.shape, false)
    write = { estimate, json in
      if let value = estimate[keyPath: path] { coding.write(value, key, &json) }
    }
    read = { estimate, json in estimate[keyPath: path] = coding.read(&json) }
  }

  /// A property written as one of the words of a list; an unknown word is read as nil.
  init<Value: RawRepresentable<String> & CaseIterable & Sendable>(
    _ key: StaticString, word path: WritableKeyPath<Estimate, Value?> & Sendable
  ) {
    self.init(key, word: path, of: Value.allCases.map(\.rawValue))
  }

  /// A property written as a text; one that cannot be read is nil.
  init<Value: RawRepresentable<String> & Sendable>(
    _ key: StaticString, word path: WritableKeyPath<Estimate, Value?> & Sendable,
    of words: [String] = []
  ) {
    (self.key, shape, isAlways) = (key, .word(words), false)
    write = { estimate, json in json.add(key, estimate[keyPath: path]?.rawValue) }
    read = { estimate, json in
      estimate[keyPath: path] = json.string().flatMap { Value(rawValue: $0) }
    }
  }

  /// A property that is always present.
  init<Value>(
    _ key: StaticString, always path: WritableKeyPath<Estimate, Value> & Sendable,
    _ coding: EstimateValueCoding<Value>
  ) {
    (self.key, shape, isAlways) = (key, coding.shape, true)
    write = { estimate, json in coding.write(estimate[keyPath: path], key, &json) }
    read = { estimate, json in
      if let value = coding.read(&json) { estimate[keyPath: path] = value }
    }
  }
}

/// The writer and reader of a type of value, exact to the last bit.
struct EstimateValueCoding<Value>: Sendable {
  let shape: EstimateField.Shape
  let write: @Sendable (Value, StaticString, inout JSONWriter) -> Void
  /// Reads a value; nil if the reader has a fault.
  let read: @Sendable (inout JSONReader) -> Value?

  init(
    _ shape: EstimateField.Shape,
    write: @escaping @Sendable (Value, StaticString, inout JSONWriter) -> Void,
    read: @escaping @Sendable (inout JSONReader) -> Value?
  ) {
    (self.shape, self.write, self.read) = (shape, write, read)
  }
}

extension JSONReader {
  /// Reads a number exactly. A number that is not finite is a text of its bits,
  /// `"0x7ff0000000000000"`.
  mutating func exactNumber() -> Double? {
    guard isText() else { return number() }
    guard let text = text() else { return nil }
    let digits = String(decoding: text.bytes, as: UTF8.self)
    if digits.hasPrefix("0x"), let bits = UInt64(digits.dropFirst(2), radix: 16) {
      return Double(bitPattern: bits)
    }
    refuse("expected a number", at: text)
    return nil
  }

  /// Reads an array of `count` numbers.
  mutating func exactNumbers(_ count: Int) -> [Double]? {
    guard beginArray() else { return nil }
    var values: [Double] = []
    values.reserveCapacity(count)
    while values.count <= count, nextElement(), let value = exactNumber() { values.append(value) }
    if values.count != count { refuse("expected \(count) numbers") }
    return isBroken ? nil : values
  }

  /// The value of a whole text, or the fault.
  mutating func result<Value>(_ value: Value?) -> Result<Value, JSONFault> {
    expectEnd()
    if let fault { return .failure(fault) }
    guard let value else { return .failure(JSONFault(at: 0, expected: "a body")) }
    return .success(value)
  }
}
