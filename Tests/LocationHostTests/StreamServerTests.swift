import Board
import Foundation
import LinuxIO
import LocationHost
import Quantities
import ReceiverProtocols
import ScriptedSource
import Servers
import TestSupport
import Testing

/// A program's end of a TCP port.
final class PortClient {
  private let socket: StreamSocket
  private var text = ""
  private(set) var hasEnded = false

  init(_ rig: ServiceRig, _ option: String) throws {
    let port = try #require(rig.daemon.serverPorts[option])
    socket = try StreamSocket(
      host: "127.0.0.1", port: port, until: MonotonicClock.now.advanced(bySeconds: 5))
  }

  func send(_ text: String) throws {
    try socket.write(Array(text.utf8), until: MonotonicClock.now.advanced(bySeconds: 5))
  }

  /// What has arrived until it contains a text, at most within some seconds.
  func text(with part: String, within seconds: Double = 10) -> String {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let deadline = MonotonicClock.now.advanced(bySeconds: seconds)
    while !text.contains(part), !hasEnded, MonotonicClock.now < deadline {
      do throws(NetworkError) {
        let count = try socket.read(into: &buffer, until: deadline)
        text += String(decoding: buffer[..<count], as: UTF8.self)
      } catch { hasEnded = true }
    }
    return text
  }

  func send(bytes: [UInt8]) throws {
    try socket.write(bytes, until: MonotonicClock.now.advanced(bySeconds: 5))
  }

  /// What arrives within some seconds, at most so many bytes.
  func bytes(_ count: Int, within seconds: Double = 10) throws -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: count)
    let deadline = MonotonicClock.now.advanced(bySeconds: seconds)
    var bytes: [UInt8] = []
    while bytes.count < count, MonotonicClock.now < deadline {
      do throws(NetworkError) {
        let arrived = try socket.read(into: &buffer, until: deadline)
        bytes += buffer[..<arrived]
      } catch {
        hasEnded = true
        break
      }
    }
    return Array(bytes.prefix(count))
  }

  /// Whether the daemon closes the connection.
  func isClosed() -> Bool {
    _ = text(with: "\u{0}", within: 10)
    return hasEnded
  }
}

@Suite("Servers of TCP ports", .timeLimit(.minutes(30)))
struct StreamServerTests {
  private func rig() throws -> ServiceRig {
    try ServiceRig {
      $0.gpsd = StreamAddress(host: "127.0.0.1", port: 0)
      $0.nmea.address = StreamAddress(host: "127.0.0.1", port: 0)
    }
  }

  private static func fix(_ number: Int) -> Estimate {
    var estimate = Estimate.fix(latitude: 54.5, longitude: 10.25, at: Double(number + 1) * 0.1)
    estimate.utc = UTCTime(secondsSince1970: 1_700_000_000 + Double(number) * 0.1)
    estimate.altitudeMetres = 2
    estimate.ellipsoidalAltitudeMetres = 44
    estimate.speedMetresPerSecond = 3
    estimate.course = Angle(degrees: 45)
    estimate.magneticHeading = MagneticHeading(Angle(degrees: 40))
    estimate.trueHeading = TrueHeading(Angle(degrees: 44))
    return estimate
  }

  /// Sends estimates until a text arrives.
  private func await_(_ part: String, _ client: PortClient, _ rig: ServiceRig) -> String {
    for number in 0..<400 {
      rig.publisher.send(Self.fix(number))
      let text = client.text(with: part, within: 0.025)
      if text.contains(part) { return text }
    }
    return client.text(with: part, within: 1)
  }

