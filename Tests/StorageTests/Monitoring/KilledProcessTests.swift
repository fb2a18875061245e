import Foundation
import Glibc
import LinuxIO
import Monitoring
import SimulatedDays
import TestSupport
import Testing

/// `Tests/JournalWriter` as a process that can be killed at any instant.
private struct JournalWriterProcess {
  static let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    .appendingPathComponent("JournalWriter").path

  private let process = ChildProcess()
  private let output: FileHandle

  init(_ arguments: [String], outputPath: String) throws {
    _ = FileManager.default.createFile(atPath: outputPath, contents: nil)
    output = try FileHandle(forWritingTo: URL(fileURLWithPath: outputPath))
    process.executableURL = URL(fileURLWithPath: Self.program)
    process.arguments = arguments
    process.standardOutput = output
    try process.start()
  }

  func killAtOnce() { process.send(SIGKILL) }
  func wait() { process.waitOrKill() }
}

@Suite("A process that monitors", .timeLimit(.minutes(30)))
struct KilledProcessTests {
  @Test("kill -9 at any instant loses no event and delivers none twice")
  func killed() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer {
      do { try FileManager.default.removeItem(at: folder) } catch { Issue.record("\(error)") }
    }
    let state = folder.appendingPathComponent("state").path
    var generator = SeededGenerator(seed: 3)
    var words: [UInt64: String] = [:]
    var isDone = false
    var kills = 0
    while !isDone, kills < 60 {
      let path = folder.appendingPathComponent("out\(kills)").path
      let writer = try JournalWriterProcess([state, "12"], outputPath: path)
      usleep(.random(in: 30_000...250_000, using: &generator))
      // After 25 kills it may run to its end.
      if kills < 25 { writer.killAtOnce() }
      writer.wait()
      kills += 1
      let text = try String(contentsOfFile: path, encoding: .utf8)
      for line in text.split(separator: "\n") {
        let parts = line.split(separator: " ", maxSplits: 1)
        if line == "done" { isDone = true }
        guard let number = parts.first.flatMap({ UInt64($0) }), parts.count == 2 else {
          #expect(line == "done" || line == "ready", "\(line)")
          continue
        }
        let word = String(parts[1])
        #expect(words[number] == nil || words[number] == word, "\(number)")
        words[number] = word
      }
    }
    #expect(isDone)
    let received = words.sorted { $0.key < $1.key }.map(\.value)
    let isSlow: (String) -> Bool = { !$0.hasSuffix("bridge") }
    let crossings: [String] = received.filter { $0.hasPrefix("+") || $0.hasPrefix("-") }
    #expect(crossings.filter(isSlow) == SimulatedDay.crossingWords.filter(isSlow))
    #expect(received.filter { $0 == "arrived" || $0 == "departed" } == SimulatedDay.visitWords)
  }
}
