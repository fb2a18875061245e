import Foundation
import LinuxIO

/// The number of an application's journal: random, beside what it counts. It goes with what is kept, and where
/// something that was told may not have been kept, so that no client takes a new event for one that it knows.
struct JournalNumber {
  private let folder: String
  private var path: String { folder + "/number" }

  /// The number in a journal's folder.
  init(folder: String) { self.folder = folder }

  /// Looks before the journal is opened: without a state the number means nothing.
  func forgetWithoutState() {
    let files = FileManager.default
    let hasState = (0...1).contains { files.fileExists(atPath: "\(folder)/state.\($0)") }
    if !hasState { forget() }
  }

  /// The next opening makes another one.
  func forget() { unlink(path) }

  /// What stands there; a new one where nothing can be read.
  /// - Throws: Where a new one cannot be kept.
  func value() throws(FileFault) -> UInt64 {
    if let data = FileManager.default.contents(atPath: path),
      let number = UInt64(String(decoding: data, as: UTF8.self))
    {
      return number
    }
    // Exact in every reader of JSON.
    let number = UInt64.random(in: 1...(1 << 53))
    try LinuxFiles().writePrivate(Array("\(number)".utf8), to: path)
    return number
  }
}
