import Configuration
import Testing

@Suite("The address of a gpsd", .timeLimit(.minutes(30)))
struct GPSDAddressTests {
  @Test(
    "host, port and device are read, each is optional",
    arguments: [
      ("gpsd://", "localhost", 2947, nil), ("gpsd://boat", "boat", 2947, nil),
      ("gpsd://boat/", "boat", 2947, nil), ("gpsd://boat:1234", "boat", 1234, nil),
      ("gpsd://boat:1234/dev/ttyACM0", "boat", 1234, "/dev/ttyACM0"),
      ("gpsd://boat/dev/ttyACM0", "boat", 2947, "/dev/ttyACM0"),
      ("gpsd://gpsd.io:2947:/dev/ttyAMA0", "gpsd.io", 2947, "/dev/ttyAMA0"),
      ("gpsd:///dev/gps0", "localhost", 2947, "/dev/gps0"),
      ("gpsd://[::1]:2948/dev/gps0", "::1", 2948, "/dev/gps0"),
      ("gpsd://[fe80::1]", "fe80::1", 2947, nil),
      ("gpsd://boat/tcp://10.0.0.1:5000", "boat", 2947, "tcp://10.0.0.1:5000"),
    ] as [(String, String, UInt16, String?)])
  func reads(text: String, host: String, port: UInt16, device: String?) {
    let address = GPSDAddress(text)
    #expect(address == GPSDAddress(host: host, port: port, device: device))
    #expect(address.flatMap { GPSDAddress($0.text) } == address)
  }

  @Test(
    "invalid addresses are refused",
    arguments: [
      "/dev/serial0", "gpsd:/boat", "gpsd://boat:", "gpsd://boat:0", "gpsd://boat:65536",
      "gpsd://boat:x", "gpsd://[::1", "gpsd://[]", "gpsd://a b", "gpsd://[::1]x", "http://boat", "",
    ])
  func refuses(text: String) { #expect(GPSDAddress(text) == nil) }

  @Test("a board file accepts an address as its receiver's port and refuses an invalid one")
  func boardFile() throws {
    let board = try Board(
      yaml: "board: x\nreceiver:\n  port: gpsd://localhost:2947\n", path: "x.yaml")
    #expect(board.receiver?.gpsd == GPSDAddress())
    let again = try Board(yaml: board.yaml, path: "y.yaml")
    #expect(again == board)
    do {
      _ = try Board(yaml: "board: x\nreceiver: {port: 'gpsd://boat:x'}\n", path: "x.yaml")
      Issue.record("taken")
    } catch {
      #expect("\(error)".contains("gpsd://HOST[:PORT][/DEVICE]"))
    }
    #expect(Board.Receiver(port: "/dev/serial0").gpsd == nil)
  }
}
