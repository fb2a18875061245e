import Quantities

/// An estimate in the text format of Prometheus, version 0.0.4: one gauge for each known value.
/// - Source: Prometheus documentation, "Exposition formats", text-based format.
public enum MetricsText {
  /// The Content-Type.
  public static let type = "text/plain; version=0.0.4; charset=utf-8"

  /// Writes the metrics of an estimate.
  /// - Parameters:
  ///   - estimate: The newest estimate; nil before the first.
  ///   - isOpen: Whether a board, a recording or a simulation delivers data.
  ///   - viewers: The number of open WebSockets.
  /// - Returns: Lines of UTF-8.
  public static func text(_ estimate: Estimate?, isOpen: Bool, viewers: Int) -> [UInt8] {
    var lines: [UInt8] = []
    func begin(_ name: String, _ help: String) {
      lines += Array("# HELP lodestar_\(name) \(help)\n# TYPE lodestar_\(name) gauge\n".utf8)
    }
    func add(_ name: String, _ help: String, _ value: Double?, decimals: Int = 3) {
      guard let value, value.isFinite else { return }
      begin(name, help)
      lines += Array("lodestar_\(name) ".utf8)
      lines.append(value, decimals: decimals)
      lines.append(UInt8(ascii: "\n"))
    }
    /// One line for each word of an enumeration, 1 for the one that holds.
    func add<Word: CaseIterable & RawRepresentable & Equatable>(
      _ name: String, _ help: String, _ value: Word?
    ) where Word.RawValue == String {
      guard let value else { return }
      begin(name, help)
      for word in Word.allCases {
        lines += Array(
          "lodestar_\(name){state=\"\(word.rawValue)\"} \(word == value ? 1 : 0)\n".utf8)
      }
    }
    add(
      "source_open", "1 while a board, a recording or a simulation delivers data.", isOpen ? 1 : 0,
      decimals: 0)
    add("web_viewers", "Open WebSockets.", Double(viewers), decimals: 0)
    guard let estimate else { return lines }
    add(
      "simulated", "1 where the values do not come from sensors.", estimate.isSimulated ? 1 : 0,
      decimals: 0)
    add(
      "magnetic_heading_degrees", "Heading from magnetic north, clockwise.",
      estimate.magneticHeading?.angle.degreesBelowTurn(decimals: 3))
    add(
      "true_heading_degrees", "Heading from true north, clockwise.",
      estimate.trueHeading?.angle.degreesBelowTurn(decimals: 3))
    add(
      "heading_accuracy_degrees", "Radius that holds 95 % of the heading's errors.",
      estimate.headingAccuracy?.degrees)
    if estimate.isLevelKnown, let angles = estimate.attitude?.attitudeAngles {
      add("roll_degrees", "Roll, starboard down is positive.", angles.roll.degrees)
      add("pitch_degrees", "Pitch, bow up is positive.", angles.pitch.degrees)
    }
    add(
      "rate_of_turn_degrees_per_second", "Rate of turn, clockwise is positive.",
      estimate.rateOfTurn?.degreesPerSecond)
    add("latitude_degrees", "Latitude, WGS 84.", estimate.position?.latitude.degrees, decimals: 7)
    add(
      "longitude_degrees", "Longitude, WGS 84.", estimate.position?.longitude.degrees, decimals: 7)
    add(
      "horizontal_accuracy_metres", "Radius that holds 68 % of the position's errors.",
      estimate.horizontalAccuracyMetres)
    add("altitude_metres", "Altitude above mean sea level.", estimate.altitudeMetres)
    add(
      "vertical_accuracy_metres", "Error of the altitude, one sigma.",
      estimate.verticalAccuracyMetres)
    add("speed_metres_per_second", "Speed over ground.", estimate.speedMetresPerSecond)
    add(
      "course_degrees", "Course over ground from true north.",
      estimate.course?.degreesBelowTurn(decimals: 3))
    add(
      "satellites_used", "Satellites in the solution.", estimate.satellitesUsed.map(Double.init),
      decimals: 0)
    add(
      "field_strength_microtesla", "Measured strength of the magnetic field.",
      estimate.earthField?.total)
    add(
      "model_field_strength_microtesla", "Strength by the magnetic model.",
      estimate.modelField?.total)
    add("fix", "Kind of the fix.", estimate.fixKind)
    add("calibration", "Calibration of the magnetometer.", estimate.calibration)
    add("disturbance", "Disturbance of the magnetic field.", estimate.disturbance)
    if let inputs = estimate.inputs {
      add("magnetometer_axes", "Axes of the magnetometer, by physics.", inputs.field)
      add("gyroscope_axes", "Axes of the gyroscope, by physics.", inputs.rate)
      add("accelerometer_axes", "Axes of the accelerometer, by physics.", inputs.force)
      add("barometer_state", "Unit and chip of the barometer, by physics.", inputs.pressure)
      add("stamps_state", "Times of the samples, by physics.", inputs.time)
      add("forward_axis", "Forward axis of the board, by the drive.", inputs.forward)
      add(
        "input_contradicted", "1 where something of a sensor's samples is contradicted.",
        inputs.fault == nil ? 0 : 1, decimals: 0)
    }
    return lines
  }
}
