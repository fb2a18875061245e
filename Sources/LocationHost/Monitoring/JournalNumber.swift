import FoundationEssentials
import Glibc
import LinuxIO

/// The random number of an application's journal, stored in the journal's folder. It is removed
/// when the state is lost, or when a delivered event may not be stored. A client can then
/// distinguish new events from known ones.
struct JournalNumber {
  private let folder: String
  private var path: String { folder + "/number" }

  /// The number in a journal's folder.
  init(folder: String) { self.folder = folder }

  /// Removes the number if the journal has no state. Call it before the journal is opened.
  func forgetWithoutState() {
    let files = FileManager.default
    let hasState = (0...1).contains { files.fileExists(atPath: "\(folder)/state.\($0)") }
    if !hasState { forget() }
  }

  /// Removes the number; the next call of `value()` makes a new one.
  func forget() { unlink(path) }

  /// The stored number; a new one if there is none or it is damaged.
  /// - Parameter report: Receives a sentence about a damaged number.
  /// - Returns: From 1 to 2^53.
  /// - Throws: If the number cannot be read, or a new one cannot be stored.
  func value(_ report: (String) -> Void) throws(FileFault) -> UInt64 {
    if let number = try LinuxFiles().stored(at: path, report, { UInt64($0) }) { return number }
    // JSON readers represent integers up to 2^53 exactly.
    let number = UInt64.random(in: 1...(1 << 53))
    try LinuxFiles().writePrivate(Array("\(number)".utf8), to: path)
    return number
  }
}
