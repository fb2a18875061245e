import CalibrationFit
import Quantities

/// Feeds observations to an online calibrator, with each fit done as it falls due.
struct OnlineRun {
  var calibrator: OnlineCalibrator
  /// What happened, with seconds since the first observation.
  var events: [(seconds: Double, event: OnlineCalibrationEvent)] = []
  private var start: Timestamp?

  init(_ calibrator: OnlineCalibrator = OnlineCalibrator()) { self.calibrator = calibrator }

  mutating func feed(_ observations: [FieldObservation]) throws {
    for o in observations {
      let begin = start ?? o.timestamp
      start = begin
      let t = o.timestamp.seconds(since: begin)
      if let event = calibrator.add(o) { events.append((t, event)) }
      if let job = calibrator.startRefit(), let event = calibrator.finish(try job.run()) {
        events.append((t, event))
      }
    }
  }

  var steps: [(seconds: Double, change: SIMD3<Double>)] {
    events.compactMap {
      if case .steppedTo(_, let change) = $0.event { ($0.seconds, change) } else { nil }
    }
  }

  var commits: Int {
    events.count { if case .committed = $0.event { true } else { false } }
  }

  /// The time from which the error remains below a limit; nil for never. `error` is a distortion's
  /// error in degrees.
  func settled(
    below limit: Double, after begin: Double = 0, _ error: (FieldDistortion) -> Double
  ) -> Double? {
    var since: Double?
    // What holds when the time begins counts from then.
    var held: FieldDistortion?
    for (seconds, event) in events {
      guard let distortion = event.calibration?.estimate.distortion else { continue }
      if seconds <= begin {
        held = distortion
        continue
      }
      if let before = held {
        if error(before) <= limit { since = begin }
        held = nil
      }
      if error(distortion) > limit { since = nil } else { since = since ?? seconds }
    }
    if let held, error(held) <= limit { since = begin }
    return since
  }

  /// The number of observations that the calibrator stores, by purpose.
  var kept: [String: Int] {
    var counts: [String: Int] = [:]
    for child in Mirror(reflecting: calibrator).children {
      guard let label = child.label else { continue }
      if let list = child.value as? [FieldObservation] { counts[label] = list.count }
      for inner in Mirror(reflecting: child.value).children {
        if let list = inner.value as? [FieldObservation] { counts[label] = list.count }
      }
    }
    return counts
  }
}

extension [FieldObservation] {
  /// The same so many seconds later.
  func later(by seconds: Double) -> [FieldObservation] {
    map { o in
      var o = o
      o.timestamp = o.timestamp.advanced(bySeconds: seconds)
      return o
    }
  }
}
