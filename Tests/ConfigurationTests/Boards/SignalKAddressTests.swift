import Configuration
import TestSupport
import Testing

@Suite("The address of a Signal K server", .timeLimit(.minutes(30)))
struct SignalKAddressTests {
  @Test(
    "transport, host, port and source are read",
    arguments: [
      ("signalk://boat", .tcp, "boat", 8375, nil),
      ("signalk://boat:8376/can0.43", .tcp, "boat", 8376, "can0.43"),
      ("signalk-ws://[::1]/gps.GN", .webSocket, "::1", 3000, "gps.GN"),
      ("signalk-ws://10.0.0.2:80/", .webSocket, "10.0.0.2", 80, nil),
    ] as [(String, SignalKAddress.Transport, String, UInt16, String?)])
  func reads(
    text: String, transport: SignalKAddress.Transport, host: String, port: UInt16, source: String?
  ) {
    let address = SignalKAddress(text)
    #expect(address == SignalKAddress(transport, host: host, port: port, source: source))
    #expect(address.flatMap { SignalKAddress($0.text) } == address)
  }

  @Test(
    "invalid addresses are refused",
    arguments: [
      "signalk://", "signalk://:8375", "signalk:boat", "signalk://boat:x", "signalk://boat:0",
      "signalk://a b", "signalk://[::1", "ws://boat", "signalk://boat:1:2",
    ])
  func refuses(text: String) { #expect(SignalKAddress(text) == nil) }

  @Test("a board file has it as receiver and compass, and refuses a speed and an invalid one")
  func boardFile() throws {
    let text = """
      board: x
      receiver:
        - {port: 'signalk://boat', name: plotter, priority: 2}
        - {port: /dev/serial0}
      compass: {port: 'signalk-ws://boat/can0.12'}

      """
    let board = try Board(yaml: text, path: "x.yaml")
    #expect(board.receivers[0].signalK == SignalKAddress(host: "boat"))
    #expect(board.compass?.port == "signalk-ws://boat/can0.12")
    #expect(!board.receivers[0].acceptsCommands && board.receivers[1].acceptsCommands)
    #expect(try Board(yaml: board.yaml, path: "y.yaml") == board)
    for (bad, expected) in [
      ("receiver: {port: 'signalk://boat', baud: 9600}", "antenna, baseline alone"),
      ("receiver: {port: 'signalk://boat', talkers: [GP]}", "talkers' of a receiver"),
      ("receiver: {port: 'signalk://boat:x'}", "signalk://HOST[:PORT][/SOURCE]"),
      ("compass: {port: 'signalk-ws://'}", "signalk://HOST[:PORT][/SOURCE]"),
    ] {
      let error = thrownError(BoardFileError.self) {
        _ = try Board(yaml: "board: x\n\(bad)\n", path: "x.yaml")
      }
      #expect("\(error.map { "\($0)" } ?? "")".contains(expected), "\(bad)")
    }
  }
}
