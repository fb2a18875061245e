import CDatabase
import CGazetteer

/// An SQLite database opened for reading. Only one thread at a time may use it and its statements.
final class GazetteerDatabase {
  /// The file name of the library on Linux.
  static let usualLibrary = "libsqlite3.so.0"

  let source: GazetteerSource
  fileprivate let handle: OpaquePointer

  init(_ source: GazetteerSource, library: String) throws(GazetteerError) {
    self.source = source
    var opened: OpaquePointer?
    var result = LODESTAR_DATABASE_FAILED
    let reason = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { reason in
      reason.initialize(repeating: 0)
      guard let start = reason.baseAddress else { return "" }
      switch source {
      case .builtIn:
        result = lodestar_database_open(
          library, nil, lodestar_gazetteer_bytes(), lodestar_gazetteer_size(), &opened, start,
          reason.count)
      case .file(let path):
        result = lodestar_database_open(library, path, nil, 0, &opened, start, reason.count)
      }
      return String(cString: start)
    }
    guard let opened else {
      throw result == LODESTAR_DATABASE_NO_LIBRARY
        ? .noLibrary(name: library, reason: reason) : Self.error(result, source, reason)
    }
    handle = opened
  }

  deinit { lodestar_database_close(handle) }

  func prepare(_ sql: String) throws(GazetteerError) -> GazetteerStatement {
    var statement: OpaquePointer?
    let result = lodestar_statement_prepare(handle, sql, &statement)
    guard let statement else { throw error(result) }
    return GazetteerStatement(statement, of: self)
  }

  /// The error of SQLite's last failure.
  func error(_ result: lodestar_database_result) -> GazetteerError {
    Self.error(result, source, String(cString: lodestar_database_reason(handle)))
  }

  /// The error for invalid data in the file.
  func damage(_ reason: String) -> GazetteerError { .damaged(source: source, reason: reason) }

  private static func error(
    _ result: lodestar_database_result, _ source: GazetteerSource, _ reason: String
  ) -> GazetteerError {
    switch result {
    case LODESTAR_DATABASE_DAMAGED: .damaged(source: source, reason: reason)
    case LODESTAR_DATABASE_UNREADABLE: .unreadable(source: source, reason: reason)
    // An SQLite file without the tables fails when its first statement is prepared.
    case LODESTAR_DATABASE_FAILED where reason.hasPrefix("no such"):
      .damaged(source: source, reason: reason)
    default: .failed(source: source, reason: reason)
    }
  }
}

/// A statement and its current row.
final class GazetteerStatement {
  /// A parameter's value.
  enum Value {
    case integer(Int)
    case text(String)
  }

  private let handle: OpaquePointer
  // Retains the database while the statement exists.
  private let database: GazetteerDatabase

  fileprivate init(_ handle: OpaquePointer, of database: GazetteerDatabase) {
    (self.handle, self.database) = (handle, database)
  }

  deinit { lodestar_statement_finish(handle) }

  /// Runs the statement and calls `body` on every row.
  func forEachRow(
    _ values: [Value] = [], _ body: () throws(GazetteerError) -> Void
  ) throws(GazetteerError) {
    lodestar_statement_reset(handle)
    defer { lodestar_statement_reset(handle) }
    for (number, value) in values.enumerated() {
      let parameter = Int32(number + 1)
      let result =
        switch value {
        case .integer(let integer):
          lodestar_statement_bind_integer(handle, parameter, Int64(integer))
        case .text(let text):
          lodestar_statement_bind_text(handle, parameter, text, Int32(text.utf8.count))
        }
      guard result == LODESTAR_DATABASE_OK else { throw database.error(result) }
    }
    while true {
      var isRow = false
      let result = lodestar_statement_step(handle, &isRow)
      guard result == LODESTAR_DATABASE_OK else { throw database.error(result) }
      guard isRow else { return }
      try body()
    }
  }

  func integer(_ column: Int32) -> Int { Int(lodestar_statement_integer(handle, column)) }

  func optionalInteger(_ column: Int32) -> Int? {
    lodestar_statement_is_null(handle, column) ? nil : integer(column)
  }

  /// A column of text; empty if it is null.
  func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }

  func optionalText(_ column: Int32) -> String? {
    lodestar_statement_is_null(handle, column) ? nil : text(column)
  }

  /// The bytes of a column, copied.
  func bytes(_ column: Int32) -> [UInt8] {
    var count = 0
    guard let start = lodestar_statement_bytes(handle, column, &count) else { return [] }
    return Array(UnsafeBufferPointer(start: start, count: count))
  }
}
