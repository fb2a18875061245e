import Board
import Chips
import Configuration
import Formats
import Quantities
import Simulation

/// The rows of a simulated board: its runners, their drivers, and the emulated chips, which are no
/// part of the product's way. Without a receiver, whose sentences are texts.
func benchmarkBoard() throws {
  var board = Board.simulated
  board.receiver = nil
  for index in board.sensors.indices where board.sensors[index].chip == .mpu9250 {
    board.sensors[index].settings.rateHertz = 200
  }
  var rows = try SimulatedBoardSamples(
    board, scenario: .sailingBoat, seed: 1, startUTC: UTCTime(nanosecondsSince1970: 0))
  // Past the chips' start and the first second's growing arrays.
  for _ in 0..<2000 { _ = try rows.next() }
  let measurement = try Measurement(rounds: 15) {
    for _ in 0..<5000 {
      guard try rows.next() != nil else { throw BenchmarkError("the board's rows ended") }
    }
    return 5000
  }
  try measurement.report()
}
