import JSON
import Quantities

/// A value of a JSON text.
public enum JSONValue: Equatable, Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case boolean(Bool)
  /// A number as a double.
  case number(Double)
  /// A string.
  case text(String)
  /// Values in order.
  case array([JSONValue])
  /// Named values.
  case object(JSONObject)

  /// Numbers in order.
  static func numbers(_ values: [Double]) -> JSONValue { .array(values.map { .number($0) }) }

  /// Reads a whole text.
  ///
  /// A profile's checksum is computed from the values, so each text must have one meaning: a
  /// duplicate name in an object, a number beyond a double's range and text that is not UTF-8 are
  /// faults.
  /// - Throws: `ProfileFault.notJSON` with line and column.
  package init(json bytes: [UInt8]) throws(ProfileFault) {
    let result = bytes.withUnsafeBufferPointer { bytes -> Result<JSONValue, ProfileFault> in
      // No calibration is nested deeper.
      var reader = JSONReader(bytes, deepest: 16)
      let value = JSONValue(&reader)
      reader.expectEnd()
      if let fault = reader.fault { return .failure(ProfileFault(fault, in: bytes)) }
      return value.map { .success($0) } ?? .failure(.notProfile("no JSON"))
    }
    self = try result.get()
  }

  private init?(_ reader: inout JSONReader) {
    switch reader.peek() {
    case UInt8(ascii: "{"):
      guard reader.beginObject() else { return nil }
      var object = JSONObject()
      while let key = reader.nextKey() {
        guard let name = reader.string(key) else { return nil }
        if object[name] != nil { reader.refuse("duplicate name '\(name)'", at: key) }
        guard let value = JSONValue(&reader) else { return nil }
        object[name] = value
      }
      self = .object(object)
    case UInt8(ascii: "["):
      guard reader.beginArray() else { return nil }
      var values: [JSONValue] = []
      while reader.nextElement() {
        guard let value = JSONValue(&reader) else { return nil }
        values.append(value)
      }
      self = .array(values)
    case UInt8(ascii: "\""):
      guard let text = reader.string() else { return nil }
      self = .text(text)
    case UInt8(ascii: "t"), UInt8(ascii: "f"):
      guard let flag = reader.flag() else { return nil }
      self = .boolean(flag)
    case UInt8(ascii: "n"):
      reader.null()
      self = .null
    case let byte? where byte != UInt8(ascii: "-") && byte &- UInt8(ascii: "0") > 9:
      reader.refuse("expected a value or a digit")
      return nil
    default:
      guard let number = reader.number() else { return nil }
      self = .number(number)
    }
  }
}

extension ProfileFault {
  fileprivate init(_ fault: JSONFault, in bytes: UnsafeBufferPointer<UInt8>) {
    let before = bytes[..<fault.offset]
    let line = before.reduce(1) { $1 == 0x0A ? $0 + 1 : $0 }
    let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    self = .notJSON(line: line, column: fault.offset - start + 1, reason: fault.reason)
  }
}

/// The named values of a JSON object, in the order in which they were written.
public struct JSONObject: Equatable, Sendable {
  /// A name and its value.
  public struct Member: Equatable, Sendable {
    /// The name.
    public var key: String
    /// The value.
    public var value: JSONValue

    /// Makes a member.
    public init(key: String, value: JSONValue) { (self.key, self.value) = (key, value) }
  }

  /// All members.
  public private(set) var members: [Member] = []
  /// The places of the members by their names: an object of a file may have a hundred thousand.
  private var indices: [String: Int] = [:]

  /// Makes an object without members.
  public init() {}

  /// The value of a name; setting nil removes it, a new name goes to the end.
  public subscript(key: String) -> JSONValue? {
    get { indices[key].map { members[$0].value } }
    set {
      switch (indices[key], newValue) {
      case (let index?, let value?): members[index].value = value
      case (let index?, nil):
        members.remove(at: index)
        indices[key] = nil
        for later in index..<members.count { indices[members[later].key] = later }
      case (nil, let value?):
        indices[key] = members.count
        members.append(Member(key: key, value: value))
      case (nil, nil): break
      }
    }
  }

  /// Equal for the same names and values in any order.
  public static func == (a: Self, b: Self) -> Bool {
    a.members.count == b.members.count && a.members.allSatisfy { b[$0.key] == $0.value }
  }
}
