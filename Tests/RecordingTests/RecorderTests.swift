import Configuration
import Formats
import Foundation
import LinuxIO
import Quantities
import Recording
import ScriptedSource
import Synchronization
import TestSupport
import Testing

/// File operations that are noted.
private final class NotedFiles: FileOperations {
  private let files = LinuxFiles()
  private let notes = Locked<[String]>([])

  var all: [String] { notes.withLock { $0 } }
  private func write(_ text: String) { notes.withLock { $0.append(text) } }

  func names(in folder: String) throws(FileFault) -> [String] { try files.names(in: folder) }
  func content(of path: String) throws(FileFault) -> [UInt8] { try files.content(of: path) }
  func makeFolder(_ path: String, mode: UInt32) throws(FileFault) {
    try files.makeFolder(path, mode: mode)
  }
  func checkFolder(_ path: String) throws(FileFault) { try files.checkFolder(path) }
  func create(_ path: String, mode: UInt32) throws(FileFault) -> Int32 {
    write("create \(path.fileName)")
    return try files.create(path, mode: mode)
  }
  func write(_ bytes: [UInt8], to file: Int32, path: String) throws(FileFault) {
    write("write")
    try files.write(bytes, to: file, path: path)
  }
  func sync(_ file: Int32, path: String) throws(FileFault) { try files.sync(file, path: path) }
  func close(_ file: Int32) { files.close(file) }
  func rename(_ old: String, to new: String) throws(FileFault) { try files.rename(old, to: new) }
  func remove(_ path: String) throws(FileFault) { try files.remove(path) }
  func syncFolder(_ path: String) throws(FileFault) {
    write("sync folder \(path)")
    try files.syncFolder(path)
  }
  func lock(_ path: String) throws(FileFault) -> Int32? { try files.lock(path) }
  func unlock(_ file: Int32) { files.unlock(file) }
}

@Suite("A recorder", .timeLimit(.minutes(30)))
struct RecorderTests {
  private let folder: TemporaryFolder
  private let publisher = ScriptedPublisher()

  init() throws { folder = try TemporaryFolder() }

  private func recorder(
    _ name: String, _ change: (inout Recorder.Options) -> Void = { _ in }
  ) -> Recorder {
    var options = Recorder.Options(path: folder.path + name, program: "test")
    options.reserve = 0
    change(&options)
    return Recorder(options)
  }

  private func attach(_ recorder: Recorder) throws {
    try recorder.attach(to: publisher, board: .standard, isLive: false)
  }

  private func row(_ number: Int) -> SensorSamples {
    let time = Timestamp(nanoseconds: UInt64(number) * 5_000_000)
    return SensorSamples(
      timestamp: time,
      inertial: InertialSample(
        timestamp: time, angularRate: AngularRate(components: SIMD3(0.1, 0, Double(number))),
        specificForce: SpecificForce(components: SIMD3(0, 0, 9.8))))
  }

  private func rows(of name: String) throws -> (numbers: [Int], events: [String]) {
    var recording = try OpenedRecording(path: folder.path + name)
    var numbers: [Int] = []
    while let row = try recording.next() {
      numbers.append(Int(row.timestamp.nanoseconds / 5_000_000))
    }
    return (numbers, (recording.exact?.events ?? []).map(\.kind))
  }

  private func isWhole(_ name: String) throws -> Bool {
    var repair = try MCAPRepair(try ByteReader(path: folder.path + name))
    return try repair.copy { _ in }.wasWhole
  }

  @Test("stores the name of a new file on the medium before it writes")
  func folderIsStored() throws {
    let files = NotedFiles()
    let recorder = Recorder(
      Recorder.Options(path: folder.path + "/a.mcap", program: "test"), files: files)
    try attach(recorder)
    recorder.stop()
    #expect(Array(files.all.prefix(3)) == ["create a.mcap", "sync folder \(folder.path)", "write"])
  }

