import Board
import Configuration
import Foundation
import LinuxIO
import Pipeline
import Quantities
import Simulation
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// Corrections to and from a receiver at the end of a terminal of the kernel.
@Suite("Corrections", .serialized, .timeLimit(.minutes(30)))
struct CorrectionsTests {
  private static let frames = RTCM3Frames.checked

  private func player(
    _ path: String, _ adjust: (inout Board.Receiver) -> Void
  ) throws -> EstimatePlayer {
    var receiver = Board.Receiver(port: path, baud: 9600)
    adjust(&receiver)
    var configuration = PipelineConfiguration()
    configuration.board = Board(name: "desk", receiver: receiver)
    let player = try EstimatePlayer(attached: configuration, hardware: LinuxHardware())
    player.start()
    return player
  }

  private func file() -> URL {
    FileManager.default.temporaryDirectory.appendingPathComponent("lodestar-\(UUID()).rtcm3")
  }

  private func remove(_ file: URL) {
    do { try FileManager.default.removeItem(at: file) } catch { _ = error }
  }

  private func now(in seconds: Double) -> Timestamp {
    MonotonicClock.now.advanced(bySeconds: seconds)
  }

  @Test("only whole frames of a file reach the receiver, and its sentences are still read")
  func fromFile() throws {
    let port = try EmulatedReceiverPort(EmulatedUBloxReceiver(.m9))
    defer { port.stop() }
    var bytes: [UInt8] = Array("noise $GP".utf8)
    var expected: [[UInt8]] = []
    for round in 0..<100 {
      for frame in Self.frames {
        bytes += frame
        expected.append(frame)
      }
      // A frame with one bit wrong, and the beginning of one.
      var bad = Self.frames[1]
      bad[100] ^= UInt8(1 << (round % 8))
      bytes += bad + Self.frames[2].prefix(5)
    }
    let file = file()
    defer { remove(file) }
    try Data(bytes).write(to: file)
    let player = try player(port.path) {
      $0.setUp.rateHertz = 10
      $0.corrections = .file(file.path)
    }
    #expect(eventually { player.boardStatus?.corrections?.hasEnded == true })
    #expect(eventually { port.now.corrections.count >= expected.count })
    #expect(port.now.corrections == expected)
    #expect(port.now.strayBytes == 0)
    let status = try #require(player.boardStatus?.corrections)
    #expect(status.counts == [1005: 100, 1077: 100, 1230: 100] && status.dropped == 0)
    // The set-up has enabled the input of corrections.
    #expect(port.now[0x1073_0004] == 1 && port.now[0x3021_0001] == 100)
    #expect(eventually { player.latest?.position != nil })
    player.stop()
    #expect(port.now[0x1073_0004] == 0)
  }

