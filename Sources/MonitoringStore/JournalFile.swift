import CalibrationStore
import Foundation
import Monitoring

/// One file of a journal: its head line and its content, looked at but not yet decoded.
struct JournalFile {
  struct Damage: Error { let reason: String }

  let generation: UInt64
  private let content: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) throws(Damage) {
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")), end < 200 else {
      throw Damage(reason: "it has no head line; expected '\(MonitoringJournal.mark) 1 …'")
    }
    let words = String(decoding: bytes[..<end], as: UTF8.self).split(separator: " ")
    guard words.count == 5, words[0] == MonitoringJournal.mark, let version = Int(words[1]),
      let generation = UInt64(words[2]), let length = Int(words[4])
    else { throw Damage(reason: "its head line is none of a journal") }
    guard version == MonitoringJournal.version else {
      throw Damage(
        reason: "version \(version) of another program; this one reads \(MonitoringJournal.version)"
      )
    }
    content = bytes[(end + 1)...]
    guard content.count == length else {
      throw Damage(reason: "\(content.count) bytes where \(length) were written")
    }
    guard CRC32C.text(content) == words[3] else { throw Damage(reason: "its checksum is wrong") }
    self.generation = generation
  }

  func monitor() throws(Damage) -> ApplicationMonitor {
    do {
      return try JSONDecoder().decode(ApplicationMonitor.self, from: Data(content))
    } catch {
      throw Damage(reason: "its content is of another version: \(error)")
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
      // Only what is no number cannot be written, and no such thing is taken in.
      throw FileFault(action: "write a state that is no JSON to", path: path, code: EINVAL)
    }
    let head =
      "\(MonitoringJournal.mark) \(MonitoringJournal.version) \(generation) "
      + "\(CRC32C.text(content)) \(content.count)\n"
    return Array(head.utf8) + content
  }
}
