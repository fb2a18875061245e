import Foundation
import Monitoring

extension Attack {
  /// A full disk: commands are executed and reported as not stored, and everything is stored once there is room.
  static let disk = Attack(
    name: "disk", what: "a full disk below the state folder, then room again", needsRoot: true,
    start: { program, _ in
      try AttackedDaemon(
        program,
        disk: "mount -t tmpfs -o size=1m tmpfs $disk && head -c 900000 /dev/zero > $disk/filler")
    }
  ) { daemon, _ in
    let connection = try Connection(daemon, "org.example.disk")
    connection.send([.listen(true)])
    var (stored, refused) = (0, 0)
    for n in 0..<10 {
      connection.send([.monitor(id: UInt64(n), .startRegion(.polygon("\(n)", corners: 200)))])
      let answer = try connection.line(with: "\"done\"") ?? ""
      if answer.contains("notKept"), answer.contains("No space left on device") { refused += 1 }
      if !answer.contains("code") { stored += 1 }
    }
    var faults = refused == 0 ? ["no command was reported as not stored"] : []
    // The whole state is stored with the next command.
    try FileManager.default.removeItem(atPath: daemon.fillerPath)
    connection.send([.monitor(id: 100, .stopRegion(identifier: "9"))])
    let answer = try connection.line(with: "\"id\":100") ?? ""
    if answer.contains("notKept") { faults.append("still not stored: \(answer)") }
    return Finding(
      text: "\(stored) commands stored, \(refused) reported as not stored", faults: faults)
  }

  /// A state folder that cannot be written while the daemon runs.
  static let readOnly = Attack(
    name: "read-only state",
    what: "the disk of the state folder becomes read-only, then writable again", needsRoot: true,
    start: { program, _ in
      try AttackedDaemon(program, disk: "mount -t tmpfs -o size=1m tmpfs $disk")
    }
  ) { daemon, _ in
    let connection = try Connection(daemon, "org.example.disk")
    var faults: [String] = []
    let first = try connection.startRegion(1)
    if first.contains("code") { faults.append("not stored at first: \(first)") }
    // Below another mount: files that are open stay writable, as the lock.
    try daemon.runAtDisk("mount --bind $disk $disk; mount -o remount,bind,ro $disk")
    let refused = try connection.startRegion(2)
    if !refused.contains("notKept") || !refused.contains("Read-only") {
      faults.append("not reported as not stored: \(refused)")
    }
    connection.send([.registrations(id: 9)])
    let known = try connection.line(with: "\"registrations\"") ?? ""
    if !known.contains("\"2\"") { faults.append("not executed: \(known)") }
    try daemon.runAtDisk("mount -o remount,bind,rw $disk")
    let stored = try connection.startRegion(3)
    if stored.contains("code") { faults.append("still not stored: \(stored)") }
    if !daemon.log.contains("Read-only file system") { faults.append("the log has no reason") }
    return Finding(text: "3 commands executed, 1 reported as not stored", faults: faults)
  }

  /// A state folder that cannot be written when the daemon starts.
  static let readOnlyStart = Attack(
    name: "read-only start",
    what: "a start with a read-only state folder, which becomes writable", needsRoot: true,
    start: { program, _ in
      try AttackedDaemon(
        program,
        disk: "mount -t tmpfs -o size=1m tmpfs $disk && mkdir -m 700 $disk/state && "
          + "mount --bind $disk $disk && mount -o remount,bind,ro $disk")
    }
  ) { daemon, _ in
    let connection = try Connection(daemon, "org.example.disk")
    var faults: [String] = []
    if !daemon.log.contains("Read-only") { faults.append("no warning: \(daemon.log.suffix(200))") }
    let refused = try connection.startRegion(1)
    if !refused.contains("Read-only") { faults.append("refused without the reason: \(refused)") }
    try daemon.runAtDisk("mount -o remount,bind,rw $disk")
    let stored = try connection.startRegion(2)
    if stored.contains("code") { faults.append("still not stored: \(stored)") }
    return Finding(text: "1 command refused, then 1 stored", faults: faults)
  }
}

extension Connection {
  /// Starts to monitor a region; returns the answer.
  fileprivate func startRegion(_ number: UInt64) throws -> String {
    send([.monitor(id: number, .startRegion(.circle("\(number)")))])
    return try line(with: "\"id\":\(number)") ?? "no answer"
  }
}
