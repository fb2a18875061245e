import Foundation
import LinuxIO
import LocationHost
import Quantities
import ScriptedSource
import Servers
import TestSupport
import Testing

@Suite("NMEA 0183 without connections", .timeLimit(.minutes(30)))
struct NMEAOutputTests {
  private static func fix(_ number: Int) -> Estimate {
    var estimate = Estimate.fix(latitude: 54.5, longitude: 10.25, at: Double(number + 1) * 0.1)
    estimate.trueHeading = TrueHeading(Angle(degrees: 44))
    return estimate
  }

  /// What a descriptor reads while estimates are sent, until it contains a text.
  private func text(of file: Int32, with part: String, _ rig: ServiceRig) -> String {
    var (text, buffer) = ("", [UInt8](repeating: 0, count: 4096))
    for number in 0..<400 where !text.contains(part) {
      rig.publisher.send(Self.fix(number))
      var state = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
      guard poll(&state, 1, 25) > 0 else { continue }
      let count = read(file, &buffer, buffer.count)
      if count > 0 { text += String(decoding: buffer[..<count], as: UTF8.self) }
    }
    return text
  }

  @Test(
    "a datagram has the selected sentences with the talker"
  )
  func datagrams() throws {
    let receiver = try DatagramReceiver()
    let rig = try ServiceRig {
      $0.nmea.destination = DatagramAddress("127.0.0.1:\(receiver.port)")
      ServeKey.apply(["nmea-sentences": "HDT:10,GLL", "nmea-talker": "II"], to: &$0)
    }
    let text = text(of: receiver.file, with: "$IIGLL", rig)
    #expect(text.contains("$IIHDT,44.0,T*") && text.contains("$IIGLL,5430.00000,N,01015.00000,E,"))
    #expect(!text.contains("GGA"))
    rig.daemon.stop()
  }

  @Test(
    "the Unix socket has its mode, replaces a socket without a server, and is removed at the end")
  func unixSocket() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/nmea"
    // A socket that a killed program left.
    let left = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    let code = try UnixAddress(path: path).withPointer { bind(left, $0, $1) == 0 ? 0 : errno }
    #expect(code == 0)
    close(left)
    let rig = try ServiceRig {
      ($0.nmea.socket, $0.nmea.socketMode) = (path, 0o640)
    }
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o640)
    let client = try StreamSocket(path: path)
    let text = text(of: client.file, with: "$GPRMC", rig)
    withExtendedLifetime(client) {}
    #expect(text.contains("$GPGGA,") && text.contains(",5430.00000,N,01015.00000,E,"))
    rig.daemon.stop()
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test("another file, or the socket of another program, is not replaced by the Unix socket")
  func takenSocket() throws {
    let folder = try TemporaryFolder()
    let (file, served) = (folder.path + "/file", folder.path + "/served")
    try "text".write(toFile: file, atomically: true, encoding: .utf8)
    let other = try StreamListener(path: served, backlog: 1)
    for (path, reason) in [
      (file, "the file exists and is not a socket; remove it"),
      (served, "another program answers at this socket; end it"),
    ] {
      let rig = try ServiceRig { $0.nmea.socket = path }
      let line = "<4>NMEA 0183: \(path): \(reason), or name another path with nmea-socket"
      #expect(rig.logged.all.contains(line), "\(rig.logged.all)")
      rig.daemon.stop()
      #expect(FileManager.default.fileExists(atPath: path))
    }
    withExtendedLifetime(other) {}
  }

  @Test(
    "the pseudo-terminal is read through its link, which replaces a link, never a file, and is removed at the end"
  )
  func terminal() throws {
    let folder = try TemporaryFolder()
    let (link, taken) = (folder.path + "/nmea", folder.path + "/file")
    #expect(symlink("/nowhere", link) == 0)
    try "text".write(toFile: taken, atomically: true, encoding: .utf8)
    let rig = try ServiceRig { $0.nmea.terminal = link }
    // Without a reader the output is dropped, with one again from the next sentence on.
    for _ in 0..<2 {
      for number in 0..<20 { rig.publisher.send(Self.fix(number)) }
      let file = open(link, O_RDWR | O_NOCTTY)
      #expect(file >= 0)
      #expect(text(of: file, with: "$GPRMC", rig).contains("$HCHDT,44.0,T*"))
      close(file)
    }
    rig.daemon.stop()
    var status = stat()
    #expect(lstat(link, &status) != 0)
    let refused = try ServiceRig { $0.nmea.terminal = taken }
    #expect(refused.logged.all.contains { $0.contains("it is not a symbolic link") })
    refused.daemon.stop()
    #expect(try String(contentsOfFile: taken, encoding: .utf8) == "text")
  }

  @Test("keys that are not allowed are refused")
  func keys() {
    for (key, text) in [
      ("nmea-sentences", "HDG,HDG"), ("nmea-sentences", "ABC"), ("nmea-sentences", "HDG:99"),
      ("nmea-talker", "gp"), ("nmea-udp", "localhost:1"), ("nmea-udp", "127.0.0.1:0"),
      ("nmea-terminal", "nmea"),
    ] { #expect(ServeKey.fault(of: text, for: key) != nil, "\(key): \(text)") }
    for (key, text) in [
      ("nmea-sentences", "hdg:10,HDT=0.5,GSV"), ("nmea-udp", "[::1]:10110"),
      ("nmea-udp", "192.168.1.255:10110"), ("nmea-terminal", "/run/lodestar/nmea"),
    ] { #expect(ServeKey.fault(of: text, for: key) == nil, "\(key): \(text)") }
  }
}
