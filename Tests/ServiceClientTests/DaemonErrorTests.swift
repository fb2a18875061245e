import Foundation
import ServiceClient
import ServiceProtocol
import Testing

@Suite("A program without a daemon")
struct DaemonErrorTests {
  @Test("an absent socket, a deaf one and a silent one are told apart, each with its remedy")
  func absent() throws {
    let path = "/tmp/lse-\(UInt32.random(in: 0...UInt32.max))"
    let environment = [SocketPath.variable: path]
    #expect(!DaemonClient.isServed(environment: environment))
    #expect(throws: DaemonError.noSocket(searched: [path])) {
      try DaemonClient(application: "a", environment: environment)
    }
    #expect("\(DaemonError.noSocket(searched: [path]))".contains("lodestar serve"))
    var listener: UnixSocket? = try UnixSocket(listeningAt: path, backlog: 4)
    #expect(DaemonClient.isServed(environment: environment))
    #expect(throws: DaemonError.noAnswer(path: path)) {
      try DaemonClient(application: "a", environment: environment, patience: 0.1)
    }
    #expect(listener != nil)
    listener = nil
    #expect(!DaemonClient.isServed(environment: environment))
    #expect(throws: DaemonError.notRunning(path: path)) {
      try DaemonClient(application: "a", environment: environment)
    }
    try FileManager.default.removeItem(atPath: path)
  }

  @Test("a program that is not to look for a daemon finds none")
  func none() {
    let environment = [SocketPath.variable: "none", "XDG_RUNTIME_DIR": "/tmp"]
    #expect(!DaemonClient.isServed(environment: environment))
    #expect(throws: DaemonError.noSocket(searched: [])) {
      try DaemonClient(application: "a", environment: environment)
    }
  }

  @Test("every error is one line with something to do")
  func remedies() {
    for error: DaemonError in [
      .noSocket(searched: []), .notRunning(path: "/s"), .noAccess(path: "/s", group: "lodestar"),
      .noAccess(path: "/s", group: nil), .noAnswer(path: "/s"),
      .refused(ServiceFault(.version, "the client speaks version 1, the daemon 2 to 3")),
      .gone(path: "/s"),
    ] {
      #expect(!"\(error)".contains("\n"))
    }
    #expect("\(DaemonError.noAccess(path: "/s", group: "boat"))".contains("usermod -aG boat"))
    #expect("\(DaemonError.refused(ServiceFault(.version, "v")))".contains("restart it"))
  }
}
