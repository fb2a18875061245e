import Foundation
import LinuxIO
import Quantities

extension Attack {
  private typealias Bytes = [UInt8]

  // Packets of MQTT 3.1.1, OASIS standard, chapter 3: type, remaining length, content.
  private static let accepted: Bytes = [0x20, 2, 0, 0]
  private static let pong: Bytes = [0xD0, 0]

  /// A message of the broker, although nothing is subscribed.
  private static func published(_ quality: UInt8, payload: Int) -> Bytes {
    let topic = Array("a/b".utf8)
    let number: Bytes = quality > 0 ? [0, 7] : []
    let content = [0, UInt8(topic.count)] + topic + number + Bytes(repeating: 0x78, count: payload)
    return [0x30 | quality << 1] + length(content.count) + content
  }

  /// A remaining length: seven bits a byte, the lowest first.
  private static func length(_ count: Int) -> Bytes {
    var (rest, bytes) = (count, Bytes())
    repeat {
      bytes.append(UInt8(rest % 128) | (rest > 127 ? 0x80 : 0))
      rest /= 128
    } while rest > 0
    return bytes
  }

  /// Receives the daemon's CONNECT, sends the first bytes, then the others again and again; none:
  /// waits.
  private static func broker(_ first: Bytes, then more: Bytes = []) -> HostilePeer.Conduct {
    { client in
      _ = try client.receive()
      try client.send(first)
      if more.isEmpty { try client.pause() }
      while true { try client.send(more) }
    }
  }

  /// An acknowledgement of a message.
  private static func acknowledgement(_ number: UInt16) -> Bytes {
    [0x40, 2, UInt8(number >> 8), UInt8(number & 0xFF)]
  }

  /// Sends changed packets.
  private static func changed(_ seed: UInt64) -> HostilePeer.Conduct {
    { client in
      _ = try client.receive()
      var fuzz = MessageFuzz(
        seed: seed, of: [accepted, pong, published(1, payload: 9), acknowledgement(1)])
      for _ in 0..<4 { try client.send(fuzz.nextBytes()) }
      try client.send(accepted)
      while true { try client.send(fuzz.nextBytes()) }
    }
  }

  private static let endless = Bytes(repeating: 0xFF, count: 16_384)

