import Foundation
import LinuxIO
import Quantities
import Testing

@Suite("The user of a connection", .timeLimit(.minutes(30)))
struct ConnectionUserTests {
  /// The accepted end and the client of a connection of this process.
  private func connection() throws -> (accepted: StreamSocket, client: StreamSocket) {
    let listener = try StreamListener(host: "127.0.0.1", port: 0)
    let port = try #require(listener.port)
    let client = try StreamSocket(
      host: "127.0.0.1", port: port, until: MonotonicClock.now.advanced(bySeconds: 20))
    while true {
      if let accepted = try listener.accept() { return (accepted, client) }
      try #require(poll(nil, 0, 1) == 0)
    }
  }

  /// The row of the client in the kernel's list.
  private func row(_ client: StreamSocket) throws -> String {
    func end(
      _ get: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> String {
      var address = sockaddr_in()
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = get(client.file, $0, &size) }
      }
      return String(format: "0100007F:%04X", Int(address.sin_port.byteSwapped))
    }
    return "1: \(end(getsockname)) \(end(getpeername)) 01 0:0 0:0 0 "
  }

  private func user(_ socket: StreamSocket, _ rows: [String]) throws -> ConnectionUser {
    let folder = try TemporaryFolder()
    try folder.file("net/tcp", (["heading"] + rows).joined(separator: "\n"))
    try folder.file("net/tcp6", "heading\n")
    return ConnectionUsers(processes: folder.path).user(of: socket)
  }

  @Test("is this process's for a client of this process")
  func own() throws {
    let (accepted, client) = try connection()
    defer { withExtendedLifetime(client) {} }
    #expect(ConnectionUsers().user(of: accepted) == .user(uid: geteuid(), groups: []))
  }

  @Test("is found behind thousands of other sockets; one without a program is not known")
  func longTable() throws {
    let (accepted, client) = try connection()
    let others = (0..<5000).map { number in
      "\(number): 0100007F:\(String(format: "%04X", number)) 00000000:0000 0A 0:0 0:0 0 7 0 9 1"
    }
    let row = try row(client)
    #expect(try user(accepted, others + [row + "4711 0 99 1"]) == .user(uid: 4711, groups: []))
    #expect(try user(accepted, others + [row + "0 0 0 1"]) == .unknown)
    #expect(try user(accepted, others) == .unknown)
  }
}
