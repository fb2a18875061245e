import Configuration
import Corrections
import Foundation
import LinuxIO
import Quantities
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// Sets the permissions of a file.
func chmodded(_ path: String, _ mode: mode_t) -> Bool { chmod(path, mode) == 0 }

@Suite("A session with a scripted caster", .timeLimit(.minutes(30)))
struct SessionTests {
  private typealias Client = ScriptedServer.Client

  /// Serves all frames in an endless repetition until the client disconnects or the test ends.
  private static func wait(_ client: Client) { _ = client.awaits("\u{0}never") }

  @Test("frames arrive whole through chunks of one byte")
  func chunksOfOneByte() throws {
    let caster = try ScriptedCaster { client, _, _ in
      client.send(ScriptedCaster.chunkedHead)
      for byte in ScriptedCaster.frames.joined() { client.send(ScriptedCaster.chunk([byte])) }
      Self.wait(client)
    }
    defer { caster.stop() }
    let session = RunningSession(.ntrip(caster.source()))
    #expect(eventually { session.collector.frames.count == 3 })
    #expect(session.collector.frames == ScriptedCaster.frames)
    let states = session.collector.states
    let place = "\(caster.source())"
    #expect(states == [.connecting(place), .connected(place), .receiving(place)])
    #expect(session.stop())
    #expect(caster.requests.withLock { $0 }[0].hasPrefix("GET /BASE HTTP/1.1\r\n"))
  }

  @Test(
    "a caster of revision 1 sends the stream with and without a blank line",
    arguments: ["ICY 200 OK\r\n", "ICY 200 OK\r\n\r\n", "ICY 200 OK\r\nServer: x\r\n\r\n"])
  func revision1(head: String) throws {
    let caster = try ScriptedCaster { client, _, _ in
      client.send(Array(head.utf8) + ScriptedCaster.frames.joined())
      Self.wait(client)
    }
    defer { caster.stop() }
    let session = RunningSession(.ntrip(caster.source()))
    #expect(eventually { session.collector.frames == ScriptedCaster.frames })
    #expect(session.stop())
  }

  @Test("a caster that does not answer revision 2 is asked by revision 1")
  func fallback() throws {
    for answer in ["", "HTTP/1.0 400 Bad Request\r\n\r\n"] {
      let caster = try ScriptedCaster { client, request, _ in
        guard request.contains("HTTP/1.0") else { return client.send(answer) }
        client.send(Array("ICY 200 OK\r\n\r\n".utf8) + ScriptedCaster.frames[0])
        Self.wait(client)
      }
      defer { caster.stop() }
      let session = RunningSession(.ntrip(caster.source()))
      #expect(eventually { session.collector.frames.count == 1 })
      #expect(session.collector.faults.isEmpty)
      #expect(session.stop())
    }
  }

  @Test("a lost connection is made again, and half a frame is not forwarded")
  func drops() throws {
    let frames = ScriptedCaster.frames
    let caster = try ScriptedCaster { client, _, number in
      client.send(ScriptedCaster.chunkedHead)
      if number == 0 {
        client.send(ScriptedCaster.chunk(frames[0] + frames[1].prefix(200)))
      } else {
        client.send(ScriptedCaster.chunk(Array(frames[1].dropFirst(200)) + frames[2]))
        Self.wait(client)
      }
    }
    defer { caster.stop() }
    let session = RunningSession(.ntrip(caster.source()))
    #expect(eventually { session.collector.frames.count == 2 })
    #expect(session.collector.frames == [frames[0], frames[2]])
    #expect(session.collector.faults == [.closed])
    #expect(session.stop())
  }

  @Test("a silent caster, and one without RTCM 3, are left after the timeout")
  func stalls() throws {
    for isSilent in [true, false] {
      let caster = try ScriptedCaster { client, _, _ in
        client.send(ScriptedCaster.chunkedHead)
        while !client.pause(0.1) {
          if !isSilent { client.send(ScriptedCaster.chunk(Array("noise".utf8))) }
          if !client.isConnected { return }
        }
      }
      defer { caster.stop() }
      var source = Board.CorrectionSource.ntrip(caster.source())
      source.timeoutSeconds = 0.5
      let session = RunningSession(source)
      #expect(eventually { session.collector.faults.count > 1 })
      let expected =
        isSilent
        ? CorrectionFault.stalled(seconds: 0.5, sendsPosition: false) : .noMessages(seconds: 0.5)
      #expect(session.collector.faults.first == expected)
      #expect(session.stop())
    }
  }

