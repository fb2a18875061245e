import HostProtocol
import Testing

@Suite("Line buffer and socket path", .timeLimit(.minutes(30)))
struct LineBufferTests {
  private func lines(_ pieces: [[UInt8]], limit: Int = 100) throws -> [String] {
    var buffer = LineBuffer(limit: limit)
    var lines: [String] = []
    for piece in pieces {
      piece.withUnsafeBytes { buffer.append($0) }
      while let line = try buffer.next() { lines.append(String(decoding: line, as: UTF8.self)) }
    }
    return lines
  }

  @Test("every split of the bytes gives the same lines")
  func splits() throws {
    let bytes = Array("one\n\ntwo three\nlast\nrest".utf8)
    for size in 1...bytes.count {
      let pieces = stride(from: 0, to: bytes.count, by: size).map {
        Array(bytes[$0..<min($0 + size, bytes.count)])
      }
      #expect(try lines(pieces) == ["one", "two three", "last"])
    }
  }

  @Test("a line longer than the limit is refused, complete or not")
  func overflow() throws {
    let long = [UInt8](repeating: 65, count: 101)
    #expect(throws: LineBuffer.Overflow(limit: 100)) { try lines([long]) }
    #expect(throws: LineBuffer.Overflow(limit: 100)) { try lines([long + [10]]) }
    #expect(try lines([Array(long.dropFirst()) + [10]]).count == 1)
    #expect(throws: LineBuffer.Overflow.self) { try lines([[10, 66, 10], long]) }
  }

  @Test("the environment determines the socket's path")
  func places() {
    let user = ["XDG_RUNTIME_DIR": "/run/user/7"]
    #expect(SocketPath.ofDaemon(environment: [:], isRoot: true) == SocketPath.system)
    #expect(SocketPath.ofDaemon(environment: [:], isRoot: false) == nil)
    #expect(
      SocketPath.ofDaemon(environment: user, isRoot: false) == "/run/user/7/lodestar.sock")
    #expect(
      SocketPath.ofDaemon(
        environment: user.merging(["RUNTIME_DIRECTORY": "/run/x:/run/y"]) { $1 }, isRoot: false)
        == "/run/x/lodestar.sock")
    #expect(
      SocketPath.candidates(environment: user)
        == [SocketPath.system, "/run/user/7/lodestar.sock"])
    #expect(SocketPath.candidates(environment: ["LODESTAR_SOCKET": "/a/b"]) == ["/a/b"])
    #expect(SocketPath.candidates(environment: ["LODESTAR_SOCKET": "none"]).isEmpty)
  }
}
