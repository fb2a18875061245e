import Foundation
import LinuxIO
import Quantities

extension Attack {
  /// Clients of the TCP ports of gpsd's protocol and of NMEA 0183.
  static let port = Attack(
    name: "port",
    what:
      "gpsd and NMEA: connections in a row, garbage, requests without an end, clients that do not read",
    start: { program, _ in
      let ports = try AttackedDaemon.Ports(gpsd: Attack.freePort(), nmea: Attack.freePort())
      return try AttackedDaemon(program, ports: ports)
    }
  ) { daemon, isLong in
    func connect() throws -> StreamSocket { try Attack.connect(daemon.ports.gpsd) }
    // Plotters that do not read, and one that sends what no plotter sends.
    let plotters = try (0..<300).map { _ in try Attack.connect(daemon.ports.nmea) }
    _ = Attack.send(
      [UInt8](repeating: 36, count: 65_536), 1 << 26, try Attack.connect(daemon.ports.nmea))
    let rows = isLong ? 10_000 : 1000
    for _ in 0..<rows { _ = try connect() }
    let longest = isLong ? 1 << 30 : 1 << 26
    var accepted = 0
    for letter in ["?", "{", " ", "x", ";"] {
      let block = [UInt8](repeating: letter.utf8.first ?? 0, count: 65_536)
      accepted = max(accepted, Attack.send(block, longest, try connect()))
    }
    var random = SystemRandomNumberGenerator()
    for _ in 0..<(isLong ? 10_000 : 200) {
      let garbage = (0..<200).map { _ in UInt8.random(in: 0...255, using: &random) }
      _ = Attack.send(garbage, 200, try connect())
    }
    // More watchers than the port has places, which request everything and read nothing.
    let request = Array(
      "?WATCH={\"enable\":true,\"json\":true,\"nmea\":true,\"scaled\":true};".utf8)
    let client = try connect()
    _ = Attack.send(request, request.count, client)
    let watchers = try (0..<300).map { _ in try connect() }
    for watcher in watchers { _ = Attack.send(request, request.count, watcher) }
    /// What the client receives until it contains a text, at most within some seconds.
    func receive(until part: String, _ seconds: Double) throws -> String {
      var (text, buffer) = ("", [UInt8](repeating: 0, count: 65_536))
      let deadline = MonotonicClock.now.advanced(bySeconds: seconds)
      while !text.contains(part), MonotonicClock.now < deadline {
        let count = try client.read(into: &buffer, until: deadline)
        text = text.suffix(100) + String(decoding: buffer[..<count], as: UTF8.self)
      }
      return text
    }
    _ = try receive(until: "no such text", isLong ? 120 : 3)
    let polls = Array(String(repeating: "?POLL;", count: 10_000).utf8)
    for watcher in watchers.prefix(isLong ? 50 : 5) { _ = Attack.send(polls, polls.count, watcher) }
    // The client that was there before has its positions.
    _ = try receive(until: "no such text", 0.5)
    let isServed = try receive(until: "\"TPV\"", 5).contains("\"TPV\"")
    withExtendedLifetime(plotters) {}
    return Finding(
      text: "\(rows) connections, a request of \(accepted >> 20) MiB, \(watchers.count) watchers",
      faults: isServed ? [] : ["a client that reads receives no position"])
  }
  /// A port that was free a moment ago.
  static func freePort() throws -> Int { try StreamListener(host: "127.0.0.1", port: 0).port ?? 0 }

  /// Connects to a port of the daemon.
  static func connect(_ port: Int) throws -> StreamSocket {
    try StreamSocket(
      host: "127.0.0.1", port: port, until: MonotonicClock.now.advanced(bySeconds: 5))
  }

  /// Sends until the daemon disconnects, at most some bytes.
  static func send(_ block: [UInt8], _ bytes: Int, _ socket: StreamSocket) -> Int {
    var sent = 0
    do throws(NetworkError) {
      while sent < bytes {
        try socket.write(block, until: MonotonicClock.now.advanced(bySeconds: 2))
        sent += block.count
      }
    } catch {}
    return sent
  }
}
