import Foundation
import HostClient
import HostProtocol
import LinuxIO
import Testing

@Suite("A program without a daemon", .timeLimit(.minutes(30)))
struct HostErrorTests {
  @Test("a missing socket, one without a listener and one without an answer have different errors")
  func absent() throws {
    let path = "/tmp/lse-\(UInt32.random(in: 0...UInt32.max))"
    let environment = [SocketPath.variable: path]
    #expect(throws: HostError.noSocket(searched: [path])) {
      try HostClient(application: "a", environment: environment)
    }
    #expect("\(HostError.noSocket(searched: [path]))".contains("lodestar serve"))
    var listener: StreamListener? = try StreamListener(path: path, backlog: 4)
    #expect(throws: HostError.noAnswer(path: path)) {
      try HostClient(application: "a", environment: environment, timeout: 0.1)
    }
    #expect(listener != nil)
    listener = nil
    #expect(throws: HostError.notRunning(path: path)) {
      try HostClient(application: "a", environment: environment)
    }
    try FileManager.default.removeItem(atPath: path)
  }

  @Test("a full queue of new connections is waited for within the timeout")
  func fullQueue() throws {
    let path = "/tmp/lse-\(UInt32.random(in: 0...UInt32.max))"
    let listener = try StreamListener(path: path, backlog: 1)
    defer { unlink(path) }
    var queued: [StreamSocket] = []
    let code: Int32 = {
      do throws(NetworkError) {
        while queued.count < 100 { queued.append(try StreamSocket(path: path)) }
        return 0
      } catch {
        return error.code
      }
    }()
    #expect(code == EAGAIN)
    let environment = [SocketPath.variable: path]
    #expect(throws: HostError.noAnswer(path: path)) {
      try HostClient(application: "a", environment: environment, timeout: 5)
    }
    // A daemon that accepts after the client's first attempts.
    let isOver = Waitable(false)
    let daemon = Thread {
      Thread.sleep(forTimeInterval: 0.3)
      var clients: [StreamSocket] = []
      var buffer = [UInt8](repeating: 0, count: 4096)
      let welcome = HostWelcome(
        version: HostProtocolVersion.current, pid: 1, source: SourceDescription(),
        access: GrantedAccess(authorization: .always, accuracy: .full), calibration: nil,
        lastFix: nil)
      let line = HostMessage.welcome(welcome).line + [UInt8(ascii: "\n")]
      while !isOver.read({ $0 }) {
        do {
          while let client = try listener.accept() { clients.append(client) }
          for client in clients where try client.read(into: &buffer) > 0 {
            _ = try client.write(line[...])
          }
        } catch {
          // The client of the test has ended.
          return
        }
        Thread.sleep(forTimeInterval: 0.005)
      }
    }
    daemon.start()
    let client = try HostClient(application: "a", environment: environment, timeout: 5)
    #expect(client.source == SourceDescription())
    isOver.withLock { $0 = true }
    client.stop()
  }

  @Test("LODESTAR_SOCKET=none disables the search for a daemon")
  func none() {
    let environment = [SocketPath.variable: "none", "XDG_RUNTIME_DIR": "/tmp"]
    #expect(throws: HostError.noSocket(searched: [])) {
      try HostClient(application: "a", environment: environment)
    }
  }

  @Test("every error is one line, with a remedy")
  func remedies() {
    for error: HostError in [
      .noSocket(searched: []), .notRunning(path: "/s"), .noAccess(path: "/s", group: "lodestar"),
      .noAccess(path: "/s", group: nil), .noAnswer(path: "/s"),
      .rejected(HostFault(.version, "the client speaks version 1, the daemon 2 to 3")),
      .refused(HostFault(.declined, "the policy does not grant it")), .gone(path: "/s"),
    ] {
      #expect(!"\(error)".contains("\n"))
    }
    #expect("\(HostError.noAccess(path: "/s", group: "boat"))".contains("usermod -aG boat"))
    #expect("\(HostError.rejected(HostFault(.version, "v")))".contains("restart it"))
  }

  @Test("a program without a daemon is not told about one")
  func withoutDaemon() {
    #expect(!"\(HostError.refused(HostFault(.declined, "no")))".contains("daemon"))
    #expect(!"\(HostError.noAnswer(path: "this process"))".contains("daemon"))
    #expect(!"\(HostError.gone(path: "this process"))".contains("daemon"))
  }
}
