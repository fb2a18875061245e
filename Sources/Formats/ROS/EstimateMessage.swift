import Quantities

/// lodestar_msgs/msg/Estimate: a published estimate with the names and units of the estimate JSON.
/// NaN and an empty text are unknown. Two estimates of one clock have equal bytes exactly where all
/// these values are equal to their last bit.
package struct EstimateMessage: ROSMessage, Equatable, Sendable {
  package var header: ROSHeader
  /// The instant on the recording's monotonic clock, nanoseconds.
  package var clock: UInt64
  /// The numbers in the order of `numbers`.
  package var values: [Double]
  /// fix, calibration, disturbance, attitude mode.
  package var words: [String]
  package var isSimulated: Bool

  package static let name = "lodestar_msgs/msg/Estimate"
  package static let parts: [ROSPart] = [.header, .time]
  package static let fields: String =
    "std_msgs/Header header\nuint64 clock_ns\n"
    + numbers.map { "float64 \($0.name)  # \($0.unit)\n" }.joined()
    + words.map { "string \($0)\n" }.joined() + "bool simulated\n"

  private static let words = ["fix", "calibration", "disturbance", "attitude_mode"]

  /// The numbers with their units and how they are taken from an estimate.
  private static let numbers:
    [(name: String, unit: String, value: @Sendable (Estimate) -> Double?)] = [
      ("magnetic_heading", "degrees from magnetic north", { $0.magneticHeading?.angle.degrees }),
      ("true_heading", "degrees from true north", { $0.trueHeading?.angle.degrees }),
      (
        "heading_accuracy", "degrees, 95 % of the magnetic heading's errors",
        { $0.headingAccuracy?.degrees }
      ),
      (
        "true_heading_accuracy", "degrees, 95 % of the true heading's errors",
        { $0.trueHeadingAccuracy?.degrees }
      ),
      (
        "roll", "degrees, right side down positive",
        { $0.isLevelKnown ? $0.attitude?.attitudeAngles.roll.degrees : nil }
      ),
      (
        "pitch", "degrees, bow up positive",
        { $0.isLevelKnown ? $0.attitude?.attitudeAngles.pitch.degrees : nil }
      ),
      (
        "rate_of_turn", "degrees/s, clockwise seen from above",
        { $0.rateOfTurn?.degreesPerSecond }
      ),
      ("deviation", "degrees, positive east", { $0.deviation?.degrees }),
      ("acceleration_north", "m/s2, north magnetic", { $0.acceleration?.x }),
      ("acceleration_east", "m/s2", { $0.acceleration?.y }),
      ("acceleration_down", "m/s2", { $0.acceleration?.z }),
      ("heave", "m, up", { $0.heaveMetres }),
      ("latitude", "degrees, WGS-84", { $0.position?.latitude.degrees }),
      ("longitude", "degrees, WGS-84", { $0.position?.longitude.degrees }),
      ("horizontal_accuracy", "m, radius of 68 %", { $0.horizontalAccuracyMetres }),
      ("altitude", "m above mean sea level", { $0.altitudeMetres }),
      ("ellipsoidal_altitude", "m", { $0.ellipsoidalAltitudeMetres }),
      ("vertical_accuracy", "m, one sigma", { $0.verticalAccuracyMetres }),
      ("vertical_speed", "m/s, up", { $0.verticalSpeedMetresPerSecond }),
      ("qnh", "hPa, at sea level", { $0.qnhHectopascal }),
      ("speed", "m/s over ground", { $0.speedMetresPerSecond }),
      ("course", "degrees from true north", { $0.course?.degrees }),
      ("field_strength", "microtesla, of the earth as estimated", { $0.earthField?.total }),
      ("dip", "degrees, as estimated", { $0.earthField?.dip.degrees }),
      ("model_field_strength", "microtesla, by the magnetic model", { $0.modelField?.total }),
      ("model_dip", "degrees, by the magnetic model", { $0.modelField?.dip.degrees }),
      ("field_x", "microtesla, calibrated, forward", { $0.field?.microtesla.x }),
      ("field_y", "microtesla, calibrated, right", { $0.field?.microtesla.y }),
      ("field_z", "microtesla, calibrated, down", { $0.field?.microtesla.z }),
    ]

  /// The names of `values` and `words`.
  static let columns = numbers.map { $0.name } + words

  /// Makes the message of an estimate.
  /// - Parameters:
  ///   - estimate: The estimate.
  ///   - nanoseconds: Its civil time, nanoseconds since 1970.
  package init(_ estimate: Estimate, nanoseconds: UInt64) {
    header = ROSHeader(nanoseconds: nanoseconds)
    clock = estimate.timestamp.nanoseconds
    values = Self.numbers.map { $0.value(estimate) ?? .nan }
    words = [
      estimate.fixKind?.rawValue ?? "", estimate.calibration?.rawValue ?? "",
      estimate.disturbance?.rawValue ?? "", estimate.attitudeMode?.rawValue ?? "",
    ]
    isSimulated = estimate.isSimulated
  }

  package init(from cdr: inout CDRReader) throws(CDRFault) {
    header = try ROSHeader(from: &cdr)
    clock = try cdr.number()
    values = try cdr.array(Self.numbers.count)
    words = []
    for _ in Self.words { words.append(try cdr.text()) }
    isSimulated = try cdr.number(UInt8.self) != 0
  }

  package func write(to cdr: inout CDRWriter) {
    header.write(to: &cdr)
    cdr.add(clock)
    cdr.add(array: values)
    for word in words { cdr.add(word) }
    cdr.add(isSimulated)
  }

  /// A number by its name; nil where it is unknown.
  package subscript(name: String) -> Double? {
    guard let index = Self.numbers.firstIndex(where: { $0.name == name }), !values[index].isNaN
    else { return nil }
    return values[index]
  }

  /// The names of the values that differ in their last bit; the header's time is not compared.
  package func differences(from other: EstimateMessage) -> [String] {
    var names: [String] = clock == other.clock ? [] : ["clock_ns"]
    for (index, number) in Self.numbers.enumerated()
    where values[index].bitPattern != other.values[index].bitPattern {
      names.append(number.name)
    }
    for (index, name) in Self.words.enumerated() where words[index] != other.words[index] {
      names.append(name)
    }
    return isSimulated == other.isSimulated ? names : names + ["simulated"]
  }
}

extension Estimate {
  /// Removes the place, and what depends on it or leads to it: altitude, course and speed, true
  /// north, the magnetic model.
  package mutating func removePlace() {
    (position, horizontalAccuracyMetres, ellipsoidalAltitudeMetres) = (nil, nil, nil)
    (altitudeMetres, verticalAccuracyMetres) = (nil, nil)
    (course, speedMetresPerSecond) = (nil, nil)
    (modelField, trueHeading, trueHeadingAccuracy) = (nil, nil, nil)
  }
}
