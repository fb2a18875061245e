import Configuration
import LinuxIO
import LocationHost
import Pipeline
import Quantities

/// The mean samples of a board's chips and their physical checks, for `lodestar probe --measure`.
struct InputSurvey {
  private struct Mean {
    var (sum, count) = (0.0, 0)

    mutating func add(_ value: Double?) {
      guard let value else { return }
      sum += value
      count += 1
    }

    var value: Double? { count == 0 ? nil : sum / Double(count) }
  }

  private var seconds: Double
  private var (field, force, rate, pressure, celsius) = (Mean(), Mean(), Mean(), Mean(), Mean())
  private var verdicts: InputVerdicts?

  /// Opens the board and measures.
  /// - Throws: `Failure` where the board cannot be opened.
  init(of board: Board, seconds: Double) throws {
    self.seconds = seconds
    var configuration = PipelineConfiguration()
    configuration.board = board
    // What was guessed is to be shown; a receiver is left as it is.
    configuration.board.axes = .guessed
    configuration.board.receiver = nil
    let player = try SourceChoice.attached.open(configuration)
    let state = Locked(self)
    let estimates = player.observe { estimate in
      state.withLock { $0.verdicts = estimate.inputs ?? $0.verdicts }
    }
    let rows = player.observeRows { row in state.withLock { $0.add(row) } }
    player.start()
    let progress = ProgressLine(name: "probe")
    progress.show(
      "measuring for \(FieldText.fixed(seconds, 0)) s: turn the board in all directions")
    MonotonicClock.sleep(until: MonotonicClock.now.advanced(bySeconds: seconds))
    rows.cancel()
    estimates.cancel()
    player.stop()
    progress.clear()
    self = state.withLock { $0 }
  }

  private mutating func add(_ row: SensorSamples) {
    field.add(row.field?.field.components.length)
    force.add(row.inertial?.specificForce?.components.length)
    rate.add(row.inertial?.angularRate.map { $0.components.length * 180 / .pi })
    pressure.add(row.pressure?.hectopascal)
    celsius.add(row.pressure?.celsius)
  }

  /// A line a sensor, and the fault.
  var lines: [String] {
    var lines: [String] = []
    func line(_ name: String, _ mean: Mean, _ unit: String, _ state: String?) {
      guard let value = mean.value else { return }
      let rate = FieldText.fixed(Double(mean.count) / seconds, 0)
      lines.append(
        "  \(name)  \(FieldText.fixed(value, 2)) \(unit) in the mean, \(rate) a second\(state.map { "; " + $0 } ?? "")"
      )
    }
    line("magnetometer", field, "microtesla", verdicts.map { "axes \($0.field.rawValue)" })
    line("accelerometer", force, "m/s2", verdicts.map { "axes \($0.force.rawValue)" })
    line("gyroscope", rate, "degrees/s", verdicts.map { "axes \($0.rate.rawValue)" })
    line(
      "barometer", pressure, "hPa",
      celsius.value.map { "\(FieldText.fixed($0, 1)) degrees Celsius" })
    guard !lines.isEmpty else {
      return ["measured: nothing came in \(FieldText.fixed(seconds, 0)) s"]
    }
    lines.insert("measured for \(FieldText.fixed(seconds, 0)) s:", at: 0)
    if let fault = verdicts?.fault {
      lines.append("contradicted: \(fault): \(fault.remedy)")
    } else if let verdicts, verdicts.field == .unproven, field.count > 0 {
      lines.append(
        "axes are proven by turning the board about all its axes, away from iron; give more seconds"
      )
    }
    return lines
  }

  /// The same for a JSON object.
  struct Record: Encodable {
    var seconds: Double
    var fieldMicrotesla, forceMetresPerSecondSquared, rateDegreesPerSecond: Double?
    var pressureHectopascal, celsius: Double?
    var magnetometerAxes, gyroscopeAxes, accelerometerAxes, inputFault: String?
  }

  var record: Record {
    Record(
      seconds: seconds, fieldMicrotesla: field.value, forceMetresPerSecondSquared: force.value,
      rateDegreesPerSecond: rate.value, pressureHectopascal: pressure.value,
      celsius: celsius.value, magnetometerAxes: verdicts?.field.rawValue,
      gyroscopeAxes: verdicts?.rate.rawValue, accelerometerAxes: verdicts?.force.rawValue,
      inputFault: verdicts?.fault.map { "\($0)" })
  }
}