  @Test(
    "a lost network source is connected again, and half a frame is not forwarded")
  func fromNetwork() throws {
    let port = try EmulatedReceiverPort(EmulatedUBloxReceiver(.m8))
    defer { port.stop() }
    let listener = try StreamListener(host: "127.0.0.1", port: 0)
    let source = Board.CorrectionSource.tcp(host: "127.0.0.1", port: try #require(listener.port))
    let player = try player(port.path) { $0.corrections = source }
    defer { player.stop() }
    func client() throws -> StreamSocket {
      for _ in 0..<2000 {
        if let connection = try listener.accept() { return connection }
        Thread.sleep(forTimeInterval: 0.01)
      }
      throw EmulatedPortFailure(code: ETIMEDOUT)
    }
    do {
      let first = try client()
      let part = Self.frames[0] + Self.frames[1].prefix(200)
      let written = try first.write(part[...])
      #expect(written == part.count)
      #expect(eventually { port.now.corrections.count == 1 })
    }
    let second = try client()
    let rest = Array(Self.frames[1].dropFirst(200)) + Self.frames[2]
    let written = try second.write(rest[...])
    #expect(written == rest.count)
    #expect(eventually { port.now.corrections.count == 2 })
    #expect(port.now.corrections == [Self.frames[0], Self.frames[2]])
    #expect(eventually { player.boardStatus?.corrections?.counts == [1005: 1, 1230: 1] })
    #expect(eventually { player.boardStatus?.corrections?.fault == nil })
    // Without requested settings no command was sent.
    #expect(port.now.commands.isEmpty)
  }

  @Test("the frames of a caster reach the receiver, and the caster gets the position")
  func fromCaster() throws {
    let port = try EmulatedReceiverPort(EmulatedUBloxReceiver(.m9))
    defer { port.stop() }
    let position = Locked("")
    let caster = try ScriptedServer { client, _ in
      guard client.text(until: "\r\n\r\n") != nil else { return }
      client.send(
        "HTTP/1.1 200 OK\r\nContent-Type: gnss/data\r\nTransfer-Encoding: chunked\r\n\r\n")
      for frame in Self.frames {
        client.send("\(String(frame.count, radix: 16))\r\n")
        client.send(frame)
        client.send("\r\n")
      }
      while let line = client.text(until: "\r\n") { position.withLock { $0 = line } }
    }
    defer { caster.stop() }
    var source = NTRIPSource(
      host: "127.0.0.1", port: Int(caster.port), mountPoint: .named("BASE"))
    source.positionIntervalSeconds = 1
    let player = try player(port.path) {
      $0.corrections = .ntrip(source)
      $0.setUp.rateHertz = 10
    }
    defer { player.stop() }
    #expect(eventually { port.now.corrections == Self.frames })
    #expect(eventually { position.withLock { $0 }.hasPrefix("$GPGGA,") })
    let status = try #require(player.boardStatus)
    #expect(status.fixKind != nil)
    let corrections = try #require(status.corrections)
    #expect(corrections.state == "\(source)" && corrections.fault == nil)
    #expect(corrections.statistics.messages.mapValues(\.count) == [1005: 1, 1077: 1, 1230: 1])
    #expect(corrections.ageSeconds != nil)
    #expect(corrections.text.contains(", newest ") && corrections.text.hasSuffix("\(source)"))
    caster.stop()
    #expect(eventually { player.boardStatus?.corrections?.fault != nil })
    #expect(player.boardStatus?.troubles.map(\.text).contains("corrections lost") == true)
  }

  @Test("a missing file and a silent source are reported")
  func missing() throws {
    let port = try EmulatedReceiverPort(EmulatedUBloxReceiver(.m9))
    defer { port.stop() }
    let one = try player(port.path) { $0.corrections = .file("/nowhere/base.rtcm3") }
    #expect(eventually { one.boardStatus?.corrections?.fault?.contains("/nowhere/base") == true })
    one.stop()
    let closed = try #require(try StreamListener(host: "127.0.0.1", port: 0).port)
    let other = try EmulatedReceiverPort(EmulatedUBloxReceiver(.m9))
    defer { other.stop() }
    let two = try player(other.path) { $0.corrections = .tcp(host: "127.0.0.1", port: closed) }
    #expect(
      eventually { two.boardStatus?.corrections?.fault?.contains("check that a server") == true })
    two.stop()
  }

  @Test("a full disk is reported by the system's message")
  func fullDisk() throws {
    var base = EmulatedUBloxReceiver(.m9)
    base.besides = Self.frames[1]
    let port = try EmulatedReceiverPort(base)
    defer { port.stop() }
    // full(4): every write fails with ENOSPC.
    let player = try player(port.path) {
      $0.correctionsOutput = .file("/dev/full")
      $0.setUp.rateHertz = 10
    }
    defer { player.stop() }
    let fault = { player.boardStatus?.correctionsOutput?.fault ?? "" }
    #expect(
      eventually { fault().hasPrefix("/dev/full: cannot write: No space left on device") },
      "\(fault())")
  }

  @Test("a base's corrections go to TCP clients, and to a file")
  func fromBase() throws {
    let free = try #require(try StreamListener(host: "127.0.0.1", port: 0).port)
    let file = file()
    defer { remove(file) }
    for target in [Board.Stream.tcp(host: "127.0.0.1", port: free), .file(file.path)] {
      var base = EmulatedUBloxReceiver(.m9)
      base.besides = Self.frames[1]
      let port = try EmulatedReceiverPort(base)
      defer { port.stop() }
      let player = try player(port.path) {
        $0.correctionsOutput = target
        $0.setUp.rateHertz = 10
      }
      defer { player.stop() }
      #expect(eventually { player.boardStatus?.correctionsOutput?.counts[1077] ?? 0 > 3 })
      guard case .tcp = target else {
        let written = try Data(contentsOf: file)
        #expect(Array(written.prefix(Self.frames[1].count)) == Self.frames[1])
        continue
      }
      let connection = try StreamSocket(host: "127.0.0.1", port: free, until: now(in: 10))
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 4096)
      let end = now(in: 20)
      while bytes.count < 3 * Self.frames[1].count, MonotonicClock.now < end {
        let count = try connection.read(into: &buffer, until: end)
        bytes += buffer[..<count]
      }
      #expect(Array(bytes.prefix(2 * Self.frames[1].count)) == Self.frames[1] + Self.frames[1])
    }
  }
}
