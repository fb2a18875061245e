import Foundation
import LinuxIO
import Quantities
import TestSupport

/// The civil time of programs that are started with `environment`: steps in both directions.
final class ShiftedClock {
  private let file: String
  private let library: String

  /// - Parameters:
  ///   - library: The built `clock-shift.c`.
  ///   - folder: A folder for the shift's file.
  /// - Throws: Where the file cannot be written.
  init(library: String, folder: String) throws {
    (self.library, file) = (library, folder + "/shift-\(UInt32.random(in: 0...UInt32.max))")
    try set(seconds: 0)
  }

  var environment: [String: String] { ["LD_PRELOAD": library, "CLOCK_SHIFT_FILE": file] }

  /// Sets the difference from this machine's time, seconds.
  func set(seconds: Double) throws {
    let nanoseconds = Int64(bounded: seconds * 1e9)
    let data = withUnsafeBytes(of: nanoseconds) { Data($0) }
    guard FileManager.default.fileExists(atPath: file) else {
      return try data.write(to: URL(fileURLWithPath: file))
    }
    // Written in place: the program has the file in its memory.
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file))
    try handle.write(contentsOf: data)
    try handle.close()
  }
}

extension Attack {
  private static let (year, hour) = (365 * 86_400.0, 3600.0)

  /// Steps of the daemon's clock in both directions.
  static let clock = Attack(
    name: "clock", what: "steps of the civil time of up to 20 years in both directions",
    start: { try AttackedDaemon($0, clockLibrary: $1) }
  ) { daemon, isLong in
    let rounds = isLong ? 50 : 2
    for _ in 0..<rounds {
      for step in [year, -year, hour, -hour, 0, -20 * year, 0.5, -60] {
        try daemon.clock?.set(seconds: step)
        Thread.sleep(forTimeInterval: 0.3)
      }
    }
    return Finding(text: "\(8 * rounds) steps")
  }

  /// A program reconnects although its clock goes back while it waits.
  static let reconnection = Attack(
    name: "reconnection",
    what: "a restart of the daemon while the clock of a client goes back two years",
    witness: nil, start: { try AttackedDaemon($0, clockLibrary: $1) }
  ) { daemon, _ in
    let client = try HeadingProgram(daemon)
    func waitForHeadings(_ count: Int) -> Bool {
      let (before, begin) = (client.lines, MonotonicClock.now)
      while client.isRunning, client.lines < before + count {
        guard MonotonicClock.now.seconds(since: begin) < 15 else { return false }
        Thread.sleep(forTimeInterval: 0.01)
      }
      return client.isRunning
    }
    guard waitForHeadings(5) else {
      return Finding(text: "", faults: ["no headings: \(client.errors.suffix(200))"])
    }
    daemon.kill()
    try daemon.clock?.set(seconds: -year)
    Thread.sleep(forTimeInterval: 0.5)
    try daemon.clock?.set(seconds: -2 * year)
    try daemon.start()
    let begin = MonotonicClock.now
    guard waitForHeadings(5) else {
      return Finding(
        text: "", faults: ["the program did not reconnect: \(client.errors.suffix(200))"])
    }
    return Finding(text: "5 headings within \(format(MonotonicClock.now.seconds(since: begin))) s")
  }
}

/// `lodestar heading` at a daemon.
final class HeadingProgram {
  private let process = ChildProcess()
  private let output: String
  private let messages: String

  /// Starts it with the daemon's clock; its output is in a file of the daemon's folder.
  init(_ daemon: AttackedDaemon, file: String = "heading") throws {
    (output, messages) = (daemon.folder + "/" + file, daemon.folder + "/\(file)-errors")
    for path in [output, messages] { try Data().write(to: URL(fileURLWithPath: path)) }
    process.executableURL = URL(fileURLWithPath: daemon.program)
    process.arguments = ["heading", "--daemon", "--rate", "5", "--format", "json"]
    process.environment = ProcessInfo.processInfo.environment.merging([
      "LODESTAR_SOCKET": daemon.socketPath
    ]) { $1 }.merging(daemon.clock?.environment ?? [:]) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
    process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: messages))
    try process.run()
  }

  deinit { if process.isRunning { process.terminate() } }

  var isRunning: Bool { process.isRunning }
  var errors: String {
    String(decoding: FileManager.default.contents(atPath: messages) ?? Data(), as: UTF8.self)
  }
  /// The number of headings so far.
  var lines: Int {
    (FileManager.default.contents(atPath: output) ?? Data()).reduce(0) { $0 + ($1 == 10 ? 1 : 0) }
  }
}
