import Quantities

/// What a report says of a recording, computed in one pass over its rows and estimates in bounded
/// memory.
package struct RecordingAnalysis: Sendable {
  /// The sensors of a recording.
  package enum Sensor: Int, CaseIterable, Sendable {
    case inertialUnit, magnetometer, barometer, receiver, compass

    /// The name in sentences and legends.
    package var name: String {
      switch self {
      case .inertialUnit: "inertial unit"
      case .magnetometer: "magnetometer"
      case .barometer: "barometer"
      case .receiver: "receiver"
      case .compass: "other compass"
      }
    }
  }

  /// Longest time that an estimate counts for, s: within a gap nothing is known.
  private static let longestHold = 2.0

  /// The number of rows.
  package private(set) var rows = 0
  /// The length, s.
  package private(set) var seconds = 0.0
  /// Civil time of the first estimate that has one.
  package private(set) var utc: UTCTime?
  /// True if an estimate is simulated.
  package private(set) var isSimulated = false
  /// The calibration state of the last estimate; nil without a magnetometer.
  package private(set) var calibrationState: CalibrationState?
  /// Whether the samples have a gyroscope, and an accelerometer.
  package private(set) var hasGyroscope = false
  package private(set) var hasAccelerometer = false

  package private(set) var heading = HeadingTrack()
  package private(set) var turn = TurnTrack()
  package private(set) var tilt = TiltTrack()
  package private(set) var field = FieldTrack()
  package private(set) var position = PositionTrack()
  package private(set) var altitude = AltitudeTrack()
  package private(set) var sphere = RecordedSphere()
  package private(set) var noise = StillNoise()
  package private(set) var calibrations = CalibrationHistory()
  private var intervals = Array(repeating: SensorIntervals(), count: Sensor.allCases.count)

  private let log: CalibrationLog?
  let hasFixes: Bool
  private var start: Timestamp?
  private var lastEstimate: Timestamp?
  private var lastFix: Timestamp?
  private var calibration: MagnetometerCalibration?

  /// An analysis without samples.
  /// - Parameters:
  ///   - log: The changes of the pipeline's calibration; nil where they are not known.
  ///   - hasFixes: Whether the rows have the receiver's epochs; those of a daemon have none.
  package init(log: CalibrationLog? = nil, hasFixes: Bool = true) {
    (self.log, self.hasFixes) = (log, hasFixes)
  }

  /// The intervals of a sensor; nil where the recording has no sample of it.
  package func intervals(of sensor: Sensor) -> SensorIntervals? {
    let found = intervals[sensor.rawValue]
    return found.count > 0 ? found : nil
  }

  /// Whether the changes of the calibration are known, and whether the magnetometer is calibrated
  /// during use.
  package var isCalibrationKnown: Bool { log != nil }
  package var isOnline: Bool? { log?.isOnline }
  /// Whether the samples are taken as calibrated.
  package var isAssumed: Bool {
    calibration?.quality == .assumed || calibration == nil && calibrationState == .assumed
  }

  /// Adds a row before the pipeline has processed it.
  package mutating func add(_ row: SensorSamples) {
    rows += 1
    let begin = start ?? row.timestamp
    start = begin
    seconds = max(seconds, row.timestamp.seconds(since: begin))
    addCalibrationChanges()
    if let sample = row.inertial {
      hasGyroscope = hasGyroscope || sample.angularRate != nil
      hasAccelerometer = hasAccelerometer || sample.specificForce != nil
      count(.inertialUnit, sample.timestamp, begin)
      noise.add(sample)
    }
    if let sample = row.field {
      count(.magnetometer, sample.timestamp, begin)
      sphere.add(sample.field.components, calibration)
    }
    if let sample = row.pressure {
      count(.barometer, sample.timestamp, begin)
      altitude.add(sample, at: sample.timestamp.seconds(since: begin))
    }
    if let sample = row.heading { count(.compass, sample.timestamp, begin) }
    if let fix = row.fix { count(.receiver, fix.timestamp, begin) }
  }

  /// Adds the estimate after a row.
  package mutating func add(_ estimate: Estimate) {
    let begin = start ?? estimate.timestamp
    start = begin
    let time = estimate.timestamp.seconds(since: begin)
    let weight = lastEstimate.map { estimate.timestamp.seconds(since: $0) } ?? 0
    lastEstimate = estimate.timestamp
    let held = min(max(0, weight), Self.longestHold)
    utc = utc ?? estimate.utc
    isSimulated = isSimulated || estimate.isSimulated
    calibrationState = estimate.calibration ?? calibrationState
    addCalibrationChanges()
    heading.add(estimate, at: time, for: held)
    turn.add(estimate, at: time, for: held)
    tilt.add(estimate, at: time, for: held)
    field.add(estimate, at: time, for: held)
    altitude.add(estimate, at: time)
    guard let fix = estimate.fixTimestamp, fix != lastFix else { return }
    lastFix = fix
    position.add(estimate, at: time)
    if !hasFixes { count(.receiver, fix, begin) }
    heading.addCourse(estimate, at: time)
  }

  /// Adds a receiver's epoch with the estimate after it.
  package mutating func add(_ fix: Fix, _ estimate: Estimate) {
    let begin = start ?? fix.timestamp
    altitude.add(fix, estimate, at: fix.timestamp.seconds(since: begin))
  }

  /// Ends the analysis: what is open ends with the recording.
  package mutating func finish() {
    addCalibrationChanges()
    field.end(at: seconds)
    position.end(at: seconds)
  }

  private mutating func count(_ sensor: Sensor, _ instant: Timestamp, _ begin: Timestamp) {
    intervals[sensor.rawValue].add(instant, start: begin)
  }

  private mutating func addCalibrationChanges() {
    for change in log?.removeAll() ?? [] {
      // After a refutation the earlier calibration is still applied.
      if change.kind != .refuted { calibration = change.calibration }
      calibrations.add(change, at: seconds)
    }
  }
}
