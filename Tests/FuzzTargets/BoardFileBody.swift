import Configuration

/// The board file reader: a board with valid addresses and settings, or one error with line and
/// column.
struct BoardFileBody: FuzzBody {
  func check(_ input: UnsafeRawBufferPointer) throws(Violation) {
    let text = String(decoding: input, as: UTF8.self)
    let outcome: Result<Board, BoardFileError>
    do throws(BoardFileError) {
      outcome = .success(try Board(yaml: text, path: "fuzz.yaml"))
    } catch {
      outcome = .failure(error)
    }
    switch outcome {
    case .success(let board):
      try expect(!board.name.isEmpty, "a board without a name")
      for sensor in board.sensors {
        try expect(
          sensor.chip.addresses.contains(sensor.address), "\(sensor.chip) at \(sensor.address)")
        try Bounds.positive(sensor.latencySeconds, sensor.settings.rateHertz)
      }
      try Bounds.numbers(board.trim.heading.radians, board.trim.pitch.radians)
    case .failure(.refused(_, let line, let column, let found, let allowed)):
      try expect(line >= 1 && column >= 1, "line \(line) column \(column): \(found)")
      try expect(!found.isEmpty && !allowed.isEmpty, "an error without a text")
    case .failure(let error): throw Violation("\(error)")
    }
  }
}