  private static func conducts(_ seed: UInt64) -> [HostilePeer.Conduct] {
    [
      { _ in },
      { try $0.pause() },
      { client in while true { _ = try client.receive() } },
      // Before CONNECT is read.
      { client in while true { try client.send(accepted) } },
      broker([0x20, 2, 0, 1]), broker([0x20, 2, 0, 5]), broker([0x20, 2, 0, 255]),
      broker([0x20, 2, 255, 0]), broker([0x20, 0]), broker([0x20, 3, 0, 0, 0]), broker([0x20]),
      broker([0x2F, 2, 0, 0]), broker([0x20, 0xFF, 0xFF, 0xFF, 0xFF, 0x01]),
      broker(accepted + accepted), broker(accepted, then: accepted),
      broker(accepted, then: pong), broker(accepted, then: acknowledgement(0)),
      broker(accepted, then: (0..<1000).flatMap { acknowledgement($0) }),
      broker(accepted, then: published(0, payload: 100)),
      broker(accepted, then: published(1, payload: 100)),
      // The daemon would have to store each until PUBREL.
      broker(accepted, then: published(2, payload: 100)),
      broker(accepted, then: published(3, payload: 100)),
      broker(accepted, then: published(0, payload: 1_000_000)),
      // 256 MiB are announced.
      broker(accepted + [0x30, 0xFF, 0xFF, 0xFF, 0x7F], then: endless),
      broker([0x20, 0xFF, 0xFF, 0xFF, 0x7F], then: endless),
      broker(accepted, then: [0x62, 2, 0, 1]), broker(accepted, then: [0x50, 2, 0, 1]),
      broker(accepted, then: [0x70, 2, 0, 1]), broker(accepted, then: [0x90, 3, 0, 1, 0x80]),
      broker(accepted, then: [0xB0, 2, 0, 1]), broker(accepted, then: [0xE0, 0]),
      broker(accepted, then: [0xF0, 0]), broker(accepted, then: [0x00, 0]),
      broker(accepted, then: [0x10, 12, 0, 4, 77, 81, 84, 84, 4, 2, 0, 60, 0, 0]),
      broker(accepted, then: [0x82, 6, 0, 1, 0, 1, 97, 0]),
      broker(Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)), broker(endless, then: endless),
      // Accepted, then nothing is read or acknowledged.
      broker(accepted),
      { client in
        _ = try client.receive()
        for byte in accepted + published(1, payload: 1000) {
          try client.send([byte])
          try client.pause(0.01)
        }
      },
      changed(seed), changed(seed + 1), changed(seed + 2),
    ]
  }

  /// Accepts, counts the daemon's messages, and acknowledges each at once.
  private static func valid(_ messages: Locked<Int>) -> HostilePeer.Conduct {
    { client in
      var (rest, isConnected) = (Bytes(), false)
      while true {
        rest += try client.receive()
        while let (type, content, size) = packet(rest) {
          rest.removeFirst(size)
          if type >> 4 == 1, !isConnected {
            isConnected = true
            try client.send(accepted)
          }
          if type >> 4 == 12 { try client.send(pong) }
          guard type >> 4 == 3, type & 0x06 == 2, content.count > 2 else { continue }
          let topic = Int(content[0]) << 8 | Int(content[1])
          guard content.count >= topic + 4 else { continue }
          messages.withLock { $0 += 1 }
          try client.send([0x40, 2, content[topic + 2], content[topic + 3]])
        }
      }
    }
  }

  /// The first packet: its first byte, its content, and its size; nil where it is cut.
  private static func packet(_ bytes: Bytes) -> (type: UInt8, content: Bytes, size: Int)? {
    var (count, shift, at) = (0, 0, 1)
    while true {
      guard at < bytes.count, at < 5 else { return nil }
      count |= Int(bytes[at] & 0x7F) << shift
      (shift, at) = (shift + 7, at + 1)
      if bytes[at - 1] & 0x80 == 0 { break }
    }
    guard bytes.count >= at + count else { return nil }
    return (bytes[0], Array(bytes[at..<(at + count)]), at + count)
  }

  /// A broker of MQTT that sends anything.
  static let mqtt = Attack(
    name: "mqtt",
    what: "a broker with refused, malformed, huge, endless and unrequested packets, and none",
    witness: nil,
    start: { program, _ in
      let peer = try HostilePeer()
      return try AttackedDaemon(
        program, peers: [peer],
        configuration: "mqtt-broker: mqtt://127.0.0.1:\(peer.port)\nmqtt-interval: 0.1\n")
    }
  ) { daemon, isLong in
    let peer = daemon.peers[0]
    let seed = isLong ? UInt64.random(in: 0...(UInt64.max / 2)) : 17
    let conducts = conducts(seed)
    var (faults, worst, most): ([String], Double, Double) = ([], 0, 0)
    // The last broker is valid, and receives the states.
    let messages = Locked(0)
    for (n, conduct) in (conducts + [valid(messages)]).enumerated() {
      // The conduct stands before the daemon connects.
      guard let end = daemon.end(), end <= Limits.end else {
        return Finding(text: "", faults: faults + ["no end by SIGTERM before broker \(n)"])
      }
      let (before, logged) = (peer.clients, daemon.log.utf8.count)
      peer.set(conduct)
      try daemon.start()
      let client = try Connection(daemon, "org.example.place")
      client.send([.demand(.all)])
      if !peer.hasClient(after: before, within: 5) { faults.append("no connection \(n)") }
      Thread.sleep(forTimeInterval: isLong ? 10 : 0.2)
      let begin = MonotonicClock.now
      client.send([.registrations(id: 1)])
      if try client.line(with: "\"registrations\"") == nil { faults.append("no answer \(n)") }
      worst = max(worst, MonotonicClock.now.seconds(since: begin))
      if try client.line(with: "\"estimate\"", within: 2) == nil {
        faults.append("no heading \(n)")
      }
      most = max(most, daemon.peakMegabytes)
      let lines = daemon.log.utf8.dropFirst(logged).count { $0 == UInt8(ascii: "\n") }
      let mostLines = isLong ? 40 : 12
      if lines > mostLines { faults.append("\(lines) lines in the log of broker \(n)") }
    }
    var count = 0
    // Without a position, states come after some seconds.
    for _ in 0..<200 where count < 10 {
      Thread.sleep(forTimeInterval: 0.1)
      count = messages.withLock { $0 }
    }
    if count < 10 { faults.append("\(count) messages for the valid broker") }
    if worst > Limits.gap { faults.append("\(format(worst)) s without an answer") }
    return Finding(
      text: """
        \(conducts.count) brokers, \(format(worst)) s to an answer, \(format(most)) MB, \
        \(count) messages for a valid one, seed \(seed)
        """,
      faults: faults + (most > Limits.megabytes ? ["\(format(most)) MB"] : []))
  }
}
