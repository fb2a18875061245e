import Configuration
import EarthModel
import Formats
import Foundation
import LinuxIO
import Quantities
import ScriptedSource
import Servers
import TestSupport
import Testing

/// The expected texts of rotctl are those of rotctld 4.5.4 for its dummy rotator.
@Suite("Protocols for telescopes and antennas", .timeLimit(.minutes(30)))
struct PointingServerTests {
  private func rig(_ keys: [String: String] = [:], policy: String = "") throws -> ServiceRig {
    try ServiceRig(policy: policy) { configuration in
      ServeKey.apply(keys, to: &configuration)
      // The kernel chooses the ports.
      configuration.pointing.rotctl = 0
      configuration.pointing.lx200 = 0
      configuration.pointing.stellarium = 0
      configuration.pointing.host = "127.0.0.1"
    }
  }

  /// The bow at 85° true, 30° above the horizon.
  private static func estimate(_ number: Int) -> Estimate {
    var e = Estimate.fix(latitude: 48.5, longitude: 11.25, at: Double(number + 1) * 0.1)
    e.utc = UTCTime(secondsSince1970: 1_782_944_130 + Double(number) * 0.1)
    e.attitude = Rotation(
      AttitudeAngles(heading: Angle(degrees: 80), pitch: Angle(degrees: 30), roll: .zero))
    e.isLevelKnown = true
    e.trueHeading = TrueHeading(Angle(degrees: 85))
    e.headingState = .live
    return e
  }

  /// Sends estimates until a text arrives.
  private func text(
    with part: String, _ client: PortClient, _ rig: ServiceRig,
    change: (inout Estimate) -> Void = { _ in }
  ) -> String {
    for number in 0..<400 {
      var estimate = Self.estimate(number)
      change(&estimate)
      rig.publisher.send(estimate)
      let text = client.text(with: part, within: 0.025)
      if text.contains(part) { return text }
    }
    return client.text(with: part, within: 1)
  }

  /// Sends estimates until a message of Stellarium arrives.
  private func message(_ client: PortClient, _ rig: ServiceRig) throws -> [UInt8] {
    for number in 0..<400 {
      rig.publisher.send(Self.estimate(number))
      let message = try client.bytes(24, within: 0.025)
      if !message.isEmpty { return message }
    }
    return []
  }

  @Test("rotctl reads the direction, and each form of an answer is that of rotctld")
  func rotctl() throws {
    let rig = try rig()
    let client = try PortClient(rig, "rotctl-port")
    try client.send("p\n")
    #expect(text(with: "30.00\n", client, rig) == "85.00\n30.00\n")
    let cases = [
      ("+p\n", "get_pos:\nAzimuth: 85.00\nElevation: 30.00\nRPRT 0\n"),
      (";\\get_pos\n", "get_pos:;Azimuth: 85.00;Elevation: 30.00;RPRT 0\n"),
      (" p p\r\n", "85.00\n30.00\n85.00\n30.00\n"),
      (
        "+p;p\n",
        "get_pos:\nAzimuth: 85.00\nElevation: 30.00\nRPRT 0\n"
          + "get_pos:;Azimuth: 85.00;Elevation: 30.00;RPRT 0\n"
      ),
      ("# comment\nS\n", "RPRT 0\n"), ("P 10 20\n", "RPRT -11\n"),
      ("+P 10 20\n", "set_pos: 10 20\nRPRT -11\n"), ("K\n", "RPRT -11\n"),
      ("M 8 10\n", "RPRT -11\n"), ("nonsense\n", "RPRT -4\n"), ("\\nonsense\n", "RPRT -4\n"),
      ("R 1\n", "RPRT -9\n"), ("_\n", "Lodestar \(Version.text)\n"),
      (
        "\\dump_state\n",
        "1\n2\nmin_az=0.000000\nmax_az=360.000000\n"
          + "min_el=-90.000000\nmax_el=90.000000\nsouth_zero=0\nrot_type=AzEl\ndone\n"
      ),
      (
        ";\\dump_state\n",
        "dump_state:;rotctld Protocol Ver: 1;Rotor Model: 2;Minimum Azimuth: 0.000000;"
          + "Maximum Azimuth: 360.000000;Minimum Elevation: -90.000000;"
          + "Maximum Elevation: 90.000000;South Zero: 0;rot_type=AzEl;done;RPRT 0\n"
      ),
    ]
    for (request, answer) in cases {
      rig.publisher.send(Self.estimate(500))
      let client = try PortClient(rig, "rotctl-port")
      try client.send(request)
      #expect(text(with: answer, client, rig) == answer, "\(request)")
    }
    let last = try PortClient(rig, "rotctl-port")
    try last.send("q\n")
    rig.publisher.send(Self.estimate(501))
    #expect(last.isClosed())
    rig.daemon.stop()
  }

