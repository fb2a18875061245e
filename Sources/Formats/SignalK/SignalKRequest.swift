import JSON
import Quantities

/// A message of a client of the stream.
/// - Source: Signal K specification 1.7.0, "Subscription Protocol" and "Request/Response".
public struct SignalKRequest: Equatable, Sendable {
  /// The pattern of the vessels.
  public private(set) var context = "vessels.self"
  /// The client's name of the request; nil without one.
  public private(set) var identifier: String?
  /// The requested subscriptions.
  public private(set) var subscriptions: [SignalKSubscription] = []
  /// The patterns whose subscriptions end.
  public private(set) var ended: [String] = []
  /// True for a request to change a value or to log in.
  public private(set) var isOther = false
  /// True for a subscription in another format than deltas.
  public private(set) var isOfOtherFormat = false

  /// Limit of the entries of one message, of a pattern and of a name, bytes.
  private static let (mostEntries, longestText) = (64, 256)

  /// Reads a message.
  /// - Returns: nil for a text that is no JSON object.
  public init?(_ text: [UInt8]) {
    let isRead = text.withUnsafeBufferPointer { bytes in
      var json = JSONReader(bytes, isLenient: true)
      guard json.beginObject() else { return false }
      while let key = json.nextKey() {
        if key.is("context") {
          context = Self.text(&json) ?? ""
        } else if key.is("requestId") {
          identifier = Self.text(&json)
        } else if key.is("subscribe") {
          subscriptions += readEntries(&json)
        } else if key.is("unsubscribe") {
          ended += readEntries(&json).map(\.pattern)
        } else {
          if ["put", "updates", "login", "logout", "validate"].contains(where: { key.is($0) }) {
            isOther = true
          }
          json.skip()
        }
      }
      json.expectEnd()
      return !json.isBroken
    }
    guard isRead else { return nil }
  }

  private static func text(_ json: inout JSONReader) -> String? {
    json.string().flatMap { $0.utf8.count <= longestText ? $0 : nil }
  }

  private mutating func readEntries(_ json: inout JSONReader) -> [SignalKSubscription] {
    var entries: [SignalKSubscription] = []
    guard json.beginArray() else { return entries }
    var count = 0
    while json.nextElement() {
      count += 1
      guard json.peek() == UInt8(ascii: "{"), count <= Self.mostEntries else {
        json.skip()
        continue
      }
      var (pattern, policy, isDelta) = (String?.none, SignalKSubscription.Policy.ideal, true)
      var (period, leastPeriod) = (Double?.none, Double?.none)
      guard json.beginObject() else { break }
      while let key = json.nextKey() {
        if key.is("path") {
          pattern = Self.text(&json)
        } else if key.is("period") {
          period = json.number()
        } else if key.is("minPeriod") {
          leastPeriod = json.number()
        } else if key.is("policy") {
          policy = json.string().flatMap { .init(rawValue: $0) } ?? .ideal
        } else if key.is("format") {
          isDelta = json.string() == "delta"
        } else {
          json.skip()
        }
      }
      guard isDelta else {
        isOfOtherFormat = true
        continue
      }
      guard let pattern else { continue }
      entries.append(
        SignalKSubscription(
          pattern: pattern, policy: policy, periodMilliseconds: period,
          leastPeriodMilliseconds: leastPeriod))
    }
    return entries
  }
}
