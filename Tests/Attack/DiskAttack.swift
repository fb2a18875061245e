import Foundation
import HostProtocol
import Monitoring

extension Attack {
  /// A full disk: commands are executed and reported as not stored, and everything is stored once there is room.
  static let disk = Attack(
    name: "disk", what: "a full disk below the state folder, then room again", needsRoot: true,
    start: { program, _ in try AttackedDaemon(program, diskMegabytes: 1) }
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
}
