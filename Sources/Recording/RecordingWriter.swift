import Formats
import LinuxIO
import Quantities

#if canImport(Glibc)
  import Glibc
#endif

/// Writes the files of a recording: one thread uses it.
final class RecordingWriter {
  private let options: Recorder.Options
  private var description: RecordingDescription
  private let isLive: Bool
  private let files: any FileOperations
  private var encoder: RecordingEncoder?
  private var file: Int32 = -1
  private var path: String
  /// The paths of the finished files that still exist.
  private var finished: [String] = []
  private var earlierBytes = 0
  private var fileBytes = 0
  /// When the open file and the open chunk were begun.
  private var begun: Timestamp?
  private var chunkBegun: Timestamp?
  private var first: Timestamp?
  private var newest: Timestamp?
  private var free: Int?
  /// Civil time less the monotonic clock at the start, nanoseconds: a later step of the machine's
  /// clock is not followed.
  private let clockOffset: Int64
  private var waiting: [(item: RecordedItem, at: Timestamp)] = []
  /// Whether bytes were lost that the summary would count.
  private var isCut = false
  /// Whether the open file has its summary.
  private var isComplete = false

  /// Creates the first file.
  /// - Parameters:
  ///   - options: Where and how.
  ///   - description: What the files say about themselves; the times are set here.
  ///   - files: The file operations.
  ///   - isLive: Whether the rows have the machine's monotonic clock, not a recording's or a
  ///     simulation's.
  /// - Throws: `FileFault` where it cannot be created.
  init(
    _ options: Recorder.Options, _ description: RecordingDescription, files: any FileOperations,
    isLive: Bool
  ) throws(FileFault) {
    (self.options, self.description, self.isLive) = (options, description, isLive)
    self.files = files
    let clocks = SystemClock.reading
    clockOffset =
      clocks.utc.nanosecondsSince1970 &- Int64(bitPattern: clocks.monotonic.nanoseconds)
    path = options.path
    self.description.offset = clockOffset
    self.description.seriesStart = clocks.utc.nanosecondsSince1970
    try create()
  }

  deinit { if file >= 0 { files.close(file) } }

  var progress: (bytes: Int, files: Int, seconds: Double, free: Int?, path: String) {
    let seconds = first.flatMap { first in newest.map { $0.seconds(since: first) } } ?? 0
    return (earlierBytes + fileBytes, description.part, seconds, free, path)
  }

  // MARK: Items

  func add(_ item: RecordedItem, at time: Timestamp) throws(Recorder.End) {
    first = first ?? time
    newest = time
    if encoder == nil {
      // The offset of the rows' clock is known with the first row.
      guard case .row(let row) = item else { return waiting.append((item, time)) }
      begin(at: row.timestamp, time)
    } else if case .row = item, isFull(at: time) {
      try beginNext(at: time)
    }
    chunkBegun = chunkBegun ?? time
    let instant = civil(time)
    encoder?.add(item, at: instant)
    try write()
  }

  private func civil(_ time: Timestamp) -> UInt64 {
    time.nanoseconds &+ UInt64(bitPattern: clockOffset)
  }

  private func begin(at row: Timestamp, _ time: Timestamp) {
    if !isLive {
      description.offset =
        Int64(bitPattern: civil(time)) &- Int64(bitPattern: row.nanoseconds)
    }
    open(at: time)
    for (item, time) in waiting {
      let instant = civil(time)
      encoder?.add(item, at: instant)
    }
    waiting = []
  }

  private func open(at time: Timestamp) {
    encoder = RecordingEncoder(description, at: civil(time))
    begun = time
  }

  private func isFull(at time: Timestamp) -> Bool {
    if let limit = options.largestFile, fileBytes >= limit { return true }
    guard let limit = options.longestFile, let begun else { return false }
    return time.seconds(since: begun) >= limit
  }

  /// Writes the open chunk where it is older than so many seconds.
  func flush(olderThan age: Double, at now: Timestamp) throws(Recorder.End) {
    if let begun = chunkBegun, now.seconds(since: begun) >= age {
      chunkBegun = nil
      encoder?.endChunk()
      try write()
    }
    try check()
  }

  func sync() throws(Recorder.End) {
    do throws(FileFault) { try files.sync(file, path: path) } catch { throw .failed(error) }
  }

  /// Completes the file.
  func finish() throws(Recorder.End) {
    try complete()
    files.close(file)
    file = -1
  }

