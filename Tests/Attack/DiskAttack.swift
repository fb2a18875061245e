import Foundation
import HostProtocol
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

  /// A full disk while the daemon records, and many clients store calibrations and registrations.
  static let fullDisk = Attack(
    name: "full disk", what: "a full disk during a recording and the calibrations of 20 clients",
    needsRoot: true,
    start: { program, _ in
      try AttackedDaemon(
        program, disk: "mount -t tmpfs -o size=2m tmpfs $disk",
        configuration: "recording: $disk/recording\nrecording-reserve: 0\n")
    }
  ) { daemon, _ in
    let calibration =
      "{\"softIron\": [[1, 0.01, 0], [0.01, 0.98, 0], [0, 0, 1.02]], \"hardIron\": [10, -20.5, 3], "
      + "\"quality\": \"good\", \"predictedHeadingError\": 0.03, \"residualMicrotesla\": 0.4}"
    let clients = try (0..<20).map { try Connection(daemon, "org.example.disk\($0 % 8)") }
    /// Stores a calibration and a region for each client; returns how many were refused for want of space.
    func store(_ round: Int) throws -> (refused: Int, other: [String]) {
      var (refused, other) = (0, [String]())
      for (number, client) in clients.enumerated() {
        let id = UInt64(round * 100 + number)
        client.send([
          .profiles(
            id: id, .store(ProfileContent(text: calibration, name: "c.json", mayBeForeign: true))),
          .monitor(id: id + 50, .startRegion(.circle("\(round)"))),
        ])
        for key in [id, id + 50] {
          let answer = try client.line(with: "\"id\":\(key)") ?? "no answer"
          if answer.contains("No space left") { refused += 1 } else { other.append(answer) }
        }
      }
      return (refused, other)
    }
    var faults: [String] = []
    let before = try store(1)
    if before.refused > 0 { faults.append("\(before.refused) refused with room") }
    try daemon.runAtDisk("head -c 3000000 /dev/zero > $disk/filler 2> /dev/null || true")
    let full = try store(2)
    if full.refused < 20 {
      faults.append("\(full.refused) of 40 refused: \(full.other.first ?? "")")
    }
    // The recorder writes five times a second.
    Thread.sleep(forTimeInterval: 3)
    if !daemon.log.contains("recording ended") {
      faults.append("the log does not name the recording")
    }
    try FileManager.default.removeItem(atPath: daemon.fillerPath)
    let after = try store(3)
    if after.refused > 0 { faults.append("\(after.refused) refused with room again") }
    return Finding(
      text:
        "\(before.other.count) stored, \(full.refused) of 40 refused, \(after.other.count) stored",
      faults: faults)
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
