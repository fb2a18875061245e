import Foundation
import HostProtocol
import LinuxIO
import Monitoring
import Quantities

#if canImport(Glibc)
  import Glibc
#endif

extension AttackExercise {
  /// A state folder on a full disk: commands are executed and reported as not stored, and everything is stored once
  /// there is room.
  static func runDisk(program: String) throws -> [String] {
    guard getuid() == 0 else {
      print("SKIP disk: it mounts a small disk, which needs root")
      return []
    }
    let folder = "/tmp/lsd-\(UInt32.random(in: 0...UInt32.max))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer {
      do { try FileManager.default.removeItem(atPath: folder) } catch { print("left: \(folder)") }
    }
    // A mount of its own, which ends with the daemon.
    let script =
      "mount -t tmpfs -o size=1m tmpfs \(folder) && head -c 900000 /dev/zero > \(folder)/filler && "
      + "exec \"$0\" serve --simulate --state \(folder)/state"
    let daemon = try AttackedDaemon(
      "/usr/bin/unshare",
      arguments: ["--mount", "--propagation", "private", "sh", "-c", script, program])
    let witness = try Witness(daemon)
    var faults: [String] = []
    let connection = try Connection(daemon, "org.example.disk")
    connection.send([.listen(true)])
    var (stored, refused) = (0, 0)
    for n in 0..<10 {
      connection.send([.monitor(id: UInt64(n), .startRegion(.polygon("\(n)", corners: 200)))])
      let answer = try connection.line(with: "\"done\"") ?? ""
      if answer.contains("notKept"), answer.contains("No space left on device") { refused += 1 }
      if !answer.contains("code") { stored += 1 }
    }
    if refused == 0 { faults.append("no command was reported as not stored") }
    // Room again: the whole state is stored with the next command.
    try FileManager.default.removeItem(atPath: "/proc/\(daemon.pid)/root\(folder)/filler")
    connection.send([.monitor(id: 100, .stopRegion(identifier: "9"))])
    let answer = try connection.line(with: "\"id\":100") ?? ""
    if answer.contains("notKept") { faults.append("still not stored: \(answer)") }
    let measured = witness.end()
    if measured.longestGap > Limits.gap {
      faults.append("\(format(measured.longestGap)) s without a heading")
    }
    let end = daemon.end()
    if !((end ?? 99) <= Limits.end) { faults.append("no end by SIGTERM within \(Limits.end) s") }
    print(
      """
      \(faults.isEmpty ? "PASS" : "FAIL") disk: a full disk below the state folder; \(stored) commands stored, \
      \(refused) reported as not stored
           heading gap \(format(measured.longestGap)) s, answer \(format(measured.longestAnswer)) s
      """)
    for fault in faults { print("     \(fault)") }
    return faults
  }
}
