import Foundation
import LinuxIO
import Quantities
import TestSupport
import Testing

@Suite("A TCP connection", .serialized)
struct TCPStreamTests {
  private func soon(_ seconds: Double = 5) -> Timestamp {
    MonotonicClock.now.advanced(byNanoseconds: UInt64(seconds * 1e9))
  }

  private func text(_ stream: TCPStream, within seconds: Double = 5) throws -> String {
    var bytes = [UInt8](repeating: 0, count: 64)
    let deadline = soon(seconds)
    var failure: (any Error)?
    let count = bytes.withUnsafeMutableBytes { room -> Int in
      do { return try stream.read(into: room, until: deadline) } catch {
        failure = error
        return 0
      }
    }
    if let failure { throw failure }
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
    let stream = try TCPStream(host: "127.0.0.1", port: server.port, until: soon())
    #expect(stream.peer == "127.0.0.1:\(server.port)")
    let nothing = try text(stream, within: 0.05)
    #expect(nothing == "")
    try Array("hello".utf8).withUnsafeBytes { try stream.write($0, until: soon()) }
    let answer = try text(stream)
    #expect(answer == "there")
    try Array("bye".utf8).withUnsafeBytes { try stream.write($0, until: soon()) }
    #expect(kind { _ = try text(stream) } == .closed)
  }

  @Test("a port without a listener and an impossible name are distinguished")
  func refusals() throws {
    let server = try ScriptedServer { _, _ in }
    let port = server.port
    server.stop()
    // The listening socket is closed within a twentieth of a second.
    Thread.sleep(forTimeInterval: 0.3)
    let refused = kind { _ = try TCPStream(host: "127.0.0.1", port: port, until: soon()) }
    #expect(refused == .refused)
    // Longer than a label may be: no name server is queried.
    let name = String(repeating: "x", count: 300)
    guard case .hostNotFound = kind({ _ = try TCPStream(host: name, port: 1, until: soon()) })
    else {
      Issue.record("found")
      return
    }
  }

  @Test("a peer that reads nothing makes a write time out, not hang")
  func fullPipe() throws {
    let server = try ScriptedServer { client, _ in _ = client.pause(60) }
    let stream = try TCPStream(host: "127.0.0.1", port: server.port, until: soon())
    let much = [UInt8](repeating: 0x20, count: 1 << 24)
    #expect(
      kind { try much.withUnsafeBytes { try stream.write($0, until: soon(0.2)) } } == .timedOut)
    server.stop()
  }
}
