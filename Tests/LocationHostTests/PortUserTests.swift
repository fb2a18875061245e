import Foundation
import LinuxIO
import LocationHost
import Servers
import TestSupport
import Testing

/// The clients are processes of a user who is not root, and not in root's group.
@Suite(
  "The users of a port", .enabled(if: BuiltProgram.installed("python3") != nil, "no python3"),
  .timeLimit(.minutes(30)))
struct PortUserTests {
  private static let restricted = "group: root\n"

  private func rig(policy: String, host: String = "127.0.0.1") throws -> ServiceRig {
    let rig = try ServiceRig(policy: policy) {
      $0.gpsd = StreamAddress(host: host, port: 0)
      $0.nmea.socket = $0.socketPath + ".nmea"
      $0.http.address = StreamAddress(host: host, port: 0)
    }
    // The client enters the folder.
    #expect(chmod(rig.folder.path, 0o755) == 0)
    return rig
  }

  /// What a client receives before the server ends the connection, or as the first bytes; "closed"
  /// for nothing but the end, "silent" where the connection stays open without output for a while.
  private func received(_ place: String, waiting seconds: Double) throws -> String {
    let script = """
      import os, socket, sys
      if os.getuid() == 0:
          os.setgroups([])
          os.setgid(12345)
          os.setuid(12345)
      place = sys.argv[1]
      if place.startswith("/"):
          s = socket.socket(socket.AF_UNIX)
          s.connect(place)
      else:
          s = socket.create_connection(place.rsplit(":", 1))
      s.settimeout(float(sys.argv[2]))
      try:
          data = s.recv(65536)
          sys.stdout.write(data.decode() or "closed")
      except socket.timeout:
          sys.stdout.write("silent")
      """
    let python = try #require(BuiltProgram.installed("python3"))
    let outcome = try python.run(["-c", script, place, "\(seconds)"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome.text
  }

  @Test("who is not in the policy's group receives nothing, at TCP ports and at Unix sockets")
  func outsideGroup() throws {
    // A machine without IPv6 has no ::1.
    let hasIPv6 = !(FileManager.default.contents(atPath: "/proc/net/if_inet6") ?? Data()).isEmpty
    for host in ["127.0.0.1"] + (hasIPv6 ? ["::1"] : []) {
      let rig = try rig(policy: Self.restricted, host: host)
      let port = try #require(rig.daemon.serverPorts["gpsd-port"])
      let text = try received("\(host):\(port)", waiting: 20)
      #expect(text.contains("ERROR") && text.contains("not in the group 'root'"), "\(text)")
      let page = try #require(rig.daemon.serverPorts["http-port"])
      let answer = try received("\(host):\(page)", waiting: 20)
      #expect(answer.hasPrefix("HTTP/1.1 403 ") && answer.contains("not in the group"), "\(answer)")
    }
    let rig = try rig(policy: Self.restricted)
    #expect(try received(rig.configuration.nmea.socket ?? "", waiting: 20) == "closed")
    #expect(rig.logged.all.contains { $0.contains("a client was refused: user ") })
  }

  @Test("without a group every user of the machine is served")
  func everyone() throws {
    let rig = try rig(policy: "")
    let port = try #require(rig.daemon.serverPorts["gpsd-port"])
    let text = try received("127.0.0.1:\(port)", waiting: 20)
    #expect(text.contains("VERSION"), "\(text)")
    #expect(try received(rig.configuration.nmea.socket ?? "", waiting: 0.5) == "silent")
  }

  @Test("a new group disconnects who is not in it")
  func newGroup() throws {
    let rig = try rig(policy: "")
    let script = """
      import os, socket, sys
      if os.getuid() == 0:
          os.setgroups([])
          os.setgid(12345)
          os.setuid(12345)
      s = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
      s.settimeout(60)
      while True:
          data = s.recv(65536)
          print(data.decode() or "closed", flush=True)
          if not data:
              break
      """
    let port = try #require(rig.daemon.serverPorts["gpsd-port"])
    let (client, output) = (ChildProcess(), Pipe())
    // Not by PATH, which may name a Python that only root can read.
    let python = try #require(BuiltProgram.installed("python3"))
    client.executableURL = URL(fileURLWithPath: python.path)
    client.arguments = ["-c", script, "\(port)"]
    client.standardOutput = output
    try client.start(endingAfter: 120)
    let first = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    #expect(first.contains("VERSION"), "\(first)")
    try rig.setPolicy(Self.restricted)
    rig.daemon.reload()
    let rest = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(rest.contains("closed"), "\(rest)")
    #expect(rig.logged.all.contains { $0.contains("a client was disconnected: user ") })
    client.waitOrKill()
  }
}
