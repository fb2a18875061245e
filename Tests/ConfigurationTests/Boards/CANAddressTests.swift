import Configuration
import Testing

@Suite("Addresses of NMEA 2000 buses", .timeLimit(.minutes(30)))
struct CANAddressTests {
  @Test("an interface with or without the address of a device")
  func texts() {
    #expect(CANAddress("can://can0") == CANAddress(interface: "can0"))
    #expect(CANAddress("can://vcan0/35") == CANAddress(interface: "vcan0", device: 35))
    #expect(CANAddress("can://can0/253")?.text == "can://can0/253")
    #expect(CANAddress("can:///run/bus")?.interface == "/run/bus")
    for text in [
      "can://", "can:///", "can://can0/", "can://can0/254", "can://can0/x", "can://can0/1/2",
      "can://can 0", "can://a-name-of-16-byt", "can0", "/dev/can0",
    ] { #expect(CANAddress(text) == nil, "\(text)") }
  }

  @Test("a board file may name a bus as receiver and as compass, without settings of a line")
  func boardFile() throws {
    let text = "board: boat\nreceiver:\n  port: can://can0/35\ncompass:\n  port: can://can0\n"
    let board = try Board(yaml: text, path: "test.yaml")
    #expect(board.receiver?.can == CANAddress(interface: "can0", device: 35))
    #expect(board.receiver?.acceptsCommands == false)
    #expect(board.compasses.first?.port == "can://can0")
    #expect(throws: BoardFileError.self) {
      try Board(yaml: "board: x\nreceiver:\n  port: can://can0\n  baud: 9600\n", path: "test.yaml")
    }
    #expect(throws: BoardFileError.self) {
      try Board(yaml: "board: x\nreceiver:\n  port: can://\n", path: "test.yaml")
    }
  }
}
