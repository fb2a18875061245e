import Board
import Chips
import Quantities
import Recording

/// Chips that do not answer, do not measure, or whose bus fails; rates and lost samples.
enum ChipRule {
  /// Failed transfers from which on a bus is at fault. A byte that is not acknowledged is never
  /// part of normal operation (NXP UM10204, section 3.1.6): a few allow for one disturbance from
  /// outside.
  private static let fewestErrors = 3
  /// Largest deviation of a rate, as a share: that of the chips' oscillators.
  private static let rateTolerance = SampleTimeline.tolerance
  /// Largest ratio of a barometer's mean rate and the set one: `lodestar doctor` accepts half of a
  /// rate.
  private static let pressureTolerance = 2.0
  /// Lost samples from which on a finding is made. The filter bridges one missing sample by its
  /// neighbours; with one in twenty, two in a row are missing several times a minute.
  private static let lostShare = 0.05
  /// A longer gap in a recording is a pause that its user made, s.
  private static let longestLoss = 2.0

  static func findings(_ data: CheckData, _ outcome: inout CheckOutcome) -> [CheckFinding] {
    var findings: [CheckFinding] = []
    var check = RecordingCheck()
    for row in data.rows { check.add(row) }
    var dead: Set<String> = []
    // A recording has no counters, and may leave out a chip.
    for chip in data.status.chips
    where !data.isRecording && (chip.fault != nil || chip.samples == 0) {
      dead.insert(chip.name)
      findings.append(
        CheckFinding(
          .deadSensor, on: chip.name, "it delivers no measurements",
          figure: chip.fault ?? "no sample came",
          remedy:
            "check its power, its wires and its address with lodestar probe; if it stays, replace the chip"
        ))
    }
    // By the samples alone, where the driver has not noticed it.
    if dead.isEmpty {
      for text in check.findings {
        let quantity: ChipModel.Quantity =
          text.contains("magnetometer")
          ? .field : text.contains("barometer") ? .pressure : .inertia
        findings.append(
          CheckFinding(
            .deadSensor, on: data.name(of: quantity), "it does not measure", figure: text,
            remedy: "take the power off and on; if it stays, replace the chip"))
      }
    }
    var busesAtFault: Set<String> = []
    for (sensor, chip) in zip(data.board.sensors, data.status.chips)
    where !dead.contains(chip.name) && chip.errors >= fewestErrors {
      guard busesAtFault.insert(sensor.bus).inserted else { continue }
      let all = zip(data.board.sensors, data.status.chips).filter { $0.0.bus == sensor.bus }
      let errors = all.reduce(0) { $0 + (dead.contains($1.1.name) ? 0 : $1.1.errors) }
      let samples = all.reduce(0) { $0 + $1.1.samples }
      findings.append(
        CheckFinding(
          .busErrors, on: sensor.bus, "transfers fail",
          figure: "\(errors) failed beside \(samples) samples, of \(chip.name) and others",
          remedy:
            "shorten the wires, check their contacts and the pull-up resistors (2 to 5 kilohms), and set the bus to "
            + "400 kHz or less"))
    }
    for quantity in [ChipModel.Quantity.inertia, .field, .pressure] {
      let chips = data.chips(quantity)
      if data.isRecording, chips.isEmpty {
        let unnamed = BoardStatus.Chip(name: data.name(of: quantity), quantity: quantity)
        findings += timing(data, quantity, unnamed, false, &outcome)
        continue
      }
      // Rows do not name their chip.
      guard chips.count == 1, let chip = chips.first, !dead.contains(chip.status.name) else {
        continue
      }
      findings += timing(
        data, quantity, chip.status, busesAtFault.contains(chip.sensor.bus), &outcome)
    }
    return findings
  }

  private static func timing(
    _ data: CheckData, _ quantity: ChipModel.Quantity, _ chip: BoardStatus.Chip,
    _ isBusAtFault: Bool, _ outcome: inout CheckOutcome
  ) -> [CheckFinding] {
    let instants: [Timestamp] =
      switch quantity {
      case .inertia: data.rows.compactMap { $0.inertial?.timestamp }
      case .field: data.rows.compactMap { $0.field?.timestamp }
      case .pressure: data.rows.compactMap { $0.pressure?.timestamp }
      }
    let pause = data.isRecording ? longestLoss : .infinity
    guard let timing = StreamTiming(instants, pause: pause) else { return [] }
    // A barometer is read when its conversion is due: its intervals vary, and only their mean
    // counts.
    let isPaced = quantity != .pressure
    let rate = isPaced ? 1 / timing.interval : timing.meanRate
    outcome.add("rate of \(chip.name)", rate, 1, "Hz")
    guard isPaced else {
      guard let nominal = chip.rateHertz, !isBusAtFault,
        !(nominal / pressureTolerance...nominal * pressureTolerance).contains(rate)
      else { return [] }
      return [wrongRate(chip, rate, nominal)]
    }
    outcome.add("jitter of \(chip.name)", timing.jitter * 1e3, 2, "ms")
    outcome.add("lost samples of \(chip.name)", timing.lostShare * 100, 1, "%")
    guard !isBusAtFault else { return [] }
    if let nominal = chip.rateHertz, abs(rate / nominal - 1) > rateTolerance {
      return [wrongRate(chip, rate, nominal)]
    }
    guard timing.lostShare > lostShare else { return [] }
    let of = chip.rateHertz.map { " of \(CheckFigures.fixed($0, 1))" } ?? ""
    return [
      CheckFinding(
        .lostSamples, on: chip.name, "samples are missing",
        figure:
          "\(CheckFigures.fixed(timing.meanRate, 1))\(of) samples a second came, the longest gap "
          + "\(CheckFigures.fixed(timing.longestGap * 1e3, 0)) ms",
        remedy:
          "end other programs that read the bus (sudo fuser -v /dev/i2c-*), lower the load, or lower 'rate' in the "
          + "board file")
    ]
  }

  private static func wrongRate(
    _ chip: BoardStatus.Chip, _ rate: Double, _ nominal: Double
  ) -> CheckFinding {
    CheckFinding(
      .wrongRate, on: chip.name, "it measures at another rate than was set",
      figure:
        "\(CheckFigures.fixed(rate, 1)) samples a second, \(CheckFigures.fixed(nominal, 1)) were set",
      remedy:
        "check with lodestar probe which chip it really is: clones have other oscillators and registers; name that "
        + "chip in the board file")
  }
}
