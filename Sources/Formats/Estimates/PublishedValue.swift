import Quantities

/// A value that is published, once for all formats: its key, its content, its decimals, and its
/// name and meaning as a metric and in a recording.
///
/// `EstimateJSON`, `EstimateMessage` and `MetricsText` are made from `all`; tests compare
/// `Documentation/Formats.md` with it.
package struct PublishedValue: Sendable {
  /// How the value follows from an estimate; nil is unknown.
  package enum Content: Sendable {
    case number(@Sendable (Estimate) -> Double?)
    /// From 0 to below 360 degrees, whatever the decimals are.
    case direction(@Sendable (Estimate) -> Angle?)
    case count(@Sendable (Estimate) -> Int?)
    case instant(@Sendable (Estimate) -> Timestamp?)
    /// One of the words; a text that has no list is not a metric.
    case word([String], @Sendable (Estimate) -> String?)
    case flag(@Sendable (Estimate) -> Bool)
    /// The barometer's newest static pressure, which no estimate has.
    case pressure
  }

  /// A gauge of Prometheus.
  package struct Metric: Sendable {
    /// Without the prefix `lodestar_`; with its unit.
    package let name: String
    package let help: String
    var decimals = 3
  }

  /// The key of JSON; in a recording it is in snake case.
  package let key: StaticString
  package let content: Content
  /// The decimals in `EstimateJSON.object`, 0 for other than numbers; nil where it is not in it.
  package let decimals: Int?
  /// The decimals in `EstimateJSON.state`, likewise.
  package let stateDecimals: Int?
  package let metric: Metric?
  /// The unit and meaning in a recording's definition; nil where it is not a number in it.
  package let definition: String?

  private init(
    _ key: StaticString, _ content: Content, _ decimals: Decimals = .none,
    metric: Metric? = nil, definition: String? = nil
  ) {
    (self.key, self.content) = (key, content)
    (self.decimals, stateDecimals) = (decimals.object, decimals.state)
    (self.metric, self.definition) = (metric, definition)
  }

  /// The decimals in the whole object and in the state; nil where the value is not in it.
  private struct Decimals {
    var object: Int?
    var state: Int?
    static let none = Decimals()
    static let word = Decimals(object: 0, state: 0)
    static let objectWord = Decimals(object: 0)
    /// Seconds with nanoseconds.
    static let instant = Decimals(object: 9)
    static let angle = Decimals(object: 4, state: 1)
    static let place = Decimals(object: 9, state: 7)
    static let length = Decimals(object: 3, state: 2)
    static let state = Decimals(state: 0)
    static let wave = Decimals(object: 2, state: 1)
    static func object(_ count: Int) -> Decimals { Decimals(object: count) }
  }

  private static func word<Word: CaseIterable & RawRepresentable>(
    _ key: StaticString, _ words: Word.Type, _ decimals: Decimals, metric: Metric? = nil,
    _ value: @escaping @Sendable (Estimate) -> String?
  ) -> PublishedValue where Word.RawValue == String {
    PublishedValue(key, .word(words.allCases.map(\.rawValue), value), decimals, metric: metric)
  }

  /// In the order of the object.
  package static let all: [PublishedValue] = heading + inputs + place + state

  private static let heading: [PublishedValue] = [
    PublishedValue(
      "magneticHeading", .direction { $0.magneticHeading?.angle }, .angle,
      metric: Metric(
        name: "magnetic_heading_degrees", help: "Heading from magnetic north, clockwise."),
      definition: "degrees from magnetic north"),
    PublishedValue(
      "trueHeading", .direction { $0.trueHeading?.angle }, .angle,
      metric: Metric(name: "true_heading_degrees", help: "Heading from true north, clockwise."),
      definition: "degrees from true north"),
    PublishedValue(
      "headingAccuracy", .number { $0.headingAccuracy?.degrees }, .angle,
      metric: Metric(
        name: "heading_accuracy_degrees", help: "Radius that holds 95 % of the heading's errors."),
      definition: "degrees, 95 % of the magnetic heading's errors"),
    PublishedValue(
      "trueHeadingAccuracy", .number { $0.trueHeadingAccuracy?.degrees }, .angle,
      metric: Metric(
        name: "true_heading_accuracy_degrees",
        help: "Radius that holds 95 % of the true heading's errors."),
      definition: "degrees, 95 % of the true heading's errors"),
    PublishedValue(
      "roll", .number { $0.isLevelKnown ? $0.attitude?.attitudeAngles.roll.degrees : nil }, .angle,
      metric: Metric(name: "roll_degrees", help: "Roll, starboard down is positive."),
      definition: "degrees, right side down positive"),
    PublishedValue(
      "pitch", .number { $0.isLevelKnown ? $0.attitude?.attitudeAngles.pitch.degrees : nil },
      .angle, metric: Metric(name: "pitch_degrees", help: "Pitch, bow up is positive."),
      definition: "degrees, bow up positive"),
    PublishedValue(
      "rateOfTurn", .number { $0.rateOfTurn?.degreesPerSecond }, .angle,
      metric: Metric(
        name: "rate_of_turn_degrees_per_second", help: "Rate of turn, clockwise is positive."),
      definition: "degrees/s, clockwise seen from above"),
    PublishedValue(
      "accelerationNorth", .number { $0.acceleration?.x }, .object(4),
      definition: "m/s2, north magnetic"),
    PublishedValue(
      "accelerationEast", .number { $0.acceleration?.y }, .object(4), definition: "m/s2"),
    PublishedValue(
      "accelerationDown", .number { $0.acceleration?.z }, .object(4), definition: "m/s2"),
    PublishedValue("heave", .number { $0.heaveMetres }, .object(3), definition: "m, up"),
    PublishedValue(
      "waveHeight", .number { $0.waveHeightMetres }, .wave,
      metric: Metric(
        name: "wave_height_metres", help: "Significant height of the waves.", decimals: 2),
      definition: "m, significant"),
    PublishedValue(
      "wavePeakPeriod", .number { $0.wavePeakPeriodSeconds }, .wave,
      metric: Metric(
        name: "wave_peak_period_seconds", help: "Period of the highest waves.", decimals: 2),
      definition: "s"),
    PublishedValue(
      "waveMeanPeriod", .number { $0.waveMeanPeriodSeconds }, .wave,
      metric: Metric(
        name: "wave_mean_period_seconds", help: "Mean period of the waves.", decimals: 2),
      definition: "s"),
    PublishedValue(
      "waveDirection", .direction { $0.waveDirection }, Decimals(object: 0, state: 0),
      metric: Metric(
        name: "wave_direction_degrees", help: "From where the waves come, from true north.",
        decimals: 0),
      definition: "degrees from true north"),
    PublishedValue(
      "deviation", .number { $0.deviation?.degrees }, .object(3),
      definition: "degrees, positive east"),
    PublishedValue(
      "compassContradiction", .number { $0.compassContradiction?.degrees }, .object(1)),
    PublishedValue("tiltContradiction", .number { $0.tiltContradiction?.degrees }, .object(1)),
  ]

  private static let inputs: [PublishedValue] = [
    word(
      "magnetometerAxes", InputVerdicts.State.self, .objectWord,
      metric: Metric(name: "magnetometer_axes", help: "Axes of the magnetometer, by physics.")
    ) { $0.inputs?.field.rawValue },
    word(
      "gyroscopeAxes", InputVerdicts.State.self, .objectWord,
      metric: Metric(name: "gyroscope_axes", help: "Axes of the gyroscope, by physics.")
    ) { $0.inputs?.rate.rawValue },
    word(
      "accelerometerAxes", InputVerdicts.State.self, .objectWord,
      metric: Metric(name: "accelerometer_axes", help: "Axes of the accelerometer, by physics.")
    ) { $0.inputs?.force.rawValue },
    word(
      "barometer", InputVerdicts.State.self, .objectWord,
      metric: Metric(name: "barometer_state", help: "Unit and chip of the barometer, by physics.")
    ) { $0.inputs?.pressure.rawValue },
    word(
      "stamps", InputVerdicts.State.self, .objectWord,
      metric: Metric(name: "stamps_state", help: "Times of the samples, by physics.")
    ) { $0.inputs?.time.rawValue },
    word(
      "forwardAxis", InputVerdicts.State.self, .objectWord,
      metric: Metric(name: "forward_axis", help: "Forward axis of the board, by the drive.")
    ) { $0.inputs?.forward.rawValue },
    PublishedValue(
      "inputFault", .word([]) { $0.inputs?.fault.map { "\($0)" } }, .objectWord),
    PublishedValue(
      "inputContradicted", .count { $0.inputs.map { $0.fault == nil ? 0 : 1 } },
      metric: Metric(
        name: "input_contradicted",
        help: "1 where something of a sensor's samples is contradicted.", decimals: 0)),
    PublishedValue(
      "antennaDirection", .number { $0.antennas?.learntDirection?.degrees }, .object(1)),
    PublishedValue(
      "antennaDirectionAccuracy",
      .number { $0.antennas?.learntDirectionSigma.map { 2 * $0.degrees } }, .object(1)),
    PublishedValue(
      "antennaFault", .word([]) { $0.antennas?.fault.map { "\($0)" } }, .objectWord),
  ]

  private static let place: [PublishedValue] = [
    PublishedValue(
      "latitude", .number { $0.position?.latitude.degrees }, .place,
      metric: Metric(name: "latitude_degrees", help: "Latitude, WGS 84.", decimals: 7),
      definition: "degrees, WGS-84"),
    PublishedValue(
      "longitude", .number { $0.position?.longitude.degrees }, .place,
      metric: Metric(name: "longitude_degrees", help: "Longitude, WGS 84.", decimals: 7),
      definition: "degrees, WGS-84"),
    PublishedValue(
      "horizontalAccuracy", .number { $0.horizontalAccuracyMetres }, .length,
      metric: Metric(
        name: "horizontal_accuracy_metres",
        help: "Radius that holds 68 % of the position's errors."),
      definition: "m, radius of 68 %"),
    PublishedValue(
      "altitude", .number { $0.altitudeMetres }, .length,
      metric: Metric(name: "altitude_metres", help: "Altitude above mean sea level."),
      definition: "m above mean sea level"),
    PublishedValue(
      "ellipsoidalAltitude", .number { $0.ellipsoidalAltitudeMetres }, .object(3),
      definition: "m"),
    PublishedValue(
      "verticalAccuracy", .number { $0.verticalAccuracyMetres }, .length,
      metric: Metric(
        name: "vertical_accuracy_metres", help: "Error of the altitude, one sigma."),
      definition: "m, one sigma"),
    PublishedValue(
      "verticalSpeed", .number { $0.verticalSpeedMetresPerSecond }, .object(3),
      definition: "m/s, up"),
    PublishedValue(
      "qnh", .number { $0.qnhHectopascal }, .object(2), definition: "hPa, at sea level"),
    PublishedValue(
      "speed", .number { $0.speedMetresPerSecond }, .length,
      metric: Metric(name: "speed_metres_per_second", help: "Speed over ground."),
      definition: "m/s over ground"),
    PublishedValue(
      "course", .direction { $0.course }, .angle,
      metric: Metric(name: "course_degrees", help: "Course over ground from true north."),
      definition: "degrees from true north"),
    word("fix", FixKind.self, .word, metric: Metric(name: "fix", help: "Kind of the fix.")) {
      $0.fixKind?.rawValue
    },
    PublishedValue(
      "satellites", .count { $0.satellitesUsed }, .state,
      metric: Metric(
        name: "satellites_used", help: "Satellites in the solution.", decimals: 0)),
    PublishedValue("pressure", .pressure, Decimals(state: 2)),
    PublishedValue(
      "pressureTendency", .number { $0.pressureTendencyHectopascal }, .wave,
      metric: Metric(
        name: "pressure_tendency_hectopascal", help: "Change of the pressure in three hours.",
        decimals: 2),
      definition: "hectopascal in three hours"),
    PublishedValue(
      "pressureCharacteristic", .count { $0.pressureCharacteristic }, .word,
      metric: Metric(
        name: "pressure_characteristic",
        help: "Characteristic of the tendency, WMO code table 0200.", decimals: 0)),
    PublishedValue("outage", .number { $0.outageSeconds }, .object(1)),
  ]

  private static let state: [PublishedValue] = [
    // A value of a live source needs no word for it.
    PublishedValue(
      "headingState",
      .word(SourceState.allCases.map(\.rawValue)) {
        $0.headingState == .live ? nil : $0.headingState?.rawValue
      }, .word),
    PublishedValue(
      "headingStateSince",
      .instant { $0.headingState == .live ? nil : $0.headingStateSince }, .instant),
    PublishedValue(
      "positionState",
      .word(SourceState.allCases.map(\.rawValue)) {
        $0.positionState == .live ? nil : $0.positionState?.rawValue
      }, .word),
    PublishedValue(
      "positionStateSince",
      .instant { $0.positionState == .live ? nil : $0.positionStateSince }, .instant),
    word(
      "headingSource", SourceState.self, .none,
      metric: Metric(name: "heading_state", help: "State of the source of headings.")
    ) { $0.headingState?.rawValue },
    word(
      "positionSource", SourceState.self, .none,
      metric: Metric(name: "position_state", help: "State of the source of positions.")
    ) { $0.positionState?.rawValue },
    word("motion", MotionState.self, .word) { $0.motionState?.rawValue },
    PublishedValue("motionProbability", .number { $0.motionProbability }, .object(2)),
    PublishedValue("motionSince", .instant { $0.motionSince }, .instant),
    word(
      "calibration", CalibrationState.self, .word,
      metric: Metric(name: "calibration", help: "Calibration of the magnetometer.")
    ) { $0.calibration?.rawValue },
    word(
      "disturbance", DisturbanceState.self, .word,
      metric: Metric(name: "disturbance", help: "Disturbance of the magnetic field.")
    ) { $0.disturbance?.rawValue },
    PublishedValue(
      "fieldStrength", .number { $0.earthField?.total }, .object(3),
      metric: Metric(
        name: "field_strength_microtesla", help: "Measured strength of the magnetic field."),
      definition: "microtesla, of the earth as estimated"),
    PublishedValue(
      "dip", .number { $0.earthField?.dip.degrees }, .object(3),
      definition: "degrees, as estimated"),
    PublishedValue(
      "modelFieldStrength", .number { $0.modelField?.total }, .object(3),
      metric: Metric(
        name: "model_field_strength_microtesla", help: "Strength by the magnetic model."),
      definition: "microtesla, by the magnetic model"),
    PublishedValue(
      "modelDip", .number { $0.modelField?.dip.degrees }, .object(3),
      definition: "degrees, by the magnetic model"),
    PublishedValue(
      "fieldX", .number { $0.field?.microtesla.x }, definition: "microtesla, calibrated, forward"),
    PublishedValue(
      "fieldY", .number { $0.field?.microtesla.y }, definition: "microtesla, calibrated, right"),
    PublishedValue(
      "fieldZ", .number { $0.field?.microtesla.z }, definition: "microtesla, calibrated, down"),
    PublishedValue(
      "attitudeMode",
      .word([]) { $0.attitudeMode.flatMap { $0 == .none ? nil : $0.rawValue } }, .objectWord),
    PublishedValue(
      "simulated", .flag { $0.isSimulated }, .word,
      metric: Metric(
        name: "simulated", help: "1 where the values do not come from sensors.", decimals: 0)),
  ]

  /// The number of a recording, degrees for directions; nil where it is unknown or not a number.
  package func number(_ estimate: Estimate) -> Double? {
    switch content {
    case .number(let value): value(estimate)
    case .direction(let value): value(estimate)?.degrees
    default: nil
    }
  }

  /// The key in snake case.
  package var snakeCase: String {
    "\(key)".reduce(into: "") { name, letter in
      name += letter.isUppercase ? "_\(letter.lowercased())" : "\(letter)"
    }
  }
}
