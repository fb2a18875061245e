import Quantities

/// A request for values of the model as they change.
/// - Source: Signal K specification 1.7.0, "Subscription Protocol".
public struct SignalKSubscription: Equatable, Sendable {
  /// When values are sent.
  public enum Policy: String, Sendable {
    /// Each measurement, but at most one in the least period.
    case instant
    /// As `instant`, and the last value again where a period passes without a measurement.
    case ideal
    /// The last value each period.
    case fixed
  }

  /// The default periods, and the allowed ones, milliseconds.
  private static let (usualPeriod, usualLeastPeriod) = (1000.0, 200.0)
  private static let allowed = 50.0...86_400_000

  let pattern: String
  let policy: Policy
  /// Seconds.
  let period: Double
  /// Seconds.
  let leastPeriod: Double

  /// Makes a subscription.
  /// - Parameters:
  ///   - pattern: The path, in which `*` stands for any text.
  ///   - policy: When values are sent.
  ///   - periodMilliseconds: The period, nil for 1000; it is limited to 50 and more.
  ///   - leastPeriodMilliseconds: The least period, nil for 200; it is limited as well.
  public init(
    pattern: String, policy: Policy, periodMilliseconds: Double? = nil,
    leastPeriodMilliseconds: Double? = nil
  ) {
    func seconds(_ milliseconds: Double) -> Double {
      min(max(milliseconds, Self.allowed.lowerBound), Self.allowed.upperBound) / 1000
    }
    (self.pattern, self.policy) = (pattern, policy)
    period = seconds(periodMilliseconds ?? Self.usualPeriod)
    leastPeriod = seconds(leastPeriodMilliseconds ?? Self.usualLeastPeriod)
  }

  /// The subscription of a stream without messages of the client: all values, at most ten times a
  /// second.
  public static var all: SignalKSubscription {
    SignalKSubscription(pattern: "*", policy: .instant, leastPeriodMilliseconds: 100)
  }
}

/// The subscriptions of one client, and what it has received.
public struct SignalKSubscriptions: Sendable {
  /// Limit of the subscriptions.
  public static let most = 64
  /// The tolerance of the due time, seconds: half the interval of the estimates that are looked at.
  private static let slack = 0.025

  private struct One: Sendable {
    var subscription: SignalKSubscription
    var paths: [SignalKPath]
    var sent: [SignalKPath: (number: UInt64, at: Timestamp)] = [:]
  }

  private var all: [One] = []

  /// Makes a list without subscriptions.
  public init() {}

  /// True without a subscription.
  public var isEmpty: Bool { all.isEmpty }

  /// Adds a subscription; one with the same pattern is replaced.
  /// - Returns: False beyond the limit.
  public mutating func add(_ subscription: SignalKSubscription) -> Bool {
    all.removeAll { $0.subscription.pattern == subscription.pattern }
    guard all.count < Self.most else { return false }
    let paths = SignalKPath.allCases.filter {
      SignalKSubscription.matches($0.rawValue, subscription.pattern)
    }
    all.append(One(subscription: subscription, paths: paths))
    return true
  }

  /// Ends the subscriptions whose pattern is covered by another one.
  public mutating func end(_ pattern: String) {
    all.removeAll { SignalKSubscription.matches($0.subscription.pattern, pattern) }
  }

  /// The values that are due, in the order of the model; they count as sent.
  public mutating func due(_ model: SignalKModel, at now: Timestamp) -> [SignalKPath] {
    var due: Set<SignalKPath> = []
    for index in all.indices {
      for path in all[index].paths {
        guard let entry = model[path] else { continue }
        if let last = all[index].sent[path],
          !Self.isDue(all[index].subscription, entry.number > last.number, since: last.at, now)
        {
          continue
        }
        all[index].sent[path] = (entry.number, now)
        due.insert(path)
      }
    }
    return due.isEmpty ? [] : SignalKPath.allCases.filter(due.contains)
  }

  private static func isDue(
    _ subscription: SignalKSubscription, _ isNew: Bool, since last: Timestamp, _ now: Timestamp
  ) -> Bool {
    let elapsed = now.seconds(since: last) + slack
    return switch subscription.policy {
    case .instant: isNew && elapsed >= subscription.leastPeriod
    case .ideal: isNew && elapsed >= subscription.leastPeriod || elapsed >= subscription.period
    case .fixed: elapsed >= subscription.period
    }
  }
}

extension SignalKSubscription {
  /// Whether a text has the form of a pattern, in which `*` stands for any text, also for none. The
  /// time is at most the product of both lengths.
  public static func matches(_ text: String, _ pattern: String) -> Bool {
    let (text, pattern) = (Array(text.utf8), Array(pattern.utf8))
    var (at, of) = (0, 0)
    // The last star, and the place in the text from which it is tried again with one more
    // character.
    var retry: (star: Int, at: Int)?
    while at < text.count {
      if of < pattern.count, pattern[of] == UInt8(ascii: "*") {
        retry = (of, at)
        of += 1
      } else if of < pattern.count, pattern[of] == text[at] {
        (at, of) = (at + 1, of + 1)
      } else if let last = retry {
        retry = (last.star, last.at + 1)
        (at, of) = (last.at + 1, last.star + 1)
      } else {
        return false
      }
    }
    return pattern[of...].allSatisfy { $0 == UInt8(ascii: "*") }
  }
}
