import Formats
import LinuxIO
import LocationHost

/// The positions that a server has not accepted, oldest first. One that can be sent at once stays
/// in memory; those that have to wait are written to files, at once and each to the medium, so that
/// they are there after a restart or a power cut.
///
/// A file has up to `mostInFile` lines `CRC32 PAYLOAD` and is removed with its last position: after
/// a power cut at most so many are sent a second time. It is closed when its reading begins; newer
/// positions are in the next one.
package struct PositionStore {
  /// Limit of the positions: a day of one each three seconds, the densest that are reported.
  package static let mostPositions = 32_768
  /// The positions of a file: a larger number repeats more after a power cut, a smaller one needs
  /// more files.
  package static let mostInFile = 256
  /// The digits of a file's name.
  private static let digits = 10
  /// A longer line is damaged.
  private static let longestPayload = 1024

  /// The oldest position.
  package struct Next {
    package let payload: [UInt8]
    /// For `remove`.
    package let number: Int
    /// Whether no other position waits.
    package let isNewest: Bool
  }

  private struct File {
    let name: String
    var count: Int
  }

  private let folder: String
  private let files: any FileOperations
  private let report: @Sendable (String) -> Void
  /// The files, oldest first.
  private var stored: [File] = []
  /// What is left of the first file; empty while it is not read.
  private var head: ArraySlice<[UInt8]> = []
  /// The positions without a file, newer than those of the files.
  private var fresh: [[UInt8]] = []
  /// The last file, open for further positions; nil for none.
  private var open: Int32?
  private var nextFile = 1
  /// The number of the oldest position: how many were removed.
  private var first = 0
  private var isFaulty = false
  private var isClosed = false

  /// Opens the store of a folder, which is made when it is needed. `report` receives a sentence
  /// about what cannot be stored, for the log.
  package init(
    folder: String, files: any FileOperations = LinuxFiles(),
    _ report: @escaping @Sendable (String) -> Void
  ) {
    (self.folder, self.files, self.report) = (folder, files, report)
    let names: [String]
    do throws(FileFault) { names = try files.names(in: folder).sorted() } catch {
      if !error.isAbsence { reportFault(error) }
      return
    }
    // A file that cannot be read stays for the next start, and the others are read.
    for name in names where Self.isFile(name) {
      nextFile = (Int(name) ?? 0) + 1
      do throws(FileFault) {
        stored.append(File(name: name, count: try lines(of: name).count))
      } catch { reportFault(error) }
    }
  }

  /// Whether a name is one of the store's: ten digits.
  private static func isFile(_ name: String) -> Bool {
    name.utf8.count == digits
      && name.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  /// The number of positions.
  package var count: Int { fresh.count + waiting }
  private var waiting: Int {
    stored.reduce(0) { $0 + $1.count }
      - (head.isEmpty ? 0 : (stored.first?.count ?? 0) - head.count)
  }

  /// Adds the newest position.
  /// - Parameters:
  ///   - payload: One line.
  ///   - isAway: Whether the server could not be reached; then it is written at once.
  /// - Returns: The number of the oldest positions that were dropped beyond the limit.
  package mutating func append(_ payload: [UInt8], isAway: Bool) -> Int {
    guard !isClosed else { return 0 }
    fresh.append(payload)
    if isAway || count > 1 { write() }
    var dropped = 0
    while count > Self.mostPositions {
      dropped += dropOldest()
    }
    return dropped
  }

  /// Writes all positions to files: the server cannot be reached.
  package mutating func write() {
    guard !isClosed else { return }
    do throws(FileFault) {
      while !fresh.isEmpty {
        if open == nil { try begin() }
        guard let file = open, let last = stored.last else { return }
        let part = fresh.prefix(Self.mostInFile - last.count)
        let path = folder + "/" + last.name
        try files.write(part.flatMap(Self.line), to: file, path: path)
        try files.sync(file, path: path)
        stored[stored.count - 1].count += part.count
        fresh.removeFirst(part.count)
        if last.count + part.count >= Self.mostInFile { endFile() }
      }
      isFaulty = false
    } catch {
      // A part of a line may be in the file, whose reader skips it.
      endFile()
      if let last = stored.last, last.count == 0 {
        stored.removeLast()
        // What was not written is in memory; an empty file each attempt would fill the folder.
        do throws(FileFault) { try files.remove(folder + "/" + last.name) } catch {}
      }
      reportFault(error)
    }
  }

  /// The oldest position; nil without one.
  package mutating func next() -> Next? {
    guard !isClosed else { return nil }
    while head.isEmpty, let oldest = stored.first {
      if stored.count == 1 { endFile() }
      do throws(FileFault) {
        head = try lines(of: oldest.name)[...]
        stored[0].count = head.count
      } catch {
        // It stays for the next start.
        reportFault(error)
        stored.removeFirst()
        continue
      }
      if head.isEmpty { removeFile() }
    }
    guard let payload = head.first ?? fresh.first else { return nil }
    return Next(payload: payload, number: first, isNewest: count == 1)
  }

  /// Removes the oldest position, if it still has this number: the server has accepted it.
  package mutating func remove(_ number: Int) {
    guard !isClosed, number == first, count > 0 else { return }
    first += 1
    if head.isEmpty {
      fresh.removeFirst()
    } else {
      head.removeFirst()
      if head.isEmpty { removeFile() }
    }
  }

  /// Removes all positions.
  package mutating func removeAll() {
    endFile()
    first += count
    (head, fresh) = ([], [])
    while !stored.isEmpty { removeFile() }
  }

  /// Writes what waits, without the positions that were accepted; nothing changes afterwards.
  package mutating func close() {
    guard !isClosed else { return }
    write()
    endFile()
    if !head.isEmpty, let file = stored.first, head.count < file.count {
      do throws(FileFault) {
        try files.replace(folder + "/" + file.name, with: head.flatMap(Self.line), mode: 0o600)
      } catch { reportFault(error) }
    }
    isClosed = true
  }

  /// Drops the oldest file, or the oldest position where there is none.
  private mutating func dropOldest() -> Int {
    let before = count
    if stored.isEmpty {
      fresh.removeFirst()
    } else {
      if stored.count == 1 { endFile() }
      head = []
      removeFile()
    }
    first += before - count
    return before - count
  }

  private mutating func begin() throws(FileFault) {
    try files.makeFolders(folder, mode: 0o700)
    let number = String(nextFile)
    let name = String(repeating: "0", count: max(0, Self.digits - number.count)) + number
    // Also where the name exists.
    nextFile += 1
    open = try files.create(folder + "/" + name, mode: 0o600)
    stored.append(File(name: name, count: 0))
    try files.syncFolder(folder)
  }

  private mutating func endFile() {
    if let open { files.close(open) }
    open = nil
  }

  private mutating func removeFile() {
    do throws(FileFault) {
      try files.remove(folder + "/" + stored.removeFirst().name)
    } catch { reportFault(error) }
  }

  private mutating func reportFault(_ fault: FileFault) {
    if !isFaulty {
      report("unsent positions are in memory only, or lost: \(fault.textForDaemon)")
    }
    isFaulty = true
  }

  // MARK: Lines

  private static func line(_ payload: [UInt8]) -> [UInt8] {
    Array("\(CRC32(payload).value) ".utf8) + payload + [UInt8(ascii: "\n")]
  }

  /// The payloads of a file's whole lines.
  private func lines(of name: String) throws(FileFault) -> [[UInt8]] {
    try files.content(of: folder + "/" + name).split(separator: UInt8(ascii: "\n"))
      .compactMap { line in
        let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 1)
        guard parts.count == 2, parts[1].count <= Self.longestPayload,
          UInt32(String(decoding: parts[0], as: UTF8.self)) == CRC32(parts[1]).value
        else { return nil }
        return Array(parts[1])
      }
  }
}
