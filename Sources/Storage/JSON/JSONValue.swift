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

  /// Makes an object without members.
  public init() {}

  /// The value of a name; setting nil removes it, a new name goes to the end.
  public subscript(key: String) -> JSONValue? {
    get { members.first { $0.key == key }?.value }
    set {
      let index = members.firstIndex { $0.key == key }
      switch (index, newValue) {
      case (let index?, let value?): members[index].value = value
      case (let index?, nil): members.remove(at: index)
      case (nil, let value?): members.append(Member(key: key, value: value))
      case (nil, nil): break
      }
    }
  }

  /// Equal for the same names and values in any order.
  public static func == (a: Self, b: Self) -> Bool {
    a.members.count == b.members.count && a.members.allSatisfy { b[$0.key] == $0.value }
  }
}
