import LinuxIO
import Testing

@Suite("The reach of a listener", .timeLimit(.minutes(30)))
struct ListeningReachTests {
  @Test("wildcards are reached everywhere, loopback on this machine alone")
  func reaches() {
    #expect(ListeningReach(host: "0.0.0.0") == .everywhere)
    #expect(ListeningReach(host: "::") == .everywhere)
    for host in ["localhost", "127.0.0.1", "127.0.0.2", "::1"] {
      #expect(ListeningReach(host: host).isLoopback, "\(host)")
    }
    let reach = ListeningReach(host: "localhost")
    guard case .loopback(let address, let index) = reach else {
      Issue.record("\(reach)")
      return
    }
    #expect(address == "127.0.0.1" && index > 0)
  }

  @Test("an address that no interface has is no fault")
  func unknown() {
    // A documentation address, RFC 5737.
    #expect(ListeningReach(host: "192.0.2.1") == .everywhere)
  }
}
