import Formats
import Foundation
import Recording
import TestSupport
import Testing

/// Bags that Python's module sqlite3 writes: what a recorder of ROS 2 never makes.
@Suite(
  "A hostile bag", .enabled(if: BuiltProgram.installed("python3") != nil, "no python3"),
  .timeLimit(.minutes(30)))
struct HostileBagTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let topics =
    "CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT, type TEXT, serialization_format TEXT);"
  private static let imu = "INSERT INTO topics VALUES (1, '/imu', 'sensor_msgs/msg/Imu', 'cdr');"
  private static let messages =
    "CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER, timestamp INTEGER, data BLOB);"
  private static let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"

  /// Why the rows of a bag cannot be read; nil where they can.
  private func fault(_ sql: String) throws -> String? {
    let path = folder.path + "/a.db3"
    let python = try #require(BuiltProgram.installed("python3"))
    let script = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(sys.argv[2])"
    let written = try python.run(["-c", script, path, sql])
    #expect(written.status == 0, "\(written.errors)")
    do throws(RecordingError) {
      var recording = try OpenedRecording(path: path)
      while try recording.next() != nil {}
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test("whose tables are views without an end is refused")
  func views() throws {
    let rows = "SELECT i AS id, 1 AS topic_id, i AS timestamp, zeroblob(99) AS data FROM n"
    let messages = try fault(
      Self.topics + Self.imu + "CREATE VIEW messages AS \(Self.endless) \(rows)")
    #expect(messages?.contains("expected a table 'messages'") == true, "\(messages ?? "read")")
  }

  @Test("whose topics are a view without an end is refused")
  func topicView() throws {
    let rows =
      "SELECT i AS id, '/' || i AS name, 'x' AS type, 'cdr' AS serialization_format FROM n"
    let topics = try fault(Self.messages + "CREATE VIEW topics AS \(Self.endless) \(rows)")
    #expect(topics?.contains("expected a table 'topics'") == true, "\(topics ?? "read")")
  }

  @Test("with a computed column is refused")
  func computed() throws {
    let found = try fault(
      Self.topics + Self.imu
        + "CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER, timestamp INTEGER, "
        + "data BLOB AS (zeroblob(500000000)));"
        + "INSERT INTO messages(topic_id, timestamp) VALUES (1, 1);")
    #expect(found?.contains("expected a table 'messages'") == true, "\(found ?? "read")")
  }

  @Test("with a message of 300 MB is refused without reading it")
  func large() throws {
    let found = try fault(
      Self.topics + Self.imu + Self.messages
        + "INSERT INTO messages VALUES (1, 1, 1, zeroblob(300000000));")
    #expect(found?.contains("has 300000000 bytes") == true, "\(found ?? "read")")
  }

  @Test("with a text of 5 MB behind a zero as a message, and as a topic's name, is not read")
  func zeroText() throws {
    let long = "CAST(x'00' || zeroblob(5000000) AS TEXT)"
    let message = try fault(
      Self.topics + Self.imu + Self.messages + "INSERT INTO messages VALUES (1, 1, 1, \(long));")
    #expect(message?.contains("is no blob") == true, "\(message ?? "read")")
    try FileManager.default.removeItem(atPath: folder.path + "/a.db3")
    let topic = try fault(
      Self.topics + "INSERT INTO topics VALUES (1, \(long), 'sensor_msgs/msg/Imu', 'cdr');"
        + Self.messages + "INSERT INTO messages VALUES (1, 1, 1, zeroblob(9));")
    #expect(topic == nil, "\(topic ?? "")")
  }

  @Test("with line ends in a topic's name has notes of one line")
  func names() throws {
    let path = folder.path + "/a.db3"
    let found = try fault(
      Self.topics + "INSERT INTO topics VALUES (1, '/a' || char(10) || 'b', 'x/msg/Y', 'cdr');"
        + Self.messages)
    #expect(found == nil)
    let notes = try OpenedRecording(path: path).notes
    #expect(notes?.contains("/a b") == true || notes?.contains("no topic") == true)
    #expect(notes?.contains("\n") == false, "\(notes ?? "")")
  }
}
