import LinuxIO
import Testing

@Suite("The loopback addresses", .timeLimit(.minutes(30)))
struct LoopbackTests {
  @Test(
    "are localhost, 127.0.0.0/8 and ::1 in each form",
    arguments: [
      "localhost", "127.0.0.1", "127.1.2.3", "::1", "0:0:0:0:0:0:0:1", "::ffff:127.0.0.1",
    ]
  )
  func loopback(host: String) { #expect(Loopback.contains(host)) }

  @Test(
    "are no others",
    arguments: ["127.example.org", "128.0.0.1", "0.0.0.0", "::", "::2", "fe80::1", "boat", ""])
  func others(host: String) { #expect(!Loopback.contains(host)) }
}
