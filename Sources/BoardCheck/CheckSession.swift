import Board
import Chips
import Configuration
import Doctor
import Quantities
import ReceiverProtocols

/// The acceptance of one board: takes rows, estimates, the receiver's bytes and the state of the
/// drivers, leads through the steps, and gives the findings. A value without a clock or a device.
package struct CheckSession: Sendable {
  /// Interval of the estimates that are used, s.
  private static let estimateInterval = 0.1

  /// The steps.
  package private(set) var guide: CheckGuide
  private var data: CheckData
  private var reader = ReceiverReader()
  private let isSimulated: Bool

  /// Begins.
  /// - Parameters:
  ///   - board: The board by its file.
  ///   - isSimulated: Whether its samples are simulated.
  package init(board: Board, isSimulated: Bool) {
    data = CheckData(board)
    self.isSimulated = isSimulated
    func has(_ quantity: ChipModel.Quantity) -> Bool {
      board.sensors.contains { $0.measures(quantity) }
    }
    guide = CheckGuide(
      CheckGuide.Equipment(
        hasInertia: has(.inertia), hasField: has(.field), hasReceiver: board.receiver != nil))
  }

  private static let sensors: [(ChipModel.Quantity, String)] = [
    (.field, "magnetometer"), (.inertia, "inertial unit"), (.pressure, "barometer"),
  ]

  /// Begins the judgement of a recording, whose steps are sought in its samples.
  /// - Parameters:
  ///   - board: The board by its file, or as it was recorded.
  ///   - isMountStated: Whether a board file, an option or the recording gives the mount.
  ///   - isSimulated: Whether its samples are simulated.
  package init(recordingOf board: Board, isMountStated: Bool, isSimulated: Bool) {
    self.init(board: board, isSimulated: isSimulated)
    (data.isRecording, data.isMountStated) = (true, isMountStated)
  }

  /// Adds all samples of a row.
  package mutating func add(_ row: SensorSamples) {
    if data.isRecording { return data.rows.append(row) }
    guard guide.step != nil else { return }
    data.rows.append(row)
    guide.add(row)
  }

  /// Adds an estimate.
  package mutating func add(_ estimate: Estimate) {
    if let last = data.estimates.last,
      estimate.timestamp.seconds(since: last.timestamp) < Self.estimateInterval
    {
      return
    }
    data.estimates.append(estimate)
  }

  /// Adds bytes of the receiver's line.
  package mutating func add(receiver bytes: [UInt8], at instant: Timestamp) {
    data.receiverBytes += bytes.count
    bytes.withUnsafeBytes { reader.push($0, at: instant) { _ in } }
    data.sentences = reader.counts
  }

  /// Sets the newest state of chips and receiver, counted since the start.
  package mutating func set(_ status: BoardStatus) { data.status = status }

  /// Sets how much the system's clock changed against the monotonic one, seconds.
  package mutating func set(clockStep: Double) { data.clockStep = clockStep }

  /// Ends the steps and judges.
  package mutating func outcome() -> CheckOutcome {
    if data.isRecording { return recordedOutcome() }
    guide.stop()
    (data.spans, data.rest) = (guide.spans, guide.rest)
    var outcome = CheckOutcome()
    (outcome.isSimulated, outcome.steps) = (isSimulated, guide.finished)
    for step in guide.finished {
      if let reason = step.reason {
        outcome.notes.append("step '\(step.step)' left out: \(reason)")
      }
    }
    for (quantity, name) in Self.sensors where data.chips(quantity).isEmpty {
      outcome.notes.append("the board has no \(name): nothing of it is judged")
    }
    addCautions(&outcome)
    outcome.findings = findings(&outcome)
    outcome.devices = data.status.chips.map(\.name)
    return outcome
  }

  /// Seeks the steps in the samples of a recording and judges.
  private mutating func recordedOutcome() -> CheckOutcome {
    let steps = RecordedSteps(data.rows)
    (data.spans, data.rest, data.statedMotion) = (steps.spans, steps.rest, steps.motion)
    // The chips of the board file have names; their counters are not recorded.
    data.status.chips = data.board.sensors.map { BoardStatus.Chip($0) }
    var outcome = CheckOutcome()
    (outcome.isSimulated, outcome.isRecording) = (isSimulated, true)
    outcome.steps = steps.steps
    let hidden = "not shown by this recording: "
    for step in steps.steps {
      if let reason = step.reason {
        outcome.notes.append("\(hidden)the step '\(step.step)': \(reason)")
      }
    }
    for (quantity, name) in Self.sensors where !data.hasSamples(of: quantity) {
      outcome.notes.append("\(hidden)the \(name): it has no samples of one")
    }
    outcome.notes.append(
      "\(hidden)rates that were set, failed transfers and late reads: only the program that reads the board counts them"
    )
    addCautions(&outcome)
    outcome.findings = findings(&outcome)
    return outcome
  }

  /// Adds notes on chips that may be other parts than named, and on values without a second source.
  private func addCautions(_ outcome: inout CheckOutcome) {
    for chip in data.status.chips {
      if let doubt = chip.doubt { outcome.notes.append("\(chip.name): \(doubt)") }
    }
    outcome.notes += ChipModel.cautions(of: data.board.sensors.map(\.chip))
  }

  /// Causes before consequences: what a finding explains is not reported again.
  private func findings(_ outcome: inout CheckOutcome) -> [CheckFinding] {
    var findings = ChipRule.findings(data, &outcome)
    findings += RangeRule.findings(data)
    findings += RestRule.findings(data, &outcome)
    if findings.isEmpty { findings += ScaleRule.findings(data) }
    findings += ReceiverRule.findings(data, &outcome)
    let magnet = FieldRule.magnet(data, &outcome)
    findings += magnet
    findings += timing()
    // Axes, mount and deviation are judged by samples that are sound.
    let spoilt: Set<CheckFinding.Kind> = [
      .deadSensor, .clippedRange, .hotGyroscope, .magnetOnBoard, .wrongGravity, .wrongScale,
      .fieldNoise,
    ]
    let isSound = !findings.contains { spoilt.contains($0.kind) }
    let unit = isSound ? UnitAxisRule.result(data, &outcome) : UnitAxisRule.Result()
    findings += unit.findings
    let gravity = unit.findings.isEmpty ? MountRule.byGravity(data, &outcome) : []
    findings += gravity
    if isSound, unit.isDetermined, unit.findings.isEmpty, data.hasField {
      let axes = AxisRule.findings(data, &outcome)
      findings += axes.findings
      if let mount = axes.mount, axes.findings.isEmpty {
        if gravity.isEmpty { findings += MountRule.byCourse(data, mount, &outcome) }
        findings += FieldRule.deviation(data, &outcome)
      }
    }
    return findings + (findings.isEmpty ? incomplete(outcome) : [])
  }

  /// The rules of `lodestar doctor` about times.
  private func timing() -> [CheckFinding] {
    var health = LiveHealth(seconds: 0)
    health.worstLateness = data.status.lateness.values.map(\.worstSeconds).max()
    health.clockStep = data.clockStep
    return LiveCheck.timing(health).map { finding in
      CheckFinding(
        .timing, on: "this machine", finding.why ?? "", figure: finding.what,
        remedy: finding.remedy?.commands.joined(separator: "; ") ?? "")
    }
  }

  private func incomplete(_ outcome: CheckOutcome) -> [CheckFinding] {
    outcome.steps.filter { !$0.isDone && $0.reason == nil }.map { step in
      CheckFinding(
        .incomplete, on: "board", "the step '\(step.step)' was not completed",
        figure: "after \(CheckFigures.fixed(step.seconds, 0)) s",
        remedy: "repeat the check: \(step.step.instruction)")
    }
  }
}

extension CheckData {
  fileprivate var hasField: Bool { rows.contains { $0.field != nil } }
}
