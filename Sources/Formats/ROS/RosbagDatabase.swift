import CDatabase

/// The messages of a bag of ROS 2 in an SQLite file (.db3), in order of time.
/// - Source: rosbag2, rosbag2_storage_sqlite3: tables `topics` and `messages`, the time in
///   nanoseconds.
package final class RosbagDatabase: MessageSource {
  /// SQLite's library, of Debian's package libsqlite3-0.
  private static let library = "libsqlite3.so.0"
  /// Greatest size of a message that is read, and of a compressed file, bytes. The types that are
  /// read have some hundred bytes.
  private static let (largestMessage, largestFile) = (1 << 20, 1 << 28)
  /// Limit of the steps of SQLite's virtual machine. A row takes some twenty, and has more bytes.
  private static let (leastSteps, stepsPerByte) = (UInt64(10_000_000), UInt64(4))
  /// Greatest number of topics, and of bytes of a topic's name and type.
  private static let (mostTopics, longestName) = (10_000, 4096)

  private let path: String
  private let database: OpaquePointer
  private var rows: OpaquePointer?
  private var topics: [Int64: (name: String, type: String, encoding: String)] = [:]
  private let isEachCompressed: Bool
  private var (first, last, newest) = (Int64(0), Int64(0), Int64(0))
  /// The file's content, where it was compressed: SQLite reads it in place.
  private let content: UnsafeMutableBufferPointer<UInt8>?

  /// Opens a file.
  /// - Parameters:
  ///   - path: A `.db3`, or a `.db3.zstd` that is compressed as a whole.
  ///   - isEachCompressed: Whether each message is compressed with zstd by itself.
  ///   - types: The types whose messages are wanted.
  /// - Throws: `RecordingError` where it is no bag, or a library is missing.
  package init(
    path: String, isEachCompressed: Bool = false, types: Set<String>
  ) throws(RecordingError) {
    (self.path, self.isEachCompressed) = (path, isEachCompressed)
    // SQLite opens the file by its name, which it cannot do for a pipe.
    guard !ByteReader.isReadOnce(path: path) else {
      throw .unreadable(
        path: path, reason: "a bag is read from a file, not from a pipe; store it first")
    }
    // Throws the system's reason if the file cannot be read at all.
    let bytes = try ByteReader(path: path)
    let isCompressed = path.hasSuffix(".zstd") || path.hasSuffix(".zst")
    content = isCompressed ? try Self.content(of: bytes) : nil
    var opened: OpaquePointer?
    var result = LODESTAR_DATABASE_FAILED
    let content = content
    let reason = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { reason in
      reason.initialize(repeating: 0)
      guard let start = reason.baseAddress else { return "" }
      result = lodestar_database_open(
        Self.library, isCompressed ? nil : path, content?.baseAddress, content?.count ?? 0,
        &opened, start, reason.count)
      return String(cString: start)
    }
    guard let opened else {
      content?.deallocate()
      throw result == LODESTAR_DATABASE_NO_LIBRARY
        ? .unreadable(
          path: path,
          reason: "SQLite is missing (sudo apt install libsqlite3-0): \(reason)")
        : .damaged(path: path, offset: 0, reason: reason)
    }
    database = opened
    let size = UInt64(content?.count ?? bytes.size ?? 0)
    lodestar_database_limit(database, Self.leastSteps + size * Self.stepsPerByte)
    try checkTables()
    try readTopics()
    let wanted = topics.filter { types.contains($0.value.type) }.keys.sorted()
    let condition = "WHERE topic_id IN (\(wanted.map(String.init).joined(separator: ",")))"
    try readRange()
    rows = try prepare(
      // The length of a text ends at its first zero: only blobs are read.
      "SELECT topic_id, timestamp, CASE WHEN typeof(data) = 'blob' AND "
        + "length(data) <= \(Self.largestMessage) THEN data END, length(data), typeof(data) = 'blob' "
        + "FROM messages \(condition) ORDER BY timestamp, id")
  }

  deinit {
    lodestar_statement_finish(rows)
    lodestar_database_close(database)
    content?.deallocate()
  }

  package var isCut: Bool { false }

  package var fractionRead: Double? {
    guard last > first else { return nil }
    // The times of a damaged file may be anything.
    let (begin, end) = (Double(first), Double(last))
    return min(1, max(0, (Double(newest) - begin) / (end - begin)))
  }

  package func next() throws(RecordingError) -> RecordedMessage? {
    guard let rows else { return nil }
    guard try step(rows) else { return nil }
    let topic = lodestar_statement_integer(rows, 0)
    newest = lodestar_statement_integer(rows, 1)
    guard let (name, type, encoding) = topics[topic] else { return nil }
    guard lodestar_statement_integer(rows, 4) == 1 else {
      throw damage("a message of \(String(printable: name)) is no blob")
    }
    let size = lodestar_statement_integer(rows, 3)
    guard size <= Self.largestMessage else {
      throw damage(
        "a message of \(String(printable: name)) has \(size) bytes; expected at most \(Self.largestMessage)"
      )
    }
    var data = Self.bytes(rows, 2)[...]
    if isEachCompressed {
      do throws(CompressionFault) {
        data = try CompressionFault.frame(data, limit: Self.largestMessage)[...]
      } catch {
        throw damage("a message of \(String(printable: name)) cannot be read: \(error)")
      }
    }
    return RecordedMessage(
      topic: name, type: type, encoding: encoding, time: UInt64(max(0, newest)), data: data)
  }

  // MARK: Tables

  /// Accepts stored tables only: a view or a computed column may give values without an end.
  private func checkTables() throws(RecordingError) {
    for (table, columns) in [
      ("topics", ["id", "name", "type", "serialization_format"]),
      ("messages", ["id", "topic_id", "timestamp", "data"]),
    ] {
      let names = columns.map { "'\($0)'" }.joined(separator: ",")
      let rows = try prepare(
        "SELECT (SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = '\(table)' "
          + "AND rootpage > 0), (SELECT count(*) FROM pragma_table_xinfo('\(table)') "
          + "WHERE hidden = 0 AND name IN (\(names)))")
      defer { lodestar_statement_finish(rows) }
      guard try step(rows), lodestar_statement_integer(rows, 0) == 1,
        lodestar_statement_integer(rows, 1) == columns.count
      else {
        throw damage(
          "it is no bag of ROS 2: expected a table '\(table)' with \(columns.joined(separator: ", "))"
        )
      }
    }
  }

  private func readTopics() throws(RecordingError) {
    let rows = try prepare(
      "SELECT id, name, type, serialization_format FROM topics WHERE "
        + "max(length(CAST(name AS BLOB)), length(CAST(type AS BLOB)), "
        + "length(CAST(serialization_format AS BLOB))) <= \(Self.longestName)")
    defer { lodestar_statement_finish(rows) }
    while try step(rows) {
      guard topics.count < Self.mostTopics else {
        throw damage("it has more than \(Self.mostTopics) topics")
      }
      topics[lodestar_statement_integer(rows, 0)] = (
        Self.text(rows, 1), Self.text(rows, 2), Self.text(rows, 3)
      )
    }
  }

  private func readRange() throws(RecordingError) {
    let rows = try prepare("SELECT min(timestamp), max(timestamp) FROM messages")
    defer { lodestar_statement_finish(rows) }
    guard try step(rows) else { return }
    (first, last) = (lodestar_statement_integer(rows, 0), lodestar_statement_integer(rows, 1))
  }

  private func prepare(_ sql: String) throws(RecordingError) -> OpaquePointer {
    var statement: OpaquePointer?
    _ = lodestar_statement_prepare(database, sql, &statement)
    guard let statement else {
      throw damage("it is no bag of ROS 2: \(String(cString: lodestar_database_reason(database)))")
    }
    return statement
  }

  private func step(_ rows: OpaquePointer) throws(RecordingError) -> Bool {
    var isRow = false
    guard lodestar_statement_step(rows, &isRow) == LODESTAR_DATABASE_OK else {
      throw damage(
        lodestar_database_is_spent(database)
          ? "it has more rows than a file of its size can have"
          : String(cString: lodestar_database_reason(database)))
    }
    return isRow
  }

  private func damage(_ reason: String) -> RecordingError {
    .damaged(path: path, offset: 0, reason: reason)
  }

  private static func bytes(_ rows: OpaquePointer, _ column: Int32) -> [UInt8] {
    var count = 0
    guard let start = lodestar_statement_bytes(rows, column, &count) else { return [] }
    return Array(UnsafeBufferPointer(start: start, count: count))
  }

  private static func text(_ rows: OpaquePointer, _ column: Int32) -> String {
    String(decoding: bytes(rows, column), as: UTF8.self)
  }

  // MARK: A compressed file

  private static func content(
    of file: ByteReader
  ) throws(RecordingError) -> UnsafeMutableBufferPointer<UInt8> {
    var compressed: [UInt8] = []
    while true {
      let more = try file.next()
      if more.isEmpty { break }
      compressed += more
      guard compressed.count <= largestFile else {
        throw .unsupported(
          path: file.path,
          format:
            "of a compressed bag of more than \(largestFile >> 20) MB (decompress it with zstd -d)")
      }
    }
    do throws(CompressionFault) {
      let bytes = try CompressionFault.frame(compressed[...], limit: largestFile)
      let content = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
      _ = content.initialize(from: bytes)
      return content
    } catch {
      throw .damaged(path: file.path, offset: 0, reason: "\(error)")
    }
  }
}
