import Chips
import Foundation
import LinuxIO
import Quantities
import TestSupport
import Testing

@Suite("Sentences of the network in place of a serial port", .timeLimit(.minutes(30)))
struct NetworkPortTests {
  /// What a port reads until it has a text, in pieces of some bytes.
  private func text(
    of port: NetworkPort, with part: String, pieces: Int = 7, within seconds: Double = 5
  ) throws -> String {
    var text = ""
    let end = MonotonicClock.now.advanced(bySeconds: seconds)
    try withUnsafeTemporaryAllocation(byteCount: pieces, alignment: 1) { bytes in
      while !text.contains(part), MonotonicClock.now < end {
        let count = try port.read(
          into: bytes, until: MonotonicClock.now.advanced(bySeconds: 0.05))
        text += String(decoding: bytes[..<count], as: UTF8.self)
      }
    }
    return text
  }

  @Test("datagrams are read in pieces of any length; those of this process are ignored")
  func datagrams() throws {
    let port = try NetworkPort(address: "127.0.0.1", port: 0, name: "udp://:0")
    let number = try #require(port.port)
    let own = try DatagramSocket(to: #require(DatagramAddress("127.0.0.1:\(number)")))
    for _ in 0..<3 { try own.send(Array("$HCHDT,1.0,T*21\r\n".utf8)[...]) }
    #expect(try text(of: port, with: "HDT", within: 0.3).isEmpty)
    // Another process.
    let sender = ChildProcess()
    sender.executableURL = URL(fileURLWithPath: "/bin/bash")
    sender.arguments = ["-c", "printf 'one two three\\r\\n' > /dev/udp/127.0.0.1/\(number)"]
    try sender.start()
    #expect(try text(of: port, with: "\n") == "one two three\r\n")
    sender.waitOrKill()
  }

  @Test("a server of this process and one that is absent are refused with the reason")
  func refused() throws {
    let listener = try StreamListener(host: "127.0.0.1", port: 0)
    let port = try #require(listener.port)
    for host in ["127.0.0.1", "localhost"] {
      #expect {
        _ = try NetworkPort(host: host, port: port, name: "tcp://boat:1")
      } throws: {
        "\($0)" == "tcp://boat:1: that is this program's own output; name another server"
      }
    }
    #expect {
      _ = try NetworkPort(host: "127.0.0.1", port: 1, name: "tcp://boat:1")
    } throws: {
      "\($0)".hasPrefix("tcp://boat:1: connection refused; check")
    }
  }
}
