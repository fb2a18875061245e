import Quantities

/// Limits the notices that the data of another program cause, so that no such program fills the
/// log.
struct NoticeLimit {
  /// The most notices in an interval: several times the number that a restart of the other program
  /// causes.
  static let most = 10
  /// The interval, seconds.
  static let interval = 60.0

  private var begin: Timestamp?
  private var count = 0

  /// The notice to give; nil beyond the limit. The first notice of an interval states how many were
  /// dropped in the interval before.
  mutating func limit(_ text: String, at now: Timestamp) -> String? {
    guard let begin, now.seconds(since: begin) < Self.interval else {
      defer { (begin, count) = (now, 1) }
      return count > Self.most ? "\(text) (\(count - Self.most) others before)" : text
    }
    count += 1
    return count <= Self.most ? text : nil
  }
}
