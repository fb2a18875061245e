import Board
import CalibrationFit
import Chips
import Pipeline
import Quantities

/// The magnetometer's axes relative to the inertial unit's: by the field that a turning board must
/// measure (`MountSearch`, as in `lodestar calibrate mount`).
enum AxisRule {
  /// Field that the search takes for iron without help, microtesla: twice the sigma of its prior.
  private static let usualIron = 2 * ForwardFit.Parameters().offsetSigma

  /// Time before the motion whose samples are used, s: more than the longest rest of a check.
  private static let leastRest = 60.0

  /// What the motion shows.
  struct Finding {
    /// The fit of the field; nil where the motion does not determine it.
    var mount: MountFinding?
    /// The strength of the board's iron, microtesla.
    var iron: Double?
    /// What is wrong.
    var findings: [CheckFinding] = []
  }

  static func findings(_ data: CheckData, _ outcome: inout CheckOutcome) -> Finding {
    var maker = ObservationMaker(fullScale: data.board.fullScale)
    var observations: [FieldObservation] = []
    let (begin, end) = (data.motion?.from, data.motion?.to)
    for row in data.rows {
      // The rest before shows the gyroscope's offset; of a long recording no more is needed.
      if let begin, begin.seconds(since: row.timestamp) > leastRest { continue }
      if let end, row.timestamp > end { break }
      if let observation = maker.add(row) { observations.append(observation) }
    }
    let inMotion = observations.filter { one in
      data.motion.map { one.timestamp >= $0.from } ?? false
    }
    guard data.hasGyroscope, !inMotion.isEmpty else {
      if !data.hasGyroscope {
        outcome.notes.append(
          "the \(data.isRecording ? "recording" : "board") has no gyroscope: the magnetometer's axes and the course are not "
            + "judged")
      }
      return Finding()
    }
    // A magnet is far from the prior of no iron: its mean field is subtracted before the search.
    let mean = inMotion.reduce(SIMD3<Double>.zero) { $0 + $1.field } / Double(inMotion.count)
    let shift = mean.length > usualIron ? mean : .zero
    for index in observations.indices { observations[index].field -= shift }
    let prior = data.modelField.map { FieldPrior.model($0) } ?? .unknown
    let mount: MountFinding
    do throws(CalibrationFitError) {
      mount = try MountSearch(fit: ForwardFit(prior: prior)).search(observations)
    } catch {
      outcome.notes.append("the magnetometer's axes are not determined: \(error)")
      return Finding()
    }
    outcome.add("certainty of the magnetometer's axes", mount.gap, 0, "(15 is needed)")
    guard mount.isAccepted else {
      outcome.notes.append(
        "the magnetometer's axes are not determined: the motion was not sufficient; tilt the board further"
      )
      return Finding()
    }
    let iron = (mount.solution.estimate.distortion.offset + shift).length
    outcome.add("field of the board's iron", iron, 0, "µT")
    var finding = Finding(mount: mount, iron: iron)
    if mount.mount != .identity { finding.findings = [wrong(mount.mount, data)] }
    return finding
  }

  /// The finding of a magnetometer with other axes than its unit.
  private static func wrong(_ mount: SignedAxes, _ data: CheckData) -> CheckFinding {
    let device = data.name(of: .field)
    let figure = "its x, y, z are the inertial unit's \(mount)"
    guard mount.isMirrored else {
      return CheckFinding(
        .wrongMount, on: device, "the chip is mounted otherwise than the board file states",
        figure: figure,
        remedy:
          "set its axes in the board file: lodestar calibrate mount --board FILE writes them")
    }
    let chip = MirroredAxes(mount.matrix, of: data.chips(.field).first?.sensor, .field)
    return CheckFinding(
      chip.isExchange ? .swappedAxes : .invertedAxis, on: device,
      chip.fault(of: "magnetometer"),
      figure: "the field turns as if its x, y, z were \(chip.axes)",
      remedy: data.mirrorRemedy)
  }
}
