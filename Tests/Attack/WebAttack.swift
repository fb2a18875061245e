import Foundation
import LinuxIO
import Quantities

extension Attack {
  /// Clients of the HTTP port.
  static let web = Attack(
    name: "web",
    what:
      "HTTP: endless lines, headers, bodies and frames, half requests, connections in a row, idle ones, clients that "
      + "do not read",
    start: { program, _ in
      try AttackedDaemon(program, ports: AttackedDaemon.Ports(http: Attack.freePort()))
    }
  ) { daemon, isLong in
    let begin = MonotonicClock.now
    func connect(_ text: String = "") throws -> StreamSocket {
      let socket = try Attack.connect(daemon.ports.http)
      try socket.write(Array(text.utf8), until: MonotonicClock.now.advanced(bySeconds: 5))
      return socket
    }
    var faults: [String] = []
    func serves(_ after: String) throws {
      let before = MonotonicClock.now
      let socket = try connect("GET /api/v1/status HTTP/1.1\r\nHost: localhost\r\n\r\n")
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = try socket.read(
        into: &buffer, until: MonotonicClock.now.advanced(bySeconds: Limits.gap))
      let seconds = MonotonicClock.now.seconds(since: before)
      if !String(decoding: buffer[..<count], as: UTF8.self).hasPrefix("HTTP/1.1 200") {
        faults.append("no answer within \(format(seconds)) s after \(after)")
      }
    }
    let upgrade =
      "GET /api/v1/stream HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
      + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    // These are disconnected while the others attack.
    let halves = try (0..<20).map { _ in try connect("GET /api/v1/stream HTTP/1.1\r\nUpgrade: webs")
    }
    let slow = try (0..<20).map { _ in try connect("G") }
    let unread = try (0..<20).map { _ in
      let socket = try connect()
      // The kernel must not take all answers for the client.
      var size: Int32 = 4096
      setsockopt(socket.file, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
      let request = "GET /page.js HTTP/1.1\r\nHost: localhost\r\n\r\n"
      try socket.write(
        Array(String(repeating: request, count: 300).utf8),
        until: MonotonicClock.now.advanced(bySeconds: 5))
      return socket
    }
    let viewers = try (0..<20).map { _ in try connect(upgrade) }
    let longest = isLong ? 1 << 30 : 1 << 26
    var accepted = 0
    let heads = [
      "line": "GET /", "header": "GET / HTTP/1.1\r\nA: ",
      "body": "POST / HTTP/1.1\r\nContent-Length: 1073741824\r\n\r\n",
      "chunk": "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n40000000\r\n",
      "nothing": "",
    ]
    for (name, head) in heads {
      for letter in name == "line" ? ["x", "\0", "\r\n"] : ["x"] {
        let block = Array(String(repeating: letter, count: 65_536).utf8)
        accepted = max(accepted, Attack.send(block, longest, try connect(head)))
        try serves(name)
      }
    }
    // A frame of a gigabyte, one of 2^63 bytes, and pings whose answers are not read.
    var framed: [StreamSocket] = []
    for frame: [UInt8] in [
      [0x81, 0xFF, 0, 0, 0, 0, 0x40, 0, 0, 0, 0, 0, 0, 0],
      [0x81, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0],
      [0x89, 0x84, 0, 0, 0, 0, 1, 2, 3, 4],
    ] {
      let socket = try connect(upgrade)
      framed.append(socket)
      Thread.sleep(forTimeInterval: 0.2)
      let block = frame.count == 10 ? [[UInt8]](repeating: frame, count: 5000).flatMap { $0 } : []
      _ = Attack.send(frame, frame.count, socket)
      _ = Attack.send(block.isEmpty ? [UInt8](repeating: 0, count: 65_536) : block, longest, socket)
      try serves("a frame")
    }
    var random = SystemRandomNumberGenerator()
    for number in 1...(isLong ? 10_000 : 200) {
      let garbage = (0..<200).map { _ in UInt8.random(in: 0...255, using: &random) }
      _ = Attack.send(garbage, 200, try connect())
      // More than 128 connections at a time would close those above before their time.
      if number % 40 == 0 { Thread.sleep(forTimeInterval: 0.15) }
    }
    try serves("garbage")
    // A byte each five seconds.
    while MonotonicClock.now.seconds(since: begin) < 26 {
      for socket in slow { _ = Attack.send([69], 1, socket) }
      Thread.sleep(forTimeInterval: 5)
    }
    // Only now, for the same reason.
    for _ in 0..<(isLong ? 10_000 : 1000) { _ = try connect() }
    let idle = try (0..<900).map { _ in try connect() }
    Thread.sleep(forTimeInterval: 0.2)
    try serves("900 idle connections")
    for line in [
      "a request of more than 16384 bytes", "a message of more than 16384 bytes",
      "no complete request within 20 s", "it does not read", "its client does not read",
      "more than 128 connections",
    ] where !daemon.log.contains(line) { faults.append("no line in the log: \(line)") }
    withExtendedLifetime((halves, unread, viewers, framed, idle)) {}
    return Finding(
      text: "at most \(accepted >> 20) MiB accepted by the kernel, \(daemon.files) files",
      faults: faults)
  }
}
