/// Splits a stream of bytes into lines without their line ends (LF or CR LF).
struct LineReader {
  private let reader: ByteReader
  private var chunk = ArraySlice<UInt8>()
  private var pending: [UInt8] = []
  private var isAtEnd = false
  /// The number of the last returned line, from 1.
  private(set) var number = 0
  /// False where the last returned line ended with the file instead of a line end.
  private(set) var wasTerminated = true

  init(_ reader: ByteReader) { self.reader = reader }

  /// The next line's bytes; nil at the end.
  mutating func next() throws(RecordingError) -> ArraySlice<UInt8>? {
    while true {
      if let end = chunk.firstIndex(of: UInt8(ascii: "\n")) {
        let head = chunk[chunk.startIndex..<end]
        chunk = chunk[(end + 1)...]
        number += 1
        wasTerminated = true
        if pending.isEmpty { return Self.trimmed(head) }
        pending.append(contentsOf: head)
        let line = pending
        pending.removeAll(keepingCapacity: true)
        return Self.trimmed(line[...])
      }
      pending.append(contentsOf: chunk)
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

  private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    line.last == UInt8(ascii: "\r") ? line.dropLast() : line
  }
}
