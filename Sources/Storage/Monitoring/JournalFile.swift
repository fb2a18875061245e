import FoundationEssentials
import Glibc
import JSON
import LinuxIO
import Monitoring
import Quantities

/// One file of a journal: its head line and its checked but not yet decoded content.
struct JournalFile {
  struct Damage: Error {
    let reason: String
    /// The version of a newer program's file.
    var newerVersion: Int?
  }

  /// No journal reaches it; a greater number would leave none for the next states. The checksum
  /// does not include the head line.
  private static let lastGeneration: UInt64 = 1 << 53

  let generation: UInt64
  private let content: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) throws(Damage) {
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")), end < 200 else {
      throw Damage(reason: "no head line; expected '\(MonitoringJournal.mark) 1 …'")
    }
    let words = String(decoding: bytes[..<end], as: UTF8.self).split(separator: " ")
    guard words.count > 1, words[0] == MonitoringJournal.mark, let version = Int(words[1]) else {
      throw Damage(reason: "invalid head line")
    }
    guard version <= MonitoringJournal.version else {
      throw Damage(
        reason: StateVersion.reason(version, known: MonitoringJournal.version),
        newerVersion: version)
    }
    guard version == MonitoringJournal.version else {
      throw Damage(
        reason: "format version \(version); this program reads \(MonitoringJournal.version)")
    }
    // A newer version may have other words.
    guard words.count == 5, let generation = UInt64(words[2]), generation <= Self.lastGeneration,
      let length = Int(words[4])
    else { throw Damage(reason: "invalid head line") }
    content = bytes[(end + 1)...]
    guard content.count == length else {
      throw Damage(reason: "\(content.count) bytes; expected \(length)")
    }
    guard CRC32C.text(content) == words[3] else { throw Damage(reason: "wrong checksum") }
    self.generation = generation
  }

  func monitor() throws(Damage) -> ApplicationMonitor {
    do {
      try JSONText.check(content)
      return try JSONDecoder().decode(ApplicationMonitor.self, from: Data(content))
    } catch {
      throw Damage(reason: "the content cannot be decoded: \(error)")
    }
  }

  static func bytes(
    of monitor: ApplicationMonitor, generation: UInt64, path: String
  ) throws(FileFault) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let content: [UInt8]
    do {
      content = Array(try encoder.encode(monitor))
    } catch {
      // Only non-finite numbers cannot be encoded, and the inputs reject those.
      throw FileFault(action: "write a state that is no JSON to", path: path, code: EINVAL)
    }
    let head =
      "\(MonitoringJournal.mark) \(MonitoringJournal.version) \(generation) "
      + "\(CRC32C.text(content)) \(content.count)\n"
    return Array(head.utf8) + content
  }
}
