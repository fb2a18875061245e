import Setup
import Testing

@Suite("The step for the mount", .timeLimit(.minutes(30)))
struct MountStepTests {
  private let board = "/etc/lodestar/board.yaml"
  private let serve = "/etc/lodestar/serve.yaml"

  private func machine(_ text: String, _ keys: String = "") throws -> FakeMachine {
    let machine = try FakeMachine()
    try machine.write(text, to: board)
    try machine.write("board: \(board)\n" + keys, to: serve)
    return machine
  }

  @Test(
    "keeps a mount, asks for two axes and derives the third, and keeps the other lines of the file")
  func questions() throws {
    let text =
      "# mast\nboard: B\nmount: {x: forward, y: left, z: up}  # upright\nsensors:\n  - {chip: MPU-9250}\n"
    let machine = try machine(text)
    let kept = SetupRun(machine, .mount)
    #expect(
      kept.words.contains("as now: {x: forward, y: left, z: up}")
        && kept.words.hasSuffix("No change."))
    let run = SetupRun(machine, .mount, ["3", "sideways", "up", "down", "left", ""])
    #expect(run.faults.isEmpty && run.console.isUsedUp)
    #expect(run.words.components(of: "answer with one of:") == 2)
    #expect(run.words.contains("The y axis points (forward, backward, right, left)"))
    #expect(run.words.contains("Then the z axis points backward."))
    #expect(
      machine.text(board)
        == text.replacing("{x: forward, y: left, z: up}", with: "{x: up, y: left, z: backward}"))
    #expect(machine.text(board + ".bak") == text)
  }

  @Test("sets auto by default for a new board with an inertial unit, and keeps it")
  func automatic() throws {
    let machine = try FakeMachine()
    machine.place([(.mpu9250, 0x68), (.ak8963, 0x0C), (.bmp280, 0x76)])
    var request = SetupRequest()
    request.board = "gy-91"
    // All steps of one session: the mount of a board file that was copied just now is a guess.
    _ = SetupRun(machine, nil, request: request)
    #expect(machine.text(board)?.contains("\nmount: auto\n") == true)
    let again = SetupRun(machine, .mount)
    #expect(again.words.contains("1 as now: auto") && again.words.hasSuffix("No change."))
  }

  @Test("moves a mount of the daemon's file to the board file when it changes it")
  func key() throws {
    let machine = try machine(
      "board: B\nsensors:\n  - {chip: HMC5883L}\n", "mount: up,forward,left\n")
    let run = SetupRun(machine, .mount, ["2", "backward", "left", ""])
    #expect(run.faults.isEmpty && run.words.contains("as now: up,forward,left"))
    #expect(machine.text(serve) == "board: \(board)\n")
    #expect(
      machine.text(board)
        == "board: B\nsensors:\n  - {chip: HMC5883L}\nmount: {x: backward, y: left, z: down}\n")
  }

  @Test("has nothing to do without a board file, and for a simulation")
  func nothing() throws {
    let machine = try FakeMachine()
    #expect(SetupRun(machine, .mount).words.hasSuffix("The step sensors writes a board file."))
    try machine.write("simulate: true\n", to: serve)
    #expect(SetupRun(machine, .mount).words.hasSuffix("The source is simulated: nothing to do."))
  }
}