  @Test(
    "what is no stream is a fault that names what to do, and is not repeated at once",
    arguments: [
      ("HTTP/1.1 401 Unauthorized\r\n\r\n", "write USER:PASSWORD into a file"),
      ("HTTP/1.1 404 Not Found\r\n\r\n", "'lodestar corrections --list'"),
      ("SOURCETABLE 200 OK\r\n\r\n", "'lodestar corrections --list'"),
      ("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html>", "web page"),
      ("HTTP/1.1 200 OK\r\n\r\n<html>", "web page"), ("<html>", "web page"),
      ("HTTP/1.1 200 OK\r\n\r\nSTR;A;", "no mount point 'BASE'"),
      ("ICY 200 OK\r\nCAS;A;", "no mount point 'BASE'"),
    ])
  func refusals(answer: String, words: String) throws {
    let caster = try ScriptedCaster { client, _, _ in
      for byte in answer.utf8 { client.send([byte]) }
      Self.wait(client)
    }
    defer { caster.stop() }
    let session = RunningSession(
      .ntrip(caster.source()), refusals: RetryDelay(first: 600, longest: 600))
    #expect(eventually { session.collector.faults.count == 1 })
    guard case .waiting(let fault, let text) = try #require(session.collector.states.last) else {
      Issue.record("no fault")
      return
    }
    #expect(fault.needsPerson && text.contains(words), "\(text)")
    #expect(text.hasPrefix("ntrip://127.0.0.1:") && !text.contains("\n"))
    #expect(session.stop())
    #expect(caster.requests.withLock { $0.count } == 1)
  }

  @Test("a wrong password is a fault that names the file's key")
  func wrongPassword() throws {
    let folder = try TemporaryFolder()
    try folder.write("user:wrong", "/c")
    #expect(chmodded(folder.path + "/c", 0o600))
    let caster = try ScriptedCaster { client, request, _ in
      let isRight = request.contains("Basic \(Data("user:right".utf8).base64EncodedString())\r\n")
      client.send(isRight ? ScriptedCaster.chunkedHead : "HTTP/1.1 401 Unauthorized\r\n\r\n")
      if isRight { client.send(ScriptedCaster.chunk(ScriptedCaster.frames[0])) }
      Self.wait(client)
    }
    defer { caster.stop() }
    let source = caster.source { $0.credentialsPath = folder.path + "/c" }
    let session = RunningSession(.ntrip(source))
    #expect(
      eventually { session.collector.faults.first == .unauthorized(hasCredentials: true) })
    // The file is read again at each attempt.
    try folder.write("user:right", "/c")
    #expect(chmodded(folder.path + "/c", 0o600))
    #expect(eventually { session.collector.frames.count == 1 })
    #expect(session.stop())
  }

  @Test("an endless head ends the attempt")
  func endlessHead() throws {
    let caster = try ScriptedCaster { client, _, _ in
      client.send("HTTP/1.1 200 OK\r\n")
      while client.isConnected, !client.hasEnded {
        client.send(String(repeating: "x-field: value\r\n", count: 100))
      }
    }
    defer { caster.stop() }
    let session = RunningSession(.ntrip(caster.source()))
    #expect(eventually { session.collector.faults.contains(.longHeader) })
    #expect(session.stop())
  }

  @Test("the position is sent with the request and at the configured rate, else never")
  func positions() throws {
    for interval in [nil, 1.0] {
      let sentences = Locked<[String]>([])
      let caster = try ScriptedCaster { client, _, _ in
        client.send(ScriptedCaster.chunkedHead)
        client.send(ScriptedCaster.chunk(ScriptedCaster.frames[0]))
        while let text = client.text(until: "\r\n") { sentences.withLock { $0.append(text) } }
      }
      defer { caster.stop() }
      let collector = Collector()
      collector.place(latitude: -33.5, longitude: 151.25)
      let source = caster.source { $0.positionIntervalSeconds = interval }
      let session = RunningSession(.ntrip(source), collector)
      #expect(eventually { collector.frames.count == 1 })
      guard interval != nil else {
        #expect(session.stop())
        #expect(!caster.requests.withLock { $0 }[0].contains("GGA"))
        #expect(sentences.withLock { $0 } == [])
        continue
      }
      #expect(eventually { sentences.withLock { $0.count } > 1 })
      #expect(session.stop())
      let head = "$GPGGA,,3330.00000,S,15115.00000,E,1,09,,500.00,M,,M,,*"
      #expect(sentences.withLock { $0 }.allSatisfy { $0.hasPrefix(head) })
      #expect(caster.requests.withLock { $0 }[0].contains("\r\nNtrip-GGA: \(head)"))
    }
  }

  @Test("the nearest mount point is chosen once there is a position")
  func nearest() throws {
    let caster = try ScriptedCaster { client, request, _ in
      if request.hasPrefix("GET / ") {
        client.send("SOURCETABLE 200 OK\r\nContent-Type: text/plain\r\n\r\n" + ScriptedCaster.table)
      } else {
        client.send(ScriptedCaster.chunkedHead)
        client.send(ScriptedCaster.chunk(ScriptedCaster.frames[0]))
        Self.wait(client)
      }
    }
    defer { caster.stop() }
    let session = RunningSession(.ntrip(caster.source(.nearest)))
    #expect(eventually { session.collector.states.last?.text.contains("has a position") == true })
    #expect(caster.requests.withLock { $0 } == [])
    session.collector.place(latitude: 60, longitude: 10)
    #expect(eventually { session.collector.frames.count == 1 })
    #expect(session.collector.states.last == .receiving("\(caster.source(.named("NORTH")))"))
    #expect(caster.requests.withLock { $0 }.last?.hasPrefix("GET /NORTH ") == true)
    #expect(session.stop())
  }

  @Test("a list is fetched from casters of both revisions, and an endless one is refused")
  func list() throws {
    let heads = [
      "SOURCETABLE 200 OK\r\nServer: x\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Type: gnss/sourcetable\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Type: gnss/sourcetable\r\nContent-Length: \(ScriptedCaster.table.utf8.count)\r\n\r\n",
    ]
    for head in heads {
      let caster = try ScriptedCaster { client, _, _ in
        client.send(head + ScriptedCaster.table)
        Self.wait(client)
      }
      defer { caster.stop() }
      let table = try SourceTable.fetch(caster.source(nil))
      #expect(table.streams.count == 5 && table.isComplete)
    }
    let endless = try ScriptedCaster { client, _, _ in
      client.send("SOURCETABLE 200 OK\r\n\r\n")
      while client.isConnected, !client.hasEnded {
        client.send(String(repeating: "STR;A;B;RTCM 3;;;;;;1;1;0\r\n", count: 1000))
      }
    }
    defer { endless.stop() }
    let thrown = thrownError(CorrectionFault.self) { try SourceTable.fetch(endless.source(nil)) }
    #expect(thrown == .longTable)
    let cut = try ScriptedCaster { client, _, _ in
      client.send("SOURCETABLE 200 OK\r\n\r\n" + ScriptedCaster.table.prefix(500))
    }
    defer { cut.stop() }
    let table = try SourceTable.fetch(cut.source(nil))
    #expect(!table.isComplete && !table.streams.isEmpty)
  }

  @Test("a session ends at once when it is stopped, whatever it waits for")
  func stop() throws {
    let silent = try ScriptedCaster { client, _, _ in Self.wait(client) }
    let table = try ScriptedCaster { client, _, _ in
      client.send("SOURCETABLE 200 OK\r\n")
      Self.wait(client)
    }
    defer { silent.stop() }
    let refusing = try ScriptedCaster { client, _, _ in
      client.send("HTTP/1.1 401 Unauthorized\r\n\r\n")
    }
    defer { refusing.stop() }
    let placed = Collector()
    placed.place(latitude: 1, longitude: 1)
    let sessions = [
      RunningSession(.ntrip(silent.source())),
      RunningSession(.ntrip(table.source(.nearest)), placed),
      RunningSession(.ntrip(table.source(.nearest))),
      RunningSession(.ntrip(refusing.source()), refusals: RetryDelay(first: 600, longest: 600)),
    ]
    #expect(eventually { silent.requests.withLock { $0.count } == 1 })
    #expect(eventually { table.requests.withLock { $0.count } == 1 })
    #expect(eventually { sessions[3].collector.faults.count == 1 })
    // The bound of a hanging test; a stop takes a tenth of a second.
    for session in sessions { #expect(session.stop(within: 10)) }
  }

  @Test("a program in the network and a serial port are read the same way")
  func otherSources() throws {
    let server = try ScriptedServer { client, _ in
      client.send(Array("noise".utf8) + ScriptedCaster.frames.joined())
      Self.wait(client)
    }
    defer { server.stop() }
    let session = RunningSession(.tcp(host: "127.0.0.1", port: Int(server.port)))
    #expect(eventually { session.collector.frames == ScriptedCaster.frames })
    #expect(session.stop())
    let terminal = try PseudoTerminal()
    let modem = RunningSession(.serial(terminal.path, baud: 57_600))
    #expect(
      eventually {
        // Bytes from before the opening are discarded.
        terminal.write(Array(ScriptedCaster.frames.joined()))
        return modem.collector.frames.count >= 3
      })
    #expect(modem.stop())
    let missing = RunningSession(.serial("/nowhere/tty", baud: 57_600))
    #expect(eventually { missing.collector.faults.count > 1 })
    #expect(missing.collector.states.contains { $0.text.hasPrefix("/nowhere/tty: ") })
    #expect(missing.stop())
  }
}

/// Both ends of a terminal of the kernel.
private final class PseudoTerminal: Sendable {
  let path: String
  private let file: Int32

  struct Failure: Error {}

  init() throws {
    var (near, far): (Int32, Int32) = (-1, -1)
    var name = [CChar](repeating: 0, count: 256)
    guard openpty(&near, &far, &name, nil, nil) == 0 else { throw Failure() }
    close(far)
    file = near
    path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { close(file) }

  func write(_ bytes: [UInt8]) { _ = Glibc.write(file, bytes, bytes.count) }
}
