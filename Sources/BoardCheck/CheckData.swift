import Board
import Chips
import Configuration
import Doctor
import Quantities
import ReceiverProtocols

/// What a board delivered during its acceptance.
struct CheckData: Sendable {
  /// The board by its file.
  let board: Board
  /// The samples in the order of their arrival.
  var rows: [SensorSamples] = []
  /// Estimates, at most ten a second.
  var estimates: [Estimate] = []
  /// The newest state of chips and receiver.
  var status = BoardStatus()
  /// Bytes of the receiver's line.
  var receiverBytes = 0
  /// Messages of the receiver's line.
  var sentences = ReceiverReader().counts
  /// The times of the steps.
  var spans: [CheckStep: (from: Timestamp, to: Timestamp)] = [:]
  /// The time at rest in the first step; nil where there was none.
  var rest: (from: Timestamp, to: Timestamp)?
  /// True for the samples of a recording, which has no counters of drivers and buses.
  var isRecording = false
  /// Whether the board's mount is stated, by its file, by an option or by the recording.
  var isMountStated = true
  /// The time in which axes and ranges are judged, where it is not that of turn and tilt together.
  var statedMotion: (from: Timestamp, to: Timestamp)?
  /// How much the system's clock changed against the monotonic one, seconds.
  var clockStep = 0.0

  init(_ board: Board) { self.board = board }

  /// The chips of a quantity, with their state.
  func chips(_ quantity: ChipModel.Quantity) -> [(sensor: Board.Sensor, status: BoardStatus.Chip)] {
    zip(board.sensors, status.chips).filter { $0.0.measures(quantity) }
      .map { (sensor: $0.0, status: $0.1) }
  }

  /// The name of the chip of a quantity, for messages.
  func name(of quantity: ChipModel.Quantity) -> String {
    if let chip = chips(quantity).first { return chip.status.name }
    return switch quantity {
    case .inertia: "inertial unit"
    case .field: "magnetometer"
    case .pressure: "barometer"
    }
  }

  /// Whether samples of a quantity came.
  func hasSamples(of quantity: ChipModel.Quantity) -> Bool {
    switch quantity {
    case .inertia: rows.contains { $0.inertial != nil }
    case .field: rows.contains { $0.field != nil }
    case .pressure: rows.contains { $0.pressure != nil }
    }
  }

  /// What to do about mirrored axes of a chip.
  var mirrorRemedy: String {
    isRecording
      ? "the program that recorded it, or the chip's driver, exchanges axes or signs; --axes proven corrects what is certain"
      : "check with lodestar probe which chip it is, and report it with board-report.txt: its driver is at fault; until then "
        + "lodestar calibrate mount --board FILE writes a mirrored mount"
  }

  /// The rows of a time.
  func rows(_ span: (from: Timestamp, to: Timestamp)?) -> [SensorSamples] {
    guard let span else { return [] }
    return rows.filter { $0.timestamp >= span.from && $0.timestamp <= span.to }
  }

  /// The time of turning and tilting.
  var motion: (from: Timestamp, to: Timestamp)? {
    if let statedMotion { return statedMotion }
    let spans = [spans[.turn], spans[.tilt]].compactMap { $0 }
    guard let from = spans.map(\.from).min(), let to = spans.map(\.to).max() else { return nil }
    return (from, to)
  }

  /// The field of the magnetic model; nil where the place is not known.
  var modelField: EarthField? { estimates.last { $0.modelField != nil }?.modelField }
}

/// The instants of the samples of one sensor.
struct StreamTiming {
  /// The number of samples.
  let count: Int
  /// The usual interval, seconds.
  let interval: Double
  /// Samples a second in the mean.
  let meanRate: Double
  /// The share of the samples that are missing, by the usual interval.
  let lostShare: Double
  /// The longest interval, seconds.
  let longestGap: Double
  /// The spread of the usual intervals, seconds: one sigma by the quartiles.
  let jitter: Double

  /// Nil for fewer than 20 samples: too few for a median.
  /// - Parameters:
  ///   - instants: The instants.
  ///   - pause: An interval from which on it is a pause of the recording, not a loss, s.
  init?(_ instants: [Timestamp], pause: Double = .infinity) {
    guard instants.count >= 20, let first = instants.first, let last = instants.last else {
      return nil
    }
    count = instants.count
    let all = zip(instants.dropFirst(), instants).map { $0.seconds(since: $1) }.sorted()
    let gaps = all.filter { $0 < pause }
    guard !gaps.isEmpty else { return nil }
    interval = gaps[gaps.count / 2]
    longestGap = gaps[gaps.count - 1]
    // The quartiles of a normal distribution are 1.349 sigma apart.
    jitter = (gaps[gaps.count * 3 / 4] - gaps[gaps.count / 4]) / 1.349
    let paused = all.reduce(0) { $0 + ($1 < pause ? 0 : $1) }
    let span = last.seconds(since: first) - paused
    meanRate = span > 0 ? Double(gaps.count) / span : 0
    lostShare = span > 0 ? max(0, 1 - Double(gaps.count) * interval / span) : 0
  }
}
