/// Splits received bytes into lines. It stores at most one line of the greatest length.
public struct LineBuffer: Sendable {
  private let limit: Int
  private var bytes: [UInt8] = []
  private var start = 0
  private var searched = 0

  /// Makes a buffer for lines of at most `limit` bytes.
  public init(limit: Int) { self.limit = limit }

  /// A line is longer than the limit.
  public struct Overflow: Error, Equatable, Sendable {
    /// The limit, bytes.
    public var limit: Int

    /// Makes one with the limit, bytes.
    package init(limit: Int) { self.limit = limit }
  }

  /// The number of stored bytes.
  public var count: Int { bytes.count - start }

  /// Whether a complete line is stored.
  public mutating func hasLine() -> Bool { newline() != nil }

  /// Appends bytes.
  public mutating func append(_ more: UnsafeRawBufferPointer) {
    if start > 0 {
      bytes.removeFirst(start)
      searched -= start
      start = 0
    }
    bytes.append(contentsOf: more)
  }

  /// The next line without its end; nil without a complete line. Empty lines are skipped.
  /// - Throws: `Overflow` if a line, complete or not, is longer than the limit.
  public mutating func next() throws(Overflow) -> ArraySlice<UInt8>? {
    while let end = newline() {
      let line = bytes[start..<end]
      start = end + 1
      searched = start
      guard line.count <= limit else { throw Overflow(limit: limit) }
      if !line.isEmpty { return line }
    }
    guard count <= limit else { throw Overflow(limit: limit) }
    return nil
  }

  private mutating func newline() -> Int? {
    let found = bytes[searched...].firstIndex(of: UInt8(ascii: "\n"))
    searched = found ?? bytes.count
    return found
  }
}