  @Test("counts rows beyond the limit of its queue, and records that they are missing")
  func slowDisk() throws {
    let recorder = recorder("/a.mcap")
    // The recorder's thread stands until all rows were sent.
    let gate = DispatchSemaphore(value: 0)
    recorder.onNewFile { gate.wait() }
    try attach(recorder)
    #expect(eventually { recorder.progress.files == 1 })
    let count = 25_000
    for number in 1...count { publisher.send(row(number)) }
    gate.signal()
    // The next row that finds room says how many were lost before it.
    #expect(eventually { recorder.progress.bytes > 0 })
    publisher.send(row(count + 1))
    let progress = recorder.stop()
    let (numbers, events) = try rows(of: "/a.mcap")
    #expect(progress.lost > 4000)
    #expect(progress.rows + progress.lost == count + 1)
    #expect(numbers.count == progress.rows && numbers == numbers.sorted())
    #expect(events.contains("lost"))
    #expect(events.first == "start" && events.last == "stop")
    #expect(try isWhole("/a.mcap"))
  }

  @Test("ends with a whole file before the reserve of the disk is used")
  func reserve() throws {
    let recorder = recorder("/a.mcap") { $0.reserve = .max }
    let ended = Mutex<Recorder.End?>(nil)
    recorder.onEnd { end in ended.withLock { $0 = end } }
    try attach(recorder)
    publisher.send(row(1))
    #expect(eventually { ended.withLock { $0 } != nil })
    guard case .full = recorder.end else {
      Issue.record("\(String(describing: recorder.end))")
      return
    }
    #expect(publisher.rowObserverCount == 0)
    #expect(eventually { access(folder.path + "/a.mcap", F_OK) == 0 })
    #expect(try isWhole("/a.mcap"))
  }

  @Test("ends where its file is removed", arguments: [false, true])
  func removed(withFolder: Bool) throws {
    let place = folder.path + "/inner"
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
    let recorder = recorder("/inner/a.mcap")
    try attach(recorder)
    publisher.send(row(1))
    try FileManager.default.removeItem(atPath: withFolder ? place : place + "/a.mcap")
    #expect(eventually { recorder.end != nil })
    #expect(recorder.end == .removed(path: place + "/a.mcap"))
    recorder.stop()
  }

  @Test("replaces an existing file only where that was asked for")
  func existing() throws {
    try folder.write("kept", "/a.mcap")
    #expect(throws: FileFault.self) { try attach(self.recorder("/a.mcap")) }
    #expect(FileManager.default.contents(atPath: folder.path + "/a.mcap") == Data("kept".utf8))
    let recorder = recorder("/a.mcap") { $0.replaces = true }
    try attach(recorder)
    publisher.send(row(1))
    recorder.stop()
    #expect(try rows(of: "/a.mcap").numbers == [1])
  }

  @Test("goes on where the oldest file of those that it keeps was moved away")
  func movedAway() throws {
    let recorder = recorder("/a.mcap") { ($0.largestFile, $0.mostFiles) = (1, 1) }
    try attach(recorder)
    var number = 0
    // The next row finds the file above its size.
    for part in 2...4 {
      #expect(
        eventually {
          number += 100
          for n in number - 99...number { publisher.send(row(n)) }
          return recorder.progress.files >= part
        })
      unlink(RecordingSeries.path(folder.path + "/a.mcap", part: recorder.progress.files))
      guard part < 4 else { break }
      unlink(recorder.progress.path)
    }
    recorder.stop()
    #expect(recorder.end == nil)
  }

  @Test("begins files that are read as one, without those of an earlier series")
  func series() throws {
    // Each row after the first thousand begins a file, which takes milliseconds.
    for (last, largest) in [(1050, 1), (3, Int.max)] {
      let recorder = recorder("/a.mcap") { options in
        (options.replaces, options.largestFile) = (true, largest)
      }
      try attach(recorder)
      for number in 1...last {
        publisher.send(row(number))
        guard number == 1000, largest == 1 else { continue }
        // The next row finds the first file above its size.
        #expect(eventually { recorder.progress.bytes > 0 })
      }
      let progress = recorder.stop()
      #expect(largest == .max || progress.files > 1)
      #expect(try rows(of: "/a.mcap").numbers == Array(1...last))
    }
    #expect(access(folder.path + "/a-2.mcap", F_OK) == 0)
    #expect(RecordingSeries.path("/x/a.mcap", part: 12) == "/x/a-12.mcap")
    try folder.write("", "/a-b.mcap")
    let further = try RecordingSeries.furtherFiles(of: folder.path + "/a.mcap")
    #expect(
      further.contains(folder.path + "/a-2.mcap") && !further.contains { $0.hasSuffix("-b.mcap") })
  }
}
