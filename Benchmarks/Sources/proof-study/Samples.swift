import InputProof
import Quantities
import RecordedTrials
import Simulation
import Study

/// The samples of a board, in rows.
struct Samples: Sendable {
  var name: String
  var rows: [SensorSamples] = []

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
      rows.append(sample.row)
    }
  }

  /// The same with later stamps of a sensor.
  func late(_ quantity: SampleQuantity, by seconds: Double) -> Samples {
    var late = self
    late.rows = rows.flatMap { row -> [SensorSamples] in
      // Earlier stamps of one are later ones of the others.
      func stamp(_ own: SampleQuantity) -> Timestamp {
        row.timestamp.advanced(bySeconds: 1 + (own == quantity ? seconds : 0))
      }
      var (field, force, rate) = (
        SensorSamples(timestamp: stamp(.field)), SensorSamples(timestamp: stamp(.force)),
        SensorSamples(timestamp: stamp(.rate))
      )
      field.field = row.field.map { FieldSample(timestamp: field.timestamp, field: $0.field) }
      force.inertial = row.inertial?.specificForce.map {
        InertialSample(timestamp: force.timestamp, angularRate: nil, specificForce: $0)
      }
      rate.inertial = row.inertial?.angularRate.map {
        InertialSample(timestamp: rate.timestamp, angularRate: $0, specificForce: nil)
      }
      return [field, force, rate]
    }
    .sorted { $0.timestamp < $1.timestamp }
    return late
  }

  /// The same with sensors at the limits of small ranges.
  func clipped(rate: Double, force: Double, field: Double) -> Samples {
    var clipped = self
    func clip(_ v: SIMD3<Double>, _ limit: Double) -> SIMD3<Double> {
      v.clamped(lowerBound: SIMD3(repeating: -limit), upperBound: SIMD3(repeating: limit))
    }
    for i in rows.indices {
      if let w = rows[i].inertial?.angularRate?.components {
        clipped.rows[i].inertial?.angularRate = AngularRate(components: clip(w, rate))
      }
      if let f = rows[i].inertial?.specificForce?.components {
        clipped.rows[i].inertial?.specificForce = SpecificForce(components: clip(f, force))
      }
      if let m = rows[i].field?.field.components {
        clipped.rows[i].field?.field = MagneticField(components: clip(m, field))
      }
    }
    return clipped
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
    row.multiply(quantity, by: matrix)
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
  /// When the magnetometer's axes were proven first, and when the accuracy contained no doubt any
  /// more, s.
  var proven: Double?
  var trusted: Double?

  init(
    _ samples: Samples, _ mistake: Mistake? = nil, named name: String = "",
    hasGyroscope: Bool = true, mounting: Rotation<SensorFrame, BodyFrame>? = nil,
    within seconds: Double = .infinity
  ) {
    self.name = name
    var proof = InputProof(vehicleMounting: mounting)
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
    default: false
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

  /// Counts wrong axes of a sensor in recordings, on all cores: every how many-th of the 47, other
  /// ones in each recording.
  static func ofAxes(
    _ quantity: SampleQuantity, in recordings: [Samples], hasGyroscope: Bool, every: Int = 1,
    within seconds: Double = .infinity
  ) -> Tally {
    sum(
      parallel(recordings.count) { n in
        var tally = Tally()
        for index in stride(from: 1 + n % every, to: SignedAxes.count, by: every) {
          let axes = SignedAxes(index: index)
          let mistake = Mistake(quantity: quantity, matrix: axes.matrix, axes: axes)
          tally.add(
            Answer(recordings[n], mistake, hasGyroscope: hasGyroscope, within: seconds), mistake)
        }
        return tally
      })
  }

  static func sum(_ tallies: [Tally]) -> Tally {
    tallies.reduce(into: Tally()) { sum, tally in
      sum.all += tally.all
      sum.found += tally.found
      sum.named += tally.named
      sum.times += tally.times
    }
  }

  /// The sensors whose wrong axes are sought; the magnetometer's with and without a gyroscope.
  static let sensors: [(quantity: SampleQuantity, hasGyroscope: Bool, name: String)] = [
    (.field, true, "magnetometer"), (.rate, true, "gyroscope"), (.force, true, "accelerometer"),
    (.field, false, "magnetometer without a gyroscope"),
  ]

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
