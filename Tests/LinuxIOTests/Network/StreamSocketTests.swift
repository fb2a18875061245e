import Foundation
import LinuxIO
import Quantities
import TestSupport
import Testing

@Suite("A stream socket", .serialized, .timeLimit(.minutes(30)))
struct StreamSocketTests {
  private func soon(_ seconds: Double = 5) -> Timestamp {
    MonotonicClock.now.advanced(bySeconds: seconds)
  }

  private func text(_ stream: StreamSocket, within seconds: Double = 5) throws -> String {
    var bytes = [UInt8](repeating: 0, count: 64)
    let deadline = soon(seconds)
    let count = try stream.read(into: &bytes, until: deadline)
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  private func kind(_ body: () throws -> Void) -> NetworkError.Kind? {
    do { try body() } catch let error as NetworkError { return error.kind } catch { return nil }
    return nil
  }

  @Test("reads, writes, returns at its deadline and reports the end")
  func conversation() throws {
    let server = try ScriptedServer { client, _ in
      guard client.awaits("hello") else { return }
      client.send("there")
      _ = client.awaits("bye")
    }
    let stream = try StreamSocket(host: "127.0.0.1", port: Int(server.port), until: soon())
    #expect(stream.peer == "127.0.0.1:\(server.port)")
    let nothing = try text(stream, within: 0.05)
    #expect(nothing == "")
    try stream.write(Array("hello".utf8), until: soon())
    let answer = try text(stream)
    #expect(answer == "there")
    try stream.write(Array("bye".utf8), until: soon())
    #expect(kind { _ = try text(stream) } == .closed)
  }

  @Test("a port without a listener and an impossible name are distinguished")
  func refusals() throws {
    let port = try RefusingPort()
    let refused = kind {
      _ = try StreamSocket(host: "127.0.0.1", port: Int(port.number), until: soon())
    }
    #expect(refused == .refused)
    // Longer than a label may be: no name server is queried.
    let name = String(repeating: "x", count: 300)
    guard case .hostNotFound = kind({ _ = try StreamSocket(host: name, port: 1, until: soon()) })
    else {
      Issue.record("found")
      return
    }
  }

  @Test("a peer that reads nothing makes a write time out, not hang")
  func fullPipe() throws {
    let server = try ScriptedServer { client, _ in _ = client.pause(60) }
    let stream = try StreamSocket(host: "127.0.0.1", port: Int(server.port), until: soon())
    let much = [UInt8](repeating: 0x20, count: 1 << 24)
    #expect(kind { try stream.write(much, until: soon(0.2)) } == .timedOut)
    server.stop()
  }

  @Test("a stop ends a write to a peer that reads nothing")
  func stoppedWrite() throws {
    let server = try ScriptedServer { client, _ in _ = client.pause(60) }
    defer { server.stop() }
    let stream = try StreamSocket(host: "127.0.0.1", port: Int(server.port), until: soon())
    let much = [UInt8](repeating: 0x20, count: 1 << 24)
    var checks = 0
    let stopped = kind {
      try stream.write(much, until: soon(60)) {
        checks += 1
        return checks > 2
      }
    }
    #expect(stopped == .stopped && checks == 3)
  }

  @Test("a Unix socket: both ways, partial writes, credentials, and the end")
  func unixSocket() throws {
    let path = "/tmp/lss-\(UInt32.random(in: 0...UInt32.max))"
    #expect(kind { _ = try StreamSocket(path: path) } == .failed("connecting"))
    var listener: StreamListener? = try StreamListener(path: path, backlog: 1)
    defer { unlink(path) }
    #expect(listener?.port == nil)
    #expect(kind { _ = try StreamListener(path: path, backlog: 1) } == .addressInUse)
    var client: StreamSocket? = try StreamSocket(path: path)
    let server = try #require(try listener?.accept())
    #expect(fcntl(server.file, F_GETFL) & O_NONBLOCK != 0)
    #expect(fcntl(server.file, F_GETFD) & FD_CLOEXEC != 0)
    let none = try listener?.accept()
    #expect(none == nil)
    let credentials = try server.peerCredentials()
    #expect(credentials.pid == getpid() && credentials.uid == getuid())
    var bytes = [UInt8](repeating: 0, count: 64)
    let nothing = try server.read(into: &bytes)
    let written = try client?.write([1, 2, 3][1...])
    let count = try server.read(into: &bytes, until: soon())
    #expect(nothing == 0 && written == 2 && count == 2 && bytes[..<2] == [2, 3])
    let much = [UInt8](repeating: 0, count: 1 << 22)
    let part = try server.write(much[...])
    #expect(part > 0 && part < much.count)
    client = nil
    #expect(kind { _ = try server.write(much[...]) } == .closed)
    #expect(kind { _ = try server.read(into: &bytes) } == .closed)
    listener = nil
    #expect(kind { _ = try StreamSocket(path: path) } == .refused)
    let long = String(repeating: "x", count: 108)
    #expect(kind { _ = try StreamSocket(path: long) } == .failed("naming a socket"))
  }
}
