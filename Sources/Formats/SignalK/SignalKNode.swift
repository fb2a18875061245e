import Quantities

/// A part of the Signal K data model: an object, or a value.
public indirect enum SignalKNode: Equatable, Sendable {
  /// One property of an object.
  public struct Member: Equatable, Sendable {
    var key: String
    var node: SignalKNode
  }

  /// An object; its properties are in the order of their addition.
  case object([Member])
  /// A number with fixed decimals.
  case number(Double, decimals: Int)
  /// A text.
  case text(String)
  /// A list of texts.
  case texts([String])
  /// A value that is not valid now.
  case null

  /// An object without properties.
  public static var empty: SignalKNode { .object([]) }

  /// A number; nil where it is nil or not finite.
  static func number(_ value: Double?, _ decimals: Int) -> SignalKNode? {
    guard let value, value.isFinite, abs(value) < 1e9 else { return nil }
    return .number(value, decimals: decimals)
  }

  /// A time with milliseconds.
  static func time(_ utc: UTCTime) -> SignalKNode {
    .text(utc.rounded(toNanoseconds: 1_000_000).text(decimals: 3))
  }

  /// Sets a property at the end of keys, and makes the objects on the way; nothing where the node
  /// is nil.
  mutating func set(_ keys: [String], _ node: SignalKNode?) {
    guard let node, let key = keys.first, case .object(var members) = self else { return }
    let index = members.firstIndex { $0.key == key }
    var child = index.map { members[$0].node } ?? .empty
    if keys.count == 1 { child = node } else { child.set(Array(keys.dropFirst()), node) }
    if let index {
      members[index].node = child
    } else {
      members.append(Member(key: key, node: child))
    }
    self = .object(members)
  }

  /// The node at the end of keys; nil where there is none.
  public func node<Keys: Sequence>(at keys: Keys) -> SignalKNode?
  where Keys.Element: StringProtocol {
    var node = self
    for key in keys {
      guard case .object(let members) = node,
        let member = members.first(where: { $0.key == key })
      else { return nil }
      node = member.node
    }
    return node
  }

  /// The node as JSON.
  public var json: [UInt8] {
    var text: [UInt8] = []
    append(to: &text)
    return text
  }

  func append(to text: inout [UInt8]) {
    switch self {
    case .object(let members):
      text.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        text.append(quoted: member.key)
        text.append(UInt8(ascii: ":"))
        member.node.append(to: &text)
      }
      text.append(UInt8(ascii: "}"))
    case .number(let value, let decimals): text.append(value, decimals: decimals)
    case .text(let value): text.append(quoted: value)
    case .texts(let values):
      text.append(UInt8(ascii: "["))
      for (index, value) in values.enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        text.append(quoted: value)
      }
      text.append(UInt8(ascii: "]"))
    case .null: text.append(ascii: "null")
    }
  }
}
