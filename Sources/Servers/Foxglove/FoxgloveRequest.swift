import FoundationEssentials
import JSON

/// A message of a client of Foxglove's WebSocket protocol.
enum FoxgloveRequest: Equatable {
  /// The number of each subscription with its channel.
  case subscribe([Subscription])
  case unsubscribe([UInt32])
  /// An operation that is not served.
  case other(String)
  case unreadable

  struct Subscription: Equatable, Decodable {
    let id: UInt32
    let channelId: Int
  }

  private struct Content: Decodable {
    let op: String
    let subscriptions: [Subscription]?
    let subscriptionIds: [UInt32]?
  }

  init(_ text: [UInt8]) {
    do {
      try JSONText.check(text)
      let content = try JSONDecoder().decode(Content.self, from: Data(text))
      switch (content.op, content.subscriptions, content.subscriptionIds) {
      case ("subscribe", let list?, _): self = .subscribe(list)
      case ("unsubscribe", _, let list?): self = .unsubscribe(list)
      default: self = .other(String(content.op.prefix(40)))
      }
    } catch { self = .unreadable }
  }
}
