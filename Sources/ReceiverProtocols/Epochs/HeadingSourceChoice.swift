import Quantities

/// Selects one of several sources of headings that state no accuracy: of a gpsd daemon's devices,
/// of a Signal K server's sources. It may be another one than that of the positions.
struct HeadingSourceChoice: Sendable {
  /// The selected source.
  private(set) var current: Int?
  /// Its newest heading.
  private var newest = Timestamp(nanoseconds: 0)

  /// A source without a heading for longer than this is replaced, s.
  private static let silenceTimeout = 5.0

  /// True where a source's heading is used: the selected one's, or another's once that one was
  /// silent for five seconds.
  mutating func uses(_ index: Int, at now: Timestamp) -> Bool {
    let isSilent = now.seconds(since: newest) > Self.silenceTimeout
    guard current == nil || current == index || isSilent else { return false }
    (current, newest) = (index, now)
    return true
  }

  /// Ends the selection of a source that was removed or closed.
  mutating func remove(_ index: Int) {
    if current == index { current = nil }
  }
}
