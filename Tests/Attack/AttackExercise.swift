import Foundation
import LinuxIO
import Quantities

/// The limits of every attack.
enum Limits {
  /// The longest time that another client is without a heading or an answer, seconds.
  static let gap = 1.0
  /// The greatest memory of its own, without mapped files, MB.
  static let megabytes = 30.0
  /// The longest end by SIGTERM, seconds.
  static let end = 2.0
}

func format(_ value: Double) -> String { String(format: "%.2f", value) }

@main
enum AttackExercise {
  /// Runs one attack with a daemon of its own.
  /// - Returns: The faults.
  static func run(
    _ attack: Attack, program: String, clockLibrary: String, isLong: Bool
  ) throws -> [String] {
    guard !attack.needsRoot || getuid() == 0 else {
      print("SKIP \(attack.name): \(attack.what); it needs root")
      return []
    }
    let daemon = try attack.start(program, clockLibrary)
    let witness = try attack.witness.map { try Witness(daemon, $0) }
    let begin = MonotonicClock.now
    let finding = try attack.run(daemon, isLong)
    let seconds = MonotonicClock.now.seconds(since: begin)
    // What is still queued must not delay others either.
    Thread.sleep(forTimeInterval: 1)
    let measured = witness?.end() ?? Witness.Measured()
    var faults = finding.faults
    if !daemon.isRunning { faults.append("the daemon has ended: \(daemon.log.suffix(300))") }
    if let fault = measured.fault { faults.append("the witness was disconnected: \(fault)") }
    let (memory, watchdog) = (daemon.peakMegabytes, daemon.longestWatchdogGap)
    let end = daemon.isRunning ? daemon.end() : nil
    if attack.witness == .headings, measured.longestGap > Limits.gap {
      faults.append("\(format(measured.longestGap)) s without a heading")
    }
    if measured.longestAnswer > Limits.gap {
      faults.append("\(format(measured.longestAnswer)) s without an answer")
    }
    if !(memory <= Limits.megabytes) { faults.append("\(format(memory)) MB") }
    if watchdog > AttackedDaemon.watchdogSeconds {
      faults.append("\(format(watchdog)) s without the watchdog")
    }
    if !((end ?? 99) <= Limits.end) {
      faults.append("end after \(end.map(format) ?? "more than 60") s")
    }
    print(
      """
      \(faults.isEmpty ? "PASS" : "FAIL") \(attack.name): \(attack.what); \(finding.text) (\(format(seconds)) s)
           heading gap \(format(measured.longestGap)) s, answer \(format(measured.longestAnswer)) s, \
      \(format(memory)) MB, watchdog \(format(watchdog)) s, end \(end.map(format) ?? "none") s
      """)
    for fault in faults.prefix(5) { print("     \(fault)") }
    return faults
  }

  static func main() {
    var arguments = Array(CommandLine.arguments.dropFirst())
    let isLong = arguments.first == "--long"
    if isLong { arguments.removeFirst() }
    if arguments.count == 4 || arguments.count == 6, arguments[0] == "--soak",
      let hours = Double(arguments[1]), hours > 0
    {
      let recording =
        arguments.count == 6 ? (path: arguments[4], pace: Double(arguments[5]) ?? 1) : nil
      do {
        let soak = Soak(
          program: arguments[2], clockLibrary: arguments[3], hours: hours, recording: recording)
        exit(try soak.run().isEmpty ? 0 : 1)
      } catch {
        print("FAIL soak: \(error)")
        exit(1)
      }
    }
    guard arguments.count >= 2, !arguments[0].hasPrefix("--") else {
      print(
        """
        usage: AttackExercise [--long] LODESTAR CLOCK-SHIFT-LIBRARY [NAME...]
               AttackExercise --soak HOURS LODESTAR [RECORDING PACE]
        """)
      exit(64)
    }
    let (program, library, names) = (arguments[0], arguments[1], arguments.dropFirst(2))
    let known = Attack.all.map(\.name)
    if let unknown = names.first(where: { !known.contains($0) }) {
      print("unknown attack '\(unknown)'; known: \(known.joined(separator: ", "))")
      exit(64)
    }
    var failed = 0
    for attack in Attack.all where names.isEmpty || names.contains(attack.name) {
      do {
        let faults = try run(attack, program: program, clockLibrary: library, isLong: isLong)
        if !faults.isEmpty { failed += 1 }
      } catch {
        print("FAIL \(attack.name): \(error)")
        failed += 1
      }
      fflush(nil)
    }
    print(failed == 0 ? "all attacks passed" : "\(failed) attacks failed")
    exit(failed == 0 ? 0 : 1)
  }
}
