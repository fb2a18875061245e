import Foundation
import LinuxIO
import Quantities

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

extension AttackExercise {
  /// Steps of the clock in both directions, for the daemon and for a program that reconnects to it.
  static func runClock(program: String, library: String, isLong: Bool) throws -> [String] {
    let folder = FileManager.default.temporaryDirectory.path
    let clock = try ShiftedClock(library: library, folder: folder)
    let daemon = try AttackedDaemon(program, environment: clock.environment)
    let witness = try Witness(daemon)
    let (year, hour) = (365 * 86_400.0, 3600.0)
    let client = try HeadingProgram(program, daemon, environment: clock.environment)
    var faults: [String] = []
    let steps = [year, -year, hour, -hour, 0, -20 * year, 0.5, -60]
    for _ in 0..<(isLong ? 50 : 2) {
      for step in steps {
        try clock.set(seconds: step)
        Thread.sleep(forTimeInterval: 0.3)
      }
    }
    let measured = witness.end()
    if measured.longestGap > Limits.gap {
      faults.append("\(format(measured.longestGap)) s without a heading")
    }
    if let fault = measured.fault { faults.append(fault) }
    // The program reconnects although its clock goes back while it waits.
    daemon.kill()
    try clock.set(seconds: -year)
    Thread.sleep(forTimeInterval: 0.5)
    try clock.set(seconds: -2 * year)
    try daemon.start()
    let (before, begin) = (client.lines, MonotonicClock.now)
    while client.isRunning, client.lines < before + 5, MonotonicClock.now.seconds(since: begin) < 15
    {
      Thread.sleep(forTimeInterval: 0.01)
    }
    let reconnected = MonotonicClock.now.seconds(since: begin)
    if client.lines < before + 5 {
      faults.append("the program did not reconnect: \(client.errors.suffix(200))")
    }
    let end = daemon.end()
    if !((end ?? 99) <= Limits.end) { faults.append("no end by SIGTERM within \(Limits.end) s") }
    print(
      """
      \(faults.isEmpty ? "PASS" : "FAIL") clock: steps of up to 20 years in both directions
           heading gap \(format(measured.longestGap)) s, answer \(format(measured.longestAnswer)) s, \
      reconnected after \(format(reconnected)) s
      """)
    for fault in faults { print("     \(fault)") }
    return faults
  }
}

/// `lodestar heading` at a daemon.
final class HeadingProgram {
  private let process = Process()
  private let output: String
  private let messages: String

  init(_ program: String, _ daemon: AttackedDaemon, environment: [String: String]) throws {
    (output, messages) = (daemon.folder + "/heading", daemon.folder + "/heading-errors")
    for path in [output, messages] { try Data().write(to: URL(fileURLWithPath: path)) }
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = ["heading", "--daemon", "--rate", "5", "--format", "json"]
    process.environment = ProcessInfo.processInfo.environment.merging([
      "LODESTAR_SOCKET": daemon.socketPath
    ]) { $1 }.merging(environment) { $1 }
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
