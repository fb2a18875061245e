import Chips
import Setup
import Testing

@Suite("The step for the receiver", .timeLimit(.minutes(30)))
struct ReceiverStepTests {
  private let board = "/etc/lodestar/board.yaml"
  private let serve = "/etc/lodestar/serve.yaml"
  private let text = "# mast\nboard: B\nsensors:\n  - {chip: HMC5883L}\n"

  private func machine(_ receiver: String = "") throws -> FakeMachine {
    let machine = try FakeMachine()
    try machine.write(text + receiver, to: board)
    try machine.write("board: \(board)\n", to: serve)
    return machine
  }

  @Test("writes the receiver that was heard with its speed, and then changes nothing")
  func heard() throws {
    let machine = try machine()
    machine.setReceivers([
      .init(path: "/dev/serial0"), .init(path: "/dev/ttyACM0", baud: 38_400),
      .init(path: "/dev/ttyUSB0", fault: BusError(.inUse("gpsd"), device: "/dev/ttyUSB0")),
    ])
    let run = SetupRun(machine, .receiver)
    #expect(run.faults.isEmpty)
    #expect(run.words.contains("/dev/serial0 no receiver sends there"))
    #expect(run.words.contains("/dev/ttyACM0 a receiver at 38400 baud"))
    #expect(run.words.contains("/dev/ttyUSB0: ") && run.words.contains("gpsd"))
    let new = text + "receiver:\n  port: '/dev/ttyACM0'\n  baud: 38400\n"
    #expect(machine.text(board) == new)
    #expect(SetupRun(machine, .receiver).words.contains("/dev/ttyACM0, as now"))
    #expect(machine.text(board) == new)
  }

  @Test("keeps the pulse and the set-up of a receiver that moves to another port")
  func moved() throws {
    let machine = try machine(
      "receiver:\n  port: /dev/serial0\n  rate: 5\n  pps: /dev/pps0\n# end\n")
    machine.setReceivers([.init(path: "/dev/ttyUSB0", baud: 9600)])
    let run = SetupRun(machine, .receiver, ["2", "y"])
    #expect(run.faults.isEmpty)
    let new = try #require(machine.text(board))
    #expect(new.contains("port: '/dev/ttyUSB0'\n  baud: 9600\n") && new.hasSuffix("# end\n"))
    #expect(new.contains("rate: 5") && new.contains("/dev/pps0"))
  }

  @Test("takes the fixes of a gpsd of this machine, which has the port")
  func gpsd() throws {
    let machine = try machine()
    machine.setGPSD("3.25")
    let run = SetupRun(machine, .receiver)
    #expect(run.faults.isEmpty && run.words.contains("gpsd 3.25 runs on this machine"))
    #expect(machine.text(serve) == "board: \(board)\ngpsd: localhost\n")
    #expect(SetupRun(machine, .receiver).words.contains("1 gpsd, as now (localhost)"))
    // No receiver at all.
    #expect(SetupRun(machine, .receiver, ["2", "y"]).faults.isEmpty)
    #expect(machine.text(serve) == "board: \(board)\n")
  }

  @Test(
    "leaves the search to the daemon without a board file, or writes one for the receiver alone")
  func alone() throws {
    let machine = try FakeMachine()
    machine.setReceivers([.init(path: "/dev/ttyACM0", baud: 9600)])
    #expect(
      SetupRun(machine, .receiver).words.contains(
        "the daemon searches for a receiver itself, as now"))
    #expect(machine.names.isEmpty)
    #expect(SetupRun(machine, .receiver, ["2", "y"]).faults.isEmpty)
    #expect(machine.text(board)?.contains("port: '/dev/ttyACM0'") == true)
    #expect(machine.text(serve)?.hasSuffix("board: \(board)\n") == true)
  }

  @Test("keeps a second receiver beside the first, and then offers it no more")
  func second() throws {
    let machine = try machine("receiver:\n  port: /dev/serial0\n  baud: 9600\n")
    machine.setReceivers([
      .init(path: "/dev/serial0", baud: 9600), .init(path: "/dev/ttyACM0", baud: 38_400),
    ])
    let run = SetupRun(machine, .receiver, ["4", "y"])
    #expect(run.words.contains("4 both: /dev/serial0 and the receiver at /dev/ttyACM0"))
    #expect(run.faults.isEmpty, "\(run.faults)")
    let written = try #require(machine.text(board))
    #expect(
      written.hasSuffix(
        """
        receiver:
          - port: '/dev/serial0'
            baud: 9600
          - port: '/dev/ttyACM0'
            baud: 38400

        """), "\(written)")
    let words = SetupRun(machine, .receiver).words
    #expect(words.contains("/dev/serial0 and /dev/ttyACM0, as now") && !words.contains("both:"))
  }

  @Test("takes an address of the network in place of a port with its pulse and set-up")
  func address() throws {
    let machine = try machine("receiver:\n  port: /dev/serial0\n  rate: 5\n  pps: /dev/pps0\n")
    let run = SetupRun(
      machine, .receiver, ["3", "boat", "signalk://", "signalk://boat.local/can0.43", "y"])
    #expect(run.faults.isEmpty, "\(run.faults)")
    #expect(run.words.contains("'boat' is no address; expected tcp://HOST:PORT or"))
    #expect(run.words.contains("'signalk://' is no address; expected signalk://HOST"))
    #expect(machine.text(board) == text + "receiver:\n  port: 'signalk://boat.local/can0.43'\n")
    // An empty answer changes nothing.
    let kept = SetupRun(machine, .receiver, ["3", ""])
    #expect(kept.faults.isEmpty && kept.words.contains("No change."))
  }

  @Test("drops the port of a board file that was copied just now where no receiver sends there")
  func guess() throws {
    let machine = try FakeMachine()
    machine.place([(.hmc5883l, 0x1E), (.bmp280, 0x76)], ports: ["/dev/serial0"])
    machine.setReceivers([.init(path: "/dev/serial0")])
    _ = SetupRun(machine, nil)
    let text = try #require(machine.text(board))
    #expect(!text.contains("receiver"), "\(text)")
  }
}
