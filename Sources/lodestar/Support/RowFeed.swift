import ArgumentParser
import Configuration
import Engine
import Formats
import Foundation
import LinuxIO
import Quantities
import Synchronization

/// The samples of a whole recording, or of a board for some seconds.
struct RowFeed: ParsableArguments {
  @Argument(help: "A recording; the attached board by default.", completion: .file())
  var input: String?

  @Flag(help: "The simulated board, turned by a simulated hand; labelled SIMULATED.")
  var simulate = false

  @Option(help: "How long a board is read, 1 to 600 s.")
  var seconds = 60.0

  @OptionGroup var board: BoardOptions

  func validate() throws {
    if simulate, input != nil { throw ValidationError("give a recording or --simulate, not both") }
    guard (1...600).contains(seconds) else {
      throw ValidationError("--seconds \(seconds): expected 1 to 600")
    }
  }

  /// Calls `body` with each row.
  /// - Returns: The board of the samples; nil for a recording without a named board.
  func run(loadColumn: String? = nil, _ body: (SensorSamples) -> Void) throws(Failure) -> Board? {
    if let input {
      try Self.read(input, loadColumn, body)
      return try board.named()
    }
    return try readBoard(body)
  }

  private static func read(
    _ path: String, _ loadColumn: String?, _ body: (SensorSamples) -> Void
  ) throws(Failure) {
    do {
      var recording = try OpenedRecording(path: path, loadColumn: loadColumn)
      while let row = try recording.next() { body(row) }
    } catch {
      throw .input("\(error)")
    }
  }

  private func readBoard(_ body: (SensorSamples) -> Void) throws(Failure) -> Board {
    var configuration = PipelineConfiguration()
    try board.apply(to: &configuration)
    configuration.usesKeptCalibration = false
    let player: EstimatePlayer
    do {
      player = try (simulate ? SourceChoice.calibrationSimulation : .attached).open(configuration)
    } catch {
      throw Failure(error)
    }
    defer { player.stop() }
    let waiting = RowBuffer()
    player.onRow { waiting.put($0) }
    player.start()
    let progress = ProgressLine(name: "calibrate")
    let label = player.isSimulated ? "SIMULATED  " : ""
    let start = MonotonicClock.now
    while player.end == nil {
      let elapsed = MonotonicClock.now.seconds(since: start)
      guard elapsed < seconds else { break }
      progress.show("\(label)reading, \(Int(bounded: seconds - elapsed)) s left; Ctrl-C stops")
      Thread.sleep(forTimeInterval: 0.2)
      for row in waiting.take() { body(row) }
    }
    player.stop()
    for row in waiting.take() { body(row) }
    progress.clear()
    return player.boardFile
  }
}

/// Passes rows from the player's thread.
private final class RowBuffer: Sendable {
  private let rows = Mutex<[SensorSamples]>([])

  func put(_ row: SensorSamples) { rows.withLock { $0.append(row) } }

  func take() -> [SensorSamples] {
    rows.withLock { rows in
      defer { rows.removeAll(keepingCapacity: true) }
      return rows
    }
  }
}
