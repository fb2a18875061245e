import InputProof
import Quantities
import RecordedTrials
import Simulation

/// The samples of a board, in rows.
struct Samples: Sendable {
  var name: String
  var rows: [SensorSamples] = []
  /// The field of the place, where it is known.
  var field: EarthField?

  /// A recorded trial.
  init(_ trial: Trial) {
    name = trial.name
    for i in 0..<trial.count {
      let inertial = trial.inertial(i)
      var row = SensorSamples(timestamp: inertial.timestamp)
      row.inertial = InertialSample(
        timestamp: row.timestamp,
        angularRate: inertial.angularRate.map { AngularRate(components: $0.components) },
        specificForce: inertial.specificForce.map { SpecificForce(components: $0.components) })
      if let field = trial.fieldSample(i) {
        row.field = FieldSample(
          timestamp: row.timestamp, field: MagneticField(components: field.field.components))
      }
      rows.append(row)
    }
  }

  /// A simulated world.
  init(_ scenario: Scenario, seed: UInt64, seconds: Double, startUTC: UTCTime) throws {
    name = scenario.name
    var scenario = scenario
    scenario.durationSeconds = seconds
    for sample in try SimulatedWorld(scenario: scenario, seed: seed, startUTC: startUTC) {
      var row = SensorSamples(timestamp: sample.timestamp)
      switch sample {
      case .inertial(let sample): row.inertial = sample
      case .field(let sample): row.field = sample
      case .pressure(let sample): row.pressure = sample
      case .fix: continue
      }
      rows.append(row)
    }
  }
}

/// A wrong sensor.
struct Mistake: Sendable {
  var quantity: SampleQuantity
  var matrix: Matrix3
  /// The axes, where they are wrong.
  var axes: SignedAxes?

  func apply(to row: SensorSamples) -> SensorSamples {
    var row = row
    switch quantity {
    case .field:
      if let value = row.field?.field.components {
        row.field?.field = MagneticField(components: matrix * value)
      }
    case .rate:
      if let value = row.inertial?.angularRate?.components {
        row.inertial?.angularRate = AngularRate(components: matrix * value)
      }
    case .force:
      if let value = row.inertial?.specificForce?.components {
        row.inertial?.specificForce = SpecificForce(components: matrix * value)
      }
    case .pressure: row.pressure?.hectopascal *= matrix.r0.x
    }
    return row
  }
}

/// What a proof said of a recording.
struct Answer: Sendable {
  var name: String
  var verdicts: InputVerdicts
  /// When a fault was stated first, s.
  var found: Double?
  /// The fault that was stated first.
  var first: InputVerdicts.Fault?
  /// When the magnetometer's axes were proven first, and when the accuracy contained no doubt any more, s.
  var proven: Double?
  var trusted: Double?

  init(
    _ samples: Samples, _ mistake: Mistake? = nil, named name: String = "",
    hasGyroscope: Bool = true,
    within seconds: Double = .infinity
  ) {
    self.name = name
    var proof = InputProof()
    if let field = samples.field { proof.expect(dip: field.dip, strength: field.total) }
    guard let begin = samples.rows.first?.timestamp else {
      verdicts = proof.verdicts
      return
    }
    for original in samples.rows {
      var row = mistake?.apply(to: original) ?? original
      if !hasGyroscope { row.inertial?.angularRate = nil }
      proof.add(row)
      let time = row.timestamp.seconds(since: begin)
      if time > seconds { break }
      if found == nil, let fault = proof.verdicts.fault { (found, first) = (time, fault) }
      if proven == nil, proof.verdicts.field == .proven { proven = time }
      if trusted == nil, proof.doubt == .zero { trusted = time }
    }
    verdicts = proof.verdicts
  }

  /// Whether it names the sensor with its axes or their mirror image, or the scale.
  func names(_ mistake: Mistake) -> Bool {
    switch verdicts.fault {
    case .axes(let quantity, let axes, _)?:
      quantity == mistake.quantity && (axes == mistake.axes || axes.opposite == mistake.axes)
    case .scale(let quantity, _)?: quantity == mistake.quantity && mistake.axes == nil
    case .disagreement?, nil: false
    }
  }
}

/// Counts of answers.
struct Tally: Sendable {
  var all = 0
  var found = 0
  var named = 0
  var times: [Double] = []

  mutating func add(_ answer: Answer, _ mistake: Mistake) {
    all += 1
    guard let time = answer.found else { return }
    found += 1
    times.append(time)
    if answer.names(mistake) { named += 1 }
  }

  var text: String {
    let sorted = times.sorted()
    func share(_ n: Int) -> String {
      "\((Double(n) / Double(max(1, all)) * 1000).rounded() / 10) %"
    }
    let median = sorted.isEmpty ? "-" : "\(sorted[sorted.count / 2].rounded())"
    let worst = sorted.last.map { "\($0.rounded())" } ?? "-"
    return
      "of \(all): found \(share(found)), named \(share(named)); after \(median) s, at most \(worst) s"
  }
}