  @Test("a gpsd client that watches receives its version, devices, watch, position and attitude")
  func watch() throws {
    let rig = try rig()
    let client = try PortClient(rig, "gpsd-port")
    #expect(client.text(with: "\r\n").hasPrefix("{\"class\":\"VERSION\",\"release\":\"3.22\""))
    try client.send("?WATCH={\"enable\":true,\"json\":true}")
    try client.send(";\n")
    let text = await_("\"class\":\"ATT\"", client, rig)
    let lines = text.split(separator: "\r\n")
    let classes = lines.map { $0.prefix(18) }
    #expect(classes.contains { $0.hasPrefix("{\"class\":\"DEVICES\"") })
    #expect(text.contains("\"enable\":true,\"json\":true,\"nmea\":false,\"raw\":0"))
    let position = lines.first { $0.hasPrefix("{\"class\":\"TPV\"") } ?? ""
    for part in [
      "\"mode\":3", "\"lat\":54.500000000", "\"lon\":10.250000000", "\"altHAE\":44.0000",
      "\"altMSL\":2.0000", "\"track\":45.0000", "\"speed\":3.000", "\"eph\":10.000",
      "\"magvar\":4.0", "\"geoidSep\":42.000",
    ] { #expect(position.contains(part), "\(part) in \(position)") }
    #expect(text.contains("\"heading\":44.000,\"mheading\":40.000"))
    for line in lines.dropLast() {
      _ = try JSONSerialization.jsonObject(with: Data(line.utf8))
      #expect(line.utf8.count < 10_240)
    }
    rig.daemon.stop()
    #expect(client.isClosed())
  }

  @Test("requests are answered in any packets, and unknown ones with an error")
  func requests() throws {
    let rig = try rig()
    let client = try PortClient(rig, "gpsd-port")
    try client.send(" ?VERSION; \t?DEV")
    try client.send("ICES;\r\n?WATCH;?POLL;nonsense;?WATCH={\"enable\":3};?DEVICE;")
    let text = client.text(with: "\"class\":\"DEVICE\",\"path\"")
    let classes = text.split(separator: "\r\n").compactMap { line -> String? in
      let object = Data(line.utf8)
      return line.split(separator: "\"").dropFirst(3).first.map {
        "\($0)\(object.isEmpty ? "!" : "")"
      }
    }
    #expect(
      classes == [
        "VERSION", "VERSION", "DEVICES", "DEVICES", "WATCH", "POLL", "ERROR", "ERROR", "WATCH",
        "DEVICE",
      ])
    #expect(text.contains("Unrecognized request 'nonsense'"))
    #expect(text.contains("\"enable\":false"))
    try client.send("?WATCH={\"enable\": false, \"device\": \"/dev/a b\", \"json\"\n:true};")
    #expect(client.text(with: "/dev/a b").contains("No such device as /dev/a b"))
    rig.daemon.stop()
  }