  @Test("a lost heading, and a source that is silent, have no direction, and a new one has again")
  func lost() throws {
    let rig = try rig()
    let rotctl = try PortClient(rig, "rotctl-port")
    try rotctl.send("p\n")
    _ = text(with: "30.00\n", rotctl, rig)
    let lose: (inout Estimate) -> Void = { ($0.headingState, $0.trueHeading) = (.lost, nil) }
    var lost = Self.estimate(600)
    lose(&lost)
    let isUnknown = { (client: PortClient) in
      do { try client.send("p\n") } catch { Issue.record(error) }
      return client.text(with: "RPRT -6\n", within: 0.1).hasSuffix("RPRT -6\n")
    }
    #expect(
      eventually {
        rig.publisher.send(lost)
        return isUnknown(rotctl)
      })
    // Without an answer the next one answers the next request.
    let lx200 = try PortClient(rig, "lx200-port")
    try lx200.send(":GZ#:GR#:GVP#")
    #expect(text(with: "#", lx200, rig, change: lose) == "Lodestar#")
    let back = try PortClient(rig, "lx200-port")
    try back.send(":GZ#")
    #expect(text(with: "#", back, rig).hasPrefix("085"))
    let silent = try PortClient(rig, "rotctl-port")
    #expect(eventually { isUnknown(silent) })
    rig.daemon.stop()
  }

  @Test("LX200 reads direction, star, place and time of the date, and refuses to be set or moved")
  func lx200() throws {
    let rig = try rig()
    let client = try PortClient(rig, "lx200-port")
    try client.send("\u{6}:GZ#")
    var got = text(with: "#", client, rig)
    #expect(got.hasPrefix("A085"), "\(got)")
    for (request, answer) in [
      (":GA#", "+30"), (":GVP#", "Lodestar#"), (":Gt#", "+48"), (":Gg#", "-011"),
      (":GC#", "07/01/26#"),
      (":GG#", "+00#"), (":SC07/01/26#:D#", "0#"), (":MS#", "2A sensor has no motor#"),
      (":CM#", "Not aligned: no star named#"), (":Sr05:34:32#:Sd+91*00#", "10"),
      (":Sr05:34:32#:Sd+22*00:52#:CM#", "11Not aligned: not permitted by pointing-align#"),
      (":GW#", "AN0#"), (":U#:Sr05:34:32#:Gr#", "105:34.5#"), (":Q#:RS#:Mn#:GZ#", "085"),
    ] {
      let client = try PortClient(rig, "lx200-port")
      try client.send(request)
      got = text(with: answer, client, rig)
      #expect(got.contains(answer), "\(request): \(got)")
    }
    rig.daemon.stop()
  }

  @Test("requests that fill the input are all answered")
  func pipelined() throws {
    let rig = try rig()
    let client = try PortClient(rig, "lx200-port")
    try client.send(String(repeating: ":GW#", count: 128) + ":GVP#")
    let got = text(with: "Lodestar#", client, rig)
    #expect(got == String(repeating: "AN0#", count: 128) + "Lodestar#", "\(got.count)")
    rig.daemon.stop()
  }

  @Test("an alignment by LX200 turns all protocols, is stored, and is removed by rotctl")
  func alignment() throws {
    let rig = try rig(["pointing-align": "local"])
    let client = try PortClient(rig, "lx200-port")
    try client.send(":Sr20:00:00#:Sd+10*00:00#:CM#:GR#")
    let got = text(with: "matched.#", client, rig)
    #expect(got.hasPrefix("11Coordinates matched.#"))
    #expect(text(with: "20:0", client, rig).contains("20:0"))
    let path = rig.configuration.stateFolder + "/pointing-alignment"
    let stored = try String(contentsOfFile: path, encoding: .utf8)
    #expect(stored.hasPrefix("forward "))
    rig.daemon.stop()
    try rig.restart()
    let rotctl = try PortClient(rig, "rotctl-port")
    try rotctl.send("p\n")
    let turned = text(with: ".", rotctl, rig)
    #expect(!turned.hasPrefix("85.00"))
    try rotctl.send("R 1\np\n")
    #expect(text(with: "85.00\n30.00\n", rotctl, rig).hasSuffix("RPRT 0\n85.00\n30.00\n"))
    #expect(try String(contentsOfFile: path, encoding: .utf8).isEmpty)
    rig.daemon.stop()
  }

  @Test("Stellarium receives J2000, a goto aligns where permitted, and a loss ends the connection")
  func stellarium() throws {
    let rig = try rig(["pointing-align": "network"])
    let client = try PortClient(rig, "stellarium-port")
    let first = try message(client, rig)
    #expect(first.prefix(4) == [24, 0, 0, 0] && first.suffix(4) == [0, 0, 0, 0])
    let report = PointingReport(axis: .forward)
    let direction = try #require(report.j2000(Self.estimate(0)))
    let code = first[12..<16].enumerated().reduce(0) { $0 | Int($1.element) << ($1.offset * 8) }
    let turned = Angle(degrees: Double(code) / 4_294_967_296 * 360) - direction.rightAscension
    #expect(abs(turned.wrappedToHalfTurn.degrees) < 0.02)
    try client.send(bytes: [20, 0, 0, 0] + [UInt8](repeating: 0, count: 16))
    let path = rig.configuration.stateFolder + "/pointing-alignment"
    #expect(
      eventually {
        rig.publisher.send(Self.estimate(700))
        return FileManager.default.fileExists(atPath: path)
      })
    var lost = Self.estimate(800)
    (lost.headingState, lost.trueHeading) = (.lost, nil)
    rig.publisher.send(lost)
    _ = try client.bytes(1 << 20)
    #expect(client.hasEnded)
    let other = try PortClient(rig, "stellarium-port")
    try other.send(bytes: [1, 0, 0, 0])
    rig.publisher.send(Self.estimate(801))
    _ = try other.bytes(1 << 20)
    #expect(other.hasEnded)
    rig.daemon.stop()
  }

  @Test("who reads the star at the direction is named as a reader of the place; others are not")
  func readers() {
    var configuration = ServeConfiguration(socketPath: "/s", stateFolder: "/f")
    configuration.pointing.rotctl = 4533
    configuration.pointing.lx200 = 4030
    configuration.pointing.stellarium = 10_001
    configuration.pointing.host = "0.0.0.0"
    let lines = PlaceReaders(configuration, Policy()).lines
    for port in ["lx200-port 4030", "stellarium-port 10001"] {
      #expect(lines.contains { $0.hasPrefix(port) && $0.contains("0.0.0.0") }, "\(lines)")
    }
    #expect(!lines.contains { $0.contains("rotctl") })
  }

  @Test("after any bytes each port answers the next client")
  func anyBytes() throws {
    let rig = try rig(["pointing-align": "network"])
    let pieces: [(String, [String])] = [
      (
        "rotctl-port",
        ["p", "P 1", "+", ";", "\\get_pos", "\\", " ", "\n", "R 1", "1e999", "\u{FF}"]
      ),
      ("lx200-port", [":", "#", "GR", "CM", "Sr", "Sd", "99:99", "-", ".", "\u{6}", "9999999999"]),
      ("stellarium-port", ["\u{14}\u{0}\u{0}\u{0}", "\u{0}", "\u{4}\u{0}", "\u{7F}\u{7F}", "a"]),
    ]
    var random = SeededGenerator(seed: 47)
    for (port, parts) in pieces {
      for _ in 0..<40 {
        rig.publisher.send(Self.estimate(0))
        let client = try PortClient(rig, port)
        let text = (0..<60).map { _ in parts[Int.random(in: 0..<parts.count, using: &random)] }
          .joined()
        // The server may have closed the connection already.
        do { try client.send(text) } catch { continue }
      }
    }
    let rotctl = try PortClient(rig, "rotctl-port")
    try rotctl.send("\\dump_state\n")
    #expect(text(with: "done\n", rotctl, rig).hasPrefix("1\n2\n"))
    let lx200 = try PortClient(rig, "lx200-port")
    try lx200.send(":GVP#")
    #expect(text(with: "#", lx200, rig) == "Lodestar#")
    let stellarium = try PortClient(rig, "stellarium-port")
    #expect(try message(stellarium, rig).count == 24)
    rig.daemon.stop()
  }

  @Test("a policy that denies gives no direction")
  func policy() throws {
    let rig = try rig(policy: "applications: {org.lodestar.pointing: {authorization: denied}}\n")
    let client = try PortClient(rig, "rotctl-port")
    try client.send("p\n")
    #expect(text(with: "RPRT", client, rig) == "RPRT -6\n")
    rig.daemon.stop()
  }
}
