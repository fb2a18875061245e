import Foundation
import HostProtocol
import LinuxIO
import Testing

@Suite("A program without a daemon")
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
      .refused(HostFault(.version, "the client speaks version 1, the daemon 2 to 3")),
      .gone(path: "/s"),
    ] {
      #expect(!"\(error)".contains("\n"))
    }
    #expect("\(HostError.noAccess(path: "/s", group: "boat"))".contains("usermod -aG boat"))
    #expect("\(HostError.refused(HostFault(.version, "v")))".contains("restart it"))
  }
}