  private func complete() throws(Recorder.End) {
    if encoder == nil {
      // No row came: what there is gets a file of its own.
      let now = MonotonicClock.now
      begin(at: now, now)
    }
    encoder?.finish()
    try write()
    isComplete = true
    try sync()
  }

  /// Ends after a fault: completes the file, whose summary has its space in the reserve. After a
  /// failed write the file ends with its last whole record: a summary would have an index and a
  /// checksum of bytes that it has not.
  func abandon() {
    guard file >= 0 else { return }
    if !isCut, !isComplete {
      do throws(Recorder.End) {
        try complete()
      } catch {
        // The first fault is the one that is reported; the file ends with its last whole record.
      }
    }
    if file >= 0 { files.close(file) }
    file = -1
  }

  // MARK: Files

  private func create() throws(FileFault) {
    do throws(FileFault) {
      file = try files.create(path, mode: options.mode)
    } catch {
      guard error.code == EEXIST, options.replaces else { throw error }
      try files.remove(path)
      file = try files.create(path, mode: options.mode)
    }
    do throws(FileFault) {
      // After a power cut the file has its name.
      try files.syncFolder(path.parentFolder)
    } catch {
      // A folder that may be written and not listed.
      if error.code != EACCES {
        files.close(file)
        file = -1
        try files.remove(path)
        throw error
      }
    }
    // Held while the file is written, so that a repair leaves it alone. The file is new: no one
    // else has it.
    flock(file, LOCK_EX | LOCK_NB)
    (encoder, isComplete, fileBytes) = (nil, false, 0)
  }

  private func beginNext(at time: Timestamp) throws(Recorder.End) {
    try finish()
    finished.append(path)
    earlierBytes += fileBytes
    description.part += 1
    path = RecordingSeries.path(options.path, part: description.part)
    do throws(FileFault) {
      try create()
      while let most = options.mostFiles, finished.count >= most, !finished.isEmpty {
        try removeOldest()
      }
    } catch {
      throw .failed(error)
    }
    open(at: time)
    chunkBegun = nil
  }

  private func removeOldest() throws(FileFault) {
    do throws(FileFault) {
      try files.remove(finished.removeFirst())
    } catch {
      // Somebody has moved it to another place.
      guard error.isAbsence else { throw error }
    }
  }

  private func write() throws(Recorder.End) {
    guard let bytes = encoder?.removeBytes(), !bytes.isEmpty else { return }
    do throws(FileFault) {
      try files.write(bytes, to: file, path: path)
    } catch {
      // A write that has failed may have written a part.
      isCut = true
      ftruncate(file, off_t(fileBytes))
      lseek(file, off_t(fileBytes), SEEK_SET)
      throw .failed(error)
    }
    fileBytes += bytes.count
  }

  /// Checks that the file still exists and that space is left.
  private func check() throws(Recorder.End) {
    guard file >= 0 else { return }
    var status = stat()
    if fstat(file, &status) == 0, status.st_nlink == 0 { throw .removed(path: path) }
    var space = statvfs()
    guard fstatvfs(file, &space) == 0, space.f_blocks > 0 else { return }
    let left = Int(clamping: UInt64(space.f_bavail) &* UInt64(space.f_frsize))
    free = left
    if left < options.reserve { throw .full(path: path, free: left) }
  }
}

/// The names of the files of a series.
package enum RecordingSeries {
  /// The path of a part: `boat.mcap`, `boat-2.mcap`, `boat-3.mcap`, …
  package static func path(_ first: String, part: Int) -> String {
    guard part > 1 else { return first }
    let stem = first.hasSuffix(".mcap") ? String(first.dropLast(5)) : first
    return "\(stem)-\(part).mcap"
  }

  /// The files beside the first one that have names of its further parts, whether or not the first
  /// one exists.
  /// - Throws: `FileFault` where the folder cannot be read.
  package static func furtherFiles(of first: String) throws(FileFault) -> [String] {
    try furtherParts(of: first).map { path(first, part: $0) }
  }

  /// The numbers of those files, in the order of the folder.
  static func furtherParts(of first: String) throws(FileFault) -> [Int] {
    let name = first.fileName
    let stem = name.hasSuffix(".mcap") ? String(name.dropLast(5)) : name
    return try LinuxFiles().names(in: first.parentFolder).compactMap { file in
      guard file.hasPrefix(stem + "-"), file.hasSuffix(".mcap"),
        let part = Int(file.dropFirst(stem.count + 1).dropLast(5)), part > 1,
        path(name, part: part) == file
      else { return nil }
      return part
    }
  }
}
