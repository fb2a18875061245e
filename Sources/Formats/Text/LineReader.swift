/// Splits a stream of bytes into lines without their line ends (LF or CR LF).
package struct LineReader {
  /// The limit of a line, bytes. A longer one is no line of a text file.
  package static let longestLine = 65_536

  private let reader: ByteReader
  private var chunk = ArraySlice<UInt8>()
  private var pending: [UInt8] = []
  private var isAtEnd = false
  /// The number of the last returned line, from 1.
  package private(set) var number = 0
  /// False where the last returned line ended with the file instead of a line end.
  private(set) var wasTerminated = true

  /// Reads the lines of a file from its present position.
  package init(_ reader: ByteReader) { self.reader = reader }

  /// The next line's bytes; nil at the end.
  /// - Throws: `RecordingError.malformed` for a line beyond the limit.
  package mutating func next() throws(RecordingError) -> ArraySlice<UInt8>? {
    while true {
      if let end = chunk.firstIndex(of: UInt8(ascii: "\n")) {
        let head = chunk[chunk.startIndex..<end]
        if !pending.isEmpty || head.count > Self.longestLine { try extend(by: head) }
        chunk = chunk[(end + 1)...]
        number += 1
        wasTerminated = true
        guard !pending.isEmpty else { return Self.trimmed(head) }
        let line = pending
        pending.removeAll(keepingCapacity: true)
        return Self.trimmed(line[...])
      }
      try extend(by: chunk)
      guard !isAtEnd else {
        chunk = []
        guard !pending.isEmpty else { return nil }
        let line = pending
        pending = []
        number += 1
        wasTerminated = false
        return Self.trimmed(line[...])
      }
      chunk = try reader.next()
      isAtEnd = chunk.isEmpty
    }
  }

  private mutating func extend(by part: ArraySlice<UInt8>) throws(RecordingError) {
    guard pending.count + part.count <= Self.longestLine else {
      throw .malformed(
        path: reader.path, line: number + 1, column: nil,
        found: "a line of more than \(Self.longestLine) bytes", expected: "lines of text")
    }
    pending.append(contentsOf: part)
  }

  private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    line.last == UInt8(ascii: "\r") ? line.dropLast() : line
  }
}
