import Configuration
import Quantities
import Testing

@Suite("A compass and receivers of the network in board files", .timeLimit(.minutes(30)))
struct CompassTests {
  @Test(
    "addresses of feeds are read",
    arguments: [
      ("tcp://boat.local:10110", SentenceFeed.tcp(host: "boat.local", port: 10110)),
      ("tcp://[fe80::1]:2000", .tcp(host: "fe80::1", port: 2000)),
      ("udp://:10110", .udp(address: nil, port: 10110)),
      ("udp://127.0.0.1:10110", .udp(address: "127.0.0.1", port: 10110)),
    ])
  func addresses(_ text: String, _ feed: SentenceFeed) { #expect(SentenceFeed(text) == feed) }

  @Test(
    "other texts are none",
    arguments: [
      "/dev/ttyUSB0", "gpsd://localhost:2947", "tcp://:10110", "tcp://boat", "tcp://boat:0",
      "udp://:65536", "http://boat:80", "tcp://boat/x:1", "tcp://a b:1", "",
    ])
  func others(_ text: String) { #expect(SentenceFeed(text) == nil) }

  @Test("a compass has a port, a speed and an accuracy, and is written back")
  func compass() throws {
    let board = try Board(
      yaml: """
        board: chained
        receiver: {port: tcp://boat:10110}
        compass: {port: /dev/ttyUSB0, baud: 38400, accuracy: 4}
        """, path: "x")
    #expect(board.receiver?.feed == .tcp(host: "boat", port: 10110))
    #expect(board.compass?.port == "/dev/ttyUSB0" && board.compass?.baud == 38400)
    #expect(board.compass?.accuracy == Angle(degrees: 4))
    #expect(try Board(yaml: board.yaml, path: "y") == board)
    let usual = try Board(yaml: "board: a\ncompass: {port: 'udp://:10110'}", path: "x")
    #expect(usual.compass?.accuracy == Angle(degrees: 10) && usual.compass?.baud == 4800)
    #expect(try Board(yaml: usual.yaml, path: "y") == usual)
    let shared = try Board(
      yaml: "board: a\nreceiver: {port: /dev/serial0}\ncompass: {accuracy: 2}", path: "x")
    #expect(shared.compass?.port == nil && shared.compass?.accuracy == Angle(degrees: 2))
  }

  @Test("several receivers and compasses are a list, each with a name and a priority")
  func several() throws {
    let board = try Board(
      yaml: """
        board: boat
        receiver:
          - {port: /dev/serial0, baud: 9600, name: mast, priority: 1, pps: /dev/pps0, rate: 5,
             antenna: {up: 8}}
          - {port: 'gpsd://boat', baseline: 90}
          - {port: 'udp://:10110', name: phone, priority: 99, talkers: [GP, AI]}
        compass:
          - {port: 'gpsd://boat/dev/gyro', name: gyrocompass, accuracy: 1, priority: 1}
          - {port: /dev/ttyUSB0}
        """, path: "x")
    #expect(board.receivers.map(\.title) == ["mast", "gpsd://boat", "phone"])
    #expect(board.receivers.map(\.priority) == [1, nil, 99])
    #expect(board.receiver?.antenna?.up == 8 && board.receivers[1].antenna == nil)
    #expect(board.compasses.map(\.title) == ["gyrocompass", "/dev/ttyUSB0"])
    #expect(try Board(yaml: board.yaml, path: "y") == board)
    // A list of one is the same as none.
    let one = try Board(yaml: "board: a\nreceiver:\n  - {port: /dev/serial0}", path: "x")
    #expect(try one == Board(yaml: "board: a\nreceiver: {port: /dev/serial0}", path: "x"))
    var changed = board
    changed.receiver = Board.Receiver(port: "/dev/other")
    #expect(changed.receivers.map(\.title) == ["/dev/other", "gpsd://boat", "phone"])
    changed.receiver = nil
    #expect(changed.receivers.isEmpty)
  }

  @Test(
    "what makes no sense is refused with the allowed values",
    arguments: [
      "receiver: {port: 'tcp://boat'}", "receiver: {port: 'udp://boat:x'}",
      "receiver: {port: 'tcp://boat:1', baud: 4800}", "receiver: {port: 'udp://:1', rate: 5}",
      "receiver: {port: 'tcp://boat:1', pps: /dev/pps0}", "compass: {accuracy: 5}",
      "compass: {port: 'gpsd://boat:x'}", "compass: {port: 'tcp://boat'}",
      "compass: {port: /dev/ttyUSB0, accuracy: 0}", "compass: {port: /dev/ttyUSB0, baud: 1}",
      "receiver: {port: /dev/serial0}\ncompass: {port: /dev/serial0}",
      "receiver:\n  - {port: /dev/a}\n  - {port: /dev/a}",
      "receiver:\n  - {port: /dev/a, name: x}\n  - {port: /dev/b, name: x}",
      "receiver:\n  - {port: /dev/a, pps: /dev/pps0}\n  - {port: /dev/b, pps: /dev/pps0}",
      "receiver:\n  - {port: /dev/a, priority: 0}", "receiver:\n  - {port: /dev/a, priority: best}",
      "receiver:\n  - {port: /dev/a}\n  - {port: /dev/b}\ncompass: {port: /dev/b}",
      "compass:\n  - {port: /dev/a}\n  - {port: /dev/a}",
    ])
  func refused(_ text: String) {
    #expect(throws: BoardFileError.self) { try Board(yaml: "board: a\n" + text, path: "x") }
  }
}
