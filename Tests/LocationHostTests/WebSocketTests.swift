import Foundation
import LinuxIO
import Quantities
import Servers
import TestSupport
import Testing

@Suite("Connections of HTTP", .timeLimit(.minutes(15)))
struct WebSocketTests {
  private static func traffic(
    received: UInt64 = 0, written: UInt64 = 0, confirmed: UInt64? = nil, idle: Double = 0
  ) -> ConnectionTraffic {
    ConnectionTraffic(
      received: received, written: written, confirmed: confirmed ?? written, idleSeconds: idle)
  }

  private static func at(_ seconds: Double) -> Timestamp {
    Timestamp(nanoseconds: 1_000_000_000).advanced(bySeconds: seconds)
  }

  @Test("a request may have 16 KiB since the last answer, and 20 s until the next")
  func requests() {
    var limits = HTTPConnectionLimits()
    #expect(limits.end(Self.traffic(received: 16_384), at: Self.at(0)) == nil)
    #expect(limits.end(Self.traffic(received: 16_384, written: 10), at: Self.at(1)) == nil)
    #expect(limits.end(Self.traffic(received: 32_768, written: 10), at: Self.at(2)) == nil)
    #expect(limits.end(Self.traffic(received: 32_768, written: 10), at: Self.at(21)) == nil)
    let late = limits.end(Self.traffic(received: 32_768, written: 10), at: Self.at(23))
    #expect(late?.fault == "no complete request within 20 s")
    let long = limits.end(Self.traffic(received: 32_769, written: 10), at: Self.at(3))
    #expect(long?.fault == "a request of more than 16384 bytes")
  }

  @Test("a client that confirms nothing for 10 s while output waits has stopped reading")
  func unread() {
    var limits = HTTPConnectionLimits()
    for second in 0..<30 {
      // Some bytes are read in each second.
      let traffic = Self.traffic(written: 1000, confirmed: UInt64(second + 1))
      #expect(limits.end(traffic, at: Self.at(Double(second))) == nil)
    }
    let stopped = Self.traffic(written: 1000, confirmed: 30)
    #expect(limits.end(stopped, at: Self.at(30)) == nil)
    #expect(limits.end(stopped, at: Self.at(39)) == nil)
    #expect(limits.end(stopped, at: Self.at(41))?.fault == "it does not read")
  }

  @Test("a connection without data for a minute is closed without a fault")
  func silence() {
    var limits = HTTPConnectionLimits()
    #expect(limits.end(Self.traffic(idle: 59), at: Self.at(0)) == nil)
    #expect(
      limits.end(Self.traffic(idle: 61), at: Self.at(2)) == HTTPConnectionLimits.End(fault: nil))
  }

  /// Both ends of a connection.
  private static func pair() throws -> (client: StreamSocket, server: StreamSocket) {
    let listener = try StreamListener(host: "127.0.0.1", port: 0)
    let client = try StreamSocket(
      host: "127.0.0.1", port: try #require(listener.port),
      until: MonotonicClock.now.advanced(bySeconds: 5))
    var server: StreamSocket?
    #expect(
      eventually {
        do { server = try listener.accept() } catch { return false }
        return server != nil
      })
    return (client, try #require(server))
  }

  private static func read(_ client: StreamSocket, _ seconds: Double = 5) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = try client.read(
      into: &bytes, until: MonotonicClock.now.advanced(bySeconds: seconds))
    return Array(bytes[..<count])
  }

  @Test(
    "a WebSocket that does not read is closed with one line, and others receive and are answered")
  func stopped() throws {
    let logged = LoggedLines()
    let sockets = WebSockets(
      "http", HTTPConnections("http", port: 1, log: logged.log), log: logged.log)
    let events = Locked<[String]>([])
    sockets.start { number, event in events.withLock { $0.append("\(number) \(event)") } }
    let (deaf, good) = (try Self.pair(), try Self.pair())
    let hasEnded = Locked(false)
    sockets.add(deaf.server, [:]) { hasEnded.withLock { $0 = true } }
    sockets.add(good.server, [:]) {}
    #expect(eventually { sockets.count == 2 })
    // "ab" as a masked ping.
    try good.client.write(
      [0x89, 0x82, 0, 0, 0, 0, 97, 98], until: MonotonicClock.now.advanced(bySeconds: 5))
    #expect(try Self.read(good.client) == [0x8A, 2, 97, 98])
    let message = [UInt8](repeating: 65, count: 10_000)
    var received = 0
    for _ in 0..<2000 where sockets.count == 2 {
      sockets.send(message)
      received += try Self.read(good.client).count
    }
    #expect(sockets.count == 1 && received > 100_000)
    #expect(eventually { hasEnded.withLock { $0 } })
    #expect(
      logged.all.filter { $0.contains("http: a WebSocket was closed: its client does not read") }
        .count == 1)
    #expect(events.withLock { $0 }.contains("1 closed"))
    sockets.stop()
    #expect(sockets.count == 0)
    _ = deaf.client
  }
}
