import Configuration
import Foundation
import Quantities

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
      try Self.checkWriting(board)
    case .failure(.refused(_, let line, let column, let found, let allowed)):
      try expect(line >= 1 && column >= 1, "line \(line) column \(column): \(found)")
      try expect(!found.isEmpty && !allowed.isEmpty, "an error without a text")
    case .failure(let error): throw Violation("\(error)")
    }
  }

  /// Checks that the written board reads back. Its angles and ranges are written in other units, so
  /// these are compared after they were rounded once.
  private static func checkWriting(_ board: Board) throws(Violation) {
    do throws(BoardFileError) {
      let first = try Board(yaml: board.yaml, path: "first.yaml")
      let second = try Board(yaml: first.yaml, path: "second.yaml")
      guard first.withoutAngles == board.withoutAngles,
        second.withoutAngles == first.withoutAngles
      else { throw .unreadable(path: "", reason: "\(board) reads back as \(first), \(second)") }
      for (a, b) in zip(board.angles, first.angles) where abs(a - b) > 1e-9 * max(1, abs(a)) {
        throw .unreadable(path: "", reason: "\(a) reads back as \(b)")
      }
    } catch {
      throw Violation("\(error): \(board.yaml)")
    }
  }
}

extension Board {
  /// The board without the values that are written in other units.
  fileprivate var withoutAngles: Board {
    var board = self
    if case .rotation = mount { board.mount = .standard }
    board.trim = AttitudeAngles(heading: .zero, pitch: .zero, roll: .zero)
    for index in board.sensors.indices {
      if case .rotation = board.sensors[index].mount { board.sensors[index].mount = .standard }
      board.sensors[index].settings.angularRateRadiansPerSecond = nil
      board.sensors[index].settings.specificForceMetresPerSecondSquared = nil
    }
    return board
  }

  /// The values that are written in other units; angles by their sine and cosine.
  fileprivate var angles: [Double] {
    var values = ([mount] + sensors.map(\.mount)).flatMap { mount -> [Double] in
      guard case .rotation(let angles) = mount else { return [] }
      return [angles.heading, angles.pitch, angles.roll].flatMap {
        [sin($0.radians), cos($0.radians)]
      }
    }
    values += [trim.heading.radians, trim.pitch.radians, trim.roll.radians]
    for sensor in sensors {
      values.append(sensor.settings.angularRateRadiansPerSecond ?? 0)
      values.append(sensor.settings.specificForceMetresPerSecondSquared ?? 0)
    }
    return values
  }
}
