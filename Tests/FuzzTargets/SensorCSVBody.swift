import Formats
import Quantities

/// The sensor CSV reader: rows in order of time with values in range, or one error with the line.
struct SensorCSVBody: FuzzBody {
  private let file = ScratchFile()

  func check(_ input: UnsafeRawBufferPointer) throws(Violation) {
    try file.hold(input)
    let outcome: Result<[SensorSamples], RecordingError>
    do throws(RecordingError) {
      outcome = .success(try Self.rows(file.path))
    } catch {
      outcome = .failure(error)
    }
    switch outcome {
    case .success(let rows): try Self.check(rows)
    case .failure(.malformed(_, let line, _, let found, _)):
      let lines = 1 + input.count { $0 == UInt8(ascii: "\n") }
      try expect((1...lines).contains(line), "line \(line) of \(lines)")
      try expect(found.utf8.count < 200 + input.count, "a message of \(found.utf8.count) bytes")
    case .failure(let error): throw Violation("\(error)")
    }
  }

  private static func rows(_ path: String) throws(RecordingError) -> [SensorSamples] {
    var reader = try SensorCSVReader(path: path)
    var rows: [SensorSamples] = []
    while let row = try reader.next() { rows.append(row) }
    return rows
  }

  private static func check(_ rows: [SensorSamples]) throws(Violation) {
    for (row, next) in zip(rows, rows.dropFirst()) {
      try expect(row.timestamp <= next.timestamp, "\(next.timestamp) after \(row.timestamp)")
    }
    for row in rows {
      if let pressure = row.pressure {
        try Bounds.positive(pressure.hectopascal)
        try Bounds.numbers(pressure.celsius)
      }
      guard let fix = row.fix else { continue }
      try Bounds.place(fix.position)
      try Bounds.numbers(fix.altitudeMetres)
      try Bounds.positive(
        fix.speedMetresPerSecond, fix.horizontalAccuracyMetres, fix.verticalAccuracyMetres)
      try Bounds.direction(fix.course, "course")
    }
  }
}
