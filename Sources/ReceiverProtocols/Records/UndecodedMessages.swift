/// How often each type of message came that is not decoded. After 64 types, further ones are counted
/// together, so that no stream makes it grow.
public struct UndecodedMessages: Equatable, Sendable {
  /// A type and the number of its messages.
  public struct Entry: Equatable, Sendable {
    /// The type.
    public let kind: MessageKind
    /// The number of messages.
    public internal(set) var count: Int64
  }

  /// Largest number of types that are counted apart.
  public static let capacity = 64
  /// The types in the order in which they came first.
  public private(set) var entries: [Entry] = []
  /// The number of messages of further types.
  public private(set) var others: Int64 = 0

  /// Makes a count of no messages.
  public init() {}

  /// The number of all messages.
  public var count: Int64 {
    var count = others
    for entry in entries { count += entry.count }
    return count
  }

  /// The number of messages by the type's name, further types as `others`; nil without messages.
  package var table: [String: Int64]? {
    guard count > 0 else { return nil }
    var table: [String: Int64] = [:]
    for entry in entries { table["\(entry.kind)"] = entry.count }
    if others > 0 { table["others"] = others }
    return table
  }

  mutating func add(_ kind: MessageKind) {
    for index in entries.indices where entries[index].kind == kind {
      entries[index].count += 1
      return
    }
    if entries.count < Self.capacity {
      entries.append(Entry(kind: kind, count: 1))
    } else {
      others += 1
    }
  }
}

extension UndecodedMessages: CustomStringConvertible {
  /// The types with the number of each, the most frequent first: `UBX-RXM-RAWX 12, GNDTM 3`. Types
  /// after the first 16 are joined to a number. Empty without messages.
  public var description: String {
    let most = 16
    var sorted = entries
    // In the order of their first message where they are equally frequent.
    sorted.sort { $0.count > $1.count }
    var words: [String] = []
    var rest = others
    for (index, entry) in sorted.enumerated() {
      if index < most { words.append("\(entry.kind) \(entry.count)") } else { rest += entry.count }
    }
    if rest > 0 { words.append("others \(rest)") }
    return words.joined(separator: ", ")
  }
}