  @Test("a poll without a watch has the newest fix once another client watches")
  func poll() throws {
    let rig = try rig()
    let watcher = try PortClient(rig, "gpsd-port")
    try watcher.send("?WATCH={\"enable\":true,\"json\":true};")
    let poller = try PortClient(rig, "gpsd-port")
    try poller.send("?WATCH={\"enable\":true};")
    _ = await_("\"class\":\"TPV\"", watcher, rig)
    try poller.send("?POLL;")
    let text = poller.text(with: "\"sky\":[")
    // Without a format in its watch a client receives what it polls, and nothing else.
    #expect(!text.contains("\n{\"class\":\"TPV\""))
    #expect(
      text.contains("\"class\":\"POLL\"")
        && text.contains("\"active\":1,\"tpv\":[{\"class\":\"TPV\""))
    rig.daemon.stop()
  }

  private static func sky(_ number: Int, count: Int = 2) -> ReceiverOutput {
    var sky = SkyReport(
      timestamp: Timestamp(nanoseconds: UInt64(number) * 100_000_000),
      utc: UTCTime(secondsSince1970: 1_700_000_000 + Double(number) * 0.1),
      satellites: (1...count).map {
        SkyView.Satellite(
          id: SatelliteID(constellation: .glonass, number: UInt16($0)), elevationDegrees: 40,
          azimuthDegrees: 90,
          signalDecibelHertz: 44, isUsed: $0 == 1)
      })
    sky.horizontalDilution = 0.8
    return .sky(sky)
  }

  /// A watching client, once the host asks the receiver for its output.
  private func watcher(_ rig: ServiceRig, _ watch: String) throws -> PortClient {
    let client = try PortClient(rig, "gpsd-port")
    try client.send("?WATCH={\"enable\":true,\(watch)};")
    #expect(client.text(with: "\"class\":\"WATCH\"").contains("\"class\":\"WATCH\""))
    #expect(eventually { rig.publisher.receiverObserverCount > 0 })
    return client
  }

  @Test("satellites of the receiver come once a second, instead of the fix's number, and in polls")
  func satellites() throws {
    let rig = try rig()
    let client = try watcher(rig, "\"json\":true")
    for number in 0..<20 {
      rig.publisher.send(Self.sky(number))
      var fix = Self.fix(number)
      (fix.satellitesUsed, fix.horizontalDilution) = (9, 0.7)
      rig.publisher.send(fix)
    }
    rig.publisher.send(Self.sky(25, count: 3))
    let lines = client.text(with: "\"nSat\":3").split(separator: "\r\n")
    let skies = lines.filter { $0.contains("\"class\":\"SKY\"") }
    // Those of 0, 0.5 and 1.5 seconds, each the first of its rounded second, then the last.
    #expect(skies.count == 4, "\(skies)")
    #expect(
      skies.first?.contains(
        "\"nSat\":2,\"uSat\":1,\"satellites\":[{\"PRN\":65,\"el\":40.0,\"az\":90.0,\"ss\":44.0")
        == true)
    #expect(!skies.contains { $0.contains("\"uSat\":9") })
    #expect(lines.contains { $0.contains("\"class\":\"TPV\"") })
    try client.send("?POLL;")
    let poll = client.text(with: "\"sky\":[").components(separatedBy: "\"sky\":[").last ?? ""
    #expect(poll.contains("\"nSat\":3"))
    rig.daemon.stop()
  }

  @Test("without satellites of the receiver a fix has their number")
  func satellitesOfFix() throws {
    let rig = try rig()
    let client = try watcher(rig, "\"json\":true")
    var text = ""
    for number in 0..<400 where !text.contains("\"uSat\":9") {
      var fix = Self.fix(number)
      fix.satellitesUsed = 9
      rig.publisher.send(fix)
      text = client.text(with: "\"uSat\":9", within: 0.025)
    }
    #expect(text.contains("\"class\":\"SKY\""))
    #expect(!text.contains("\"satellites\""))
    rig.daemon.stop()
  }

  /// An empty UBX-MON-VER poll.
  private static let frame: [UInt8] = [0xB5, 0x62, 0x0A, 0x04, 0x00, 0x00, 0x0E, 0x34]
  private static let sentence = "$GNTXT,01,01,02,ANTSTATUS=OK*25"

  @Test("raw mode 1 has the receiver's sentences and its binary frames as digits, 2 its bytes")
  func raw() throws {
    let rig = try rig()
    let text = try watcher(rig, "\"raw\":1")
    let bytes = try watcher(rig, "\"raw\":2")
    let both = try watcher(rig, "\"raw\":2,\"json\":true")
    let sent = Array((Self.sentence + "\r\n").utf8) + Self.frame + Array("$GPend\r\n".utf8)
    // In pieces, with estimates between them.
    for (number, piece) in [sent[..<9], sent[9..<36], sent[36...]].enumerated() {
      rig.publisher.send(.bytes(Array(piece)))
      rig.publisher.send(Self.fix(number * 10))
    }
    let end = "$GPend\r\n"
    let shown = text.text(with: end)
    #expect(shown.hasSuffix("\(Self.sentence)\r\nb5620a0400000e34\r\n\(end)"))
    #expect(!shown.contains("$GPRMC"))
    let same = String(decoding: sent, as: UTF8.self)
    #expect(bytes.text(with: end).hasSuffix(same))
    let mixed = both.text(with: end)
    #expect(mixed.contains("\r\n\(Self.sentence)\r\n"))
    #expect(mixed.contains(String(decoding: Self.frame, as: UTF8.self)))
    rig.daemon.stop()
  }

  @Test("raw modes have sentences of the fix where the receiver sends no bytes")
  func rawWithoutBytes() throws {
    let rig = try rig()
    let client = try watcher(rig, "\"raw\":1")
    #expect(await_("$GPRMC", client, rig).contains("$GPGGA,"))
    rig.daemon.stop()
  }

  @Test("arrivals of times and confirmed pulses come to those who request pulses only")
  func pulses() throws {
    let rig = try rig()
    let client = try watcher(rig, "\"pps\":true")
    let other = try watcher(rig, "\"json\":true")
    let second = UTCTime(nanosecondsSince1970: 1_700_000_000_000_000_000)
    let instant = Timestamp(nanoseconds: 1)
    let pulse = MarkedPulse(
      instant: instant, second: second, systemUTC: UTCTime(nanosecondsSince1970: 5))
    rig.publisher.send(.pulse(PulseReport(pulse, isPaired: false)))
    rig.publisher.send(.pulse(PulseReport(pulse, isPaired: true)))
    let clock = UTCTime(nanosecondsSince1970: 1_700_000_000_150_000_000)
    rig.publisher.send(.time(ReceiverTime(utc: second, arrival: instant, systemUTC: clock)))
    rig.publisher.send(Self.sky(0))
    let text = client.text(with: "\"clock_nsec\":150000000}\r\n")
    #expect(text.components(separatedBy: "\"class\":\"PPS\"").count == 2)
    #expect(
      text.contains("\"real_sec\":1700000000,\"real_nsec\":0,\"clock_sec\":0,\"clock_nsec\":5,"))
    #expect(text.contains("{\"class\":\"TOFF\",\"device\":"))
    let rest = other.text(with: "\"SKY\"")
    #expect(!rest.contains("\"PPS\"") && !rest.contains("\"TOFF\""))
    rig.daemon.stop()
  }

  @Test("an NMEA client of either port receives sentences without a request or with one")
  func sentences() throws {
    let rig = try rig()
    let plotter = try PortClient(rig, "nmea-port")
    let text = await_("$GPRMC", plotter, rig)
    #expect(text.contains("$HCHDG,40.0,,,4.0,E*"))
    #expect(text.contains("$GPGGA,") && text.contains(",5430.00000,N,01015.00000,E,1,"))
    let client = try PortClient(rig, "gpsd-port")
    try client.send("?WATCH={\"enable\":true,\"nmea\":true};")
    #expect(await_("$GPRMC", client, rig).contains("$HCHDT,44.0,T*"))
    #expect(!client.text(with: "\"TPV\"", within: 0.05).contains("\"TPV\""))
    rig.daemon.stop()
  }

  @Test("a request without an end and a client that does not read are disconnected, others go on")
  func hostile() throws {
    let rig = try rig()
    let endless = try PortClient(rig, "gpsd-port")
    do { for _ in 0..<64 { try endless.send(String(repeating: "{", count: 4096)) } } catch {
      // The daemon has closed the connection.
    }
    #expect(endless.isClosed())
    let deaf = try PortClient(rig, "gpsd-port")
    try deaf.send("?WATCH={\"enable\":true,\"nmea\":true,\"json\":true};")
    let good = try PortClient(rig, "gpsd-port")
    try good.send("?WATCH={\"enable\":true,\"json\":true};")
    #expect(await_("\"class\":\"TPV\"", good, rig).contains("\"mode\":3"))
    for number in 0..<6000 where !rig.logged.all.contains(where: { $0.contains("does not read") }) {
      rig.publisher.send(Self.fix(number))
      if number % 20 == 0 { _ = good.text(with: "\u{0}", within: 0.002) }
    }
    #expect(
      rig.logged.all.contains { $0.contains("gpsd: a client was disconnected: a request of more") })
    #expect(eventually { rig.logged.all.contains { $0.contains("it does not read") } })
    #expect(!good.hasEnded)
    rig.daemon.stop()
  }

  @Test("a port that is taken is one warning with its owner and the option, and the daemon goes on")
  func takenPort() throws {
    let other = try PortHolder()
    let rig = try ServiceRig { $0.gpsd = StreamAddress(host: "127.0.0.1", port: other.port) }
    let warnings = rig.logged.all.filter { $0.contains("port \(other.port) is in use") }
    #expect(warnings.count == 1)
    #expect(warnings.first?.contains("(pid \(other.pid))") == true)
    #expect(warnings.first?.contains("gpsd-port") == true)
    let client = try rig.client()
    client.stop()
    rig.daemon.stop()
    try other.end()
  }
}

/// Another program that listens at a free port of 127.0.0.1.
private struct PortHolder {
  private static let program =
    "import socket, sys; s = socket.create_server(('127.0.0.1', 0)); print(s.getsockname()[1], flush=True); sys.stdin.read()"

  let port: Int
  var pid: Int32 { process.processIdentifier }
  private let process = ChildProcess()
  private let input = Pipe()

  init() throws {
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-c", Self.program]
    (process.standardInput, process.standardOutput) = (input, output)
    try process.start()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    port = try #require(Int(line.prefix { $0.isNumber }))
  }

  /// Ends the program by the end of its input.
  func end() throws {
    try input.fileHandleForWriting.close()
    process.waitOrKill()
  }
}
