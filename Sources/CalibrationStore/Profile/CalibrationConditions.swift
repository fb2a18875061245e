import CalibrationFit
import Quantities

/// How a calibration came to be.
public enum CalibrationOrigin: String, CaseIterable, Sendable {
  /// Somebody turned the board as a procedure said.
  case guided
  /// It was learnt while the board was in use.
  case online
  /// It was fitted to a recording.
  case recording
  /// It was brought from elsewhere.
  case imported
}

/// Under what conditions a calibration was made.
public struct CalibrationConditions: Equatable, Sendable {
  /// How it came to be.
  public var origin: CalibrationOrigin
  /// How it was fitted.
  public var method: CalibrationMethod?
  /// Where, degrees north.
  public var latitudeDegrees: Double?
  /// Where, degrees east.
  public var longitudeDegrees: Double?
  /// Metres above mean sea level.
  public var altitudeMetres: Double?
  /// The earth's field there and then by the magnetic model, microtesla.
  public var modelField: EarthField?
  /// The sensor's temperature, degrees Celsius.
  public var temperatureCelsius: Double?
  /// What the board was doing, as `--activity` has it.
  public var activity: String?
  /// The version of the program that made it.
  public var softwareVersion: String?

  /// Makes conditions; what is not known is set where it comes to be.
  public init(origin: CalibrationOrigin, method: CalibrationMethod? = nil) {
    (self.origin, self.method) = (origin, method)
  }
}
