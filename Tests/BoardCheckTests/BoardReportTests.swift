import BoardCheck
import Configuration
import Testing

@Suite("The report about a board", .timeLimit(.minutes(30)))
struct BoardReportTests {
  private func report(_ check: CheckedBoard) throws -> String {
    let outcome = try check.outcome(seed: 2)
    return BoardReport.lines(
      outcome, board: check.board, file: nil, program: "lodestar 1", machine: []
    ).joined(separator: "\n")
  }

  @Test("it has neither the place, nor the board's name, nor a receiver's serial number")
  func isPrivate() throws {
    var check = CheckedBoard()
    check.board.name = "Board of Alice"
    check.board.receiver?.port = "/dev/serial/by-id/usb-u-blox_GNSS_A10LK9-if00"
    let text = try report(check)
    #expect(text.contains("result: pass"))
    for secret in ["Alice", "A10LK9", "52.38", "13.06"] {
      #expect(!text.contains(secret), "\(text)")
    }
  }

  @Test("it has the findings with their names, and every step")
  func findings() throws {
    let text = try report(CheckedBoard(fault: .hotGyroscope))
    #expect(text.contains("result: 1 finding\n"))
    #expect(text.contains("hot-gyroscope: MPU-9250 at 0x68"))
    for step in CheckStep.allCases { #expect(text.contains("\(step.rawValue): ")) }
  }
}
