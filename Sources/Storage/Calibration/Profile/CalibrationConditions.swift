import CalibrationFit
import Quantities

/// The origin of a calibration.
public enum CalibrationOrigin: String, CaseIterable, Sendable {
  /// A guided session in which a person turned the board.
  case guided
  /// Online calibration while the board was in use.
  case online
  /// A fit to a recording.
  case recording
  /// An import from a file.
  case imported
}

/// The conditions under which a calibration was made.
public struct CalibrationConditions: Equatable, Sendable {
  /// The origin.
  public var origin: CalibrationOrigin
  /// The method of the fit.
  public var method: CalibrationMethod?
  /// The place's latitude, degrees north.
  public var latitudeDegrees: Double?
  /// The place's longitude, degrees east.
  public var longitudeDegrees: Double?
  /// Metres above mean sea level.
  public var altitudeMetres: Double?
  /// The earth's field at that place and time by the magnetic model, microtesla.
  public var modelField: EarthField?
  /// The sensor's temperature, degrees Celsius.
  public var temperatureCelsius: Double?
  /// The activity, as the option `--activity` names it.
  public var activity: String?
  /// The version of the program that made it.
  public var softwareVersion: String?

  /// Makes conditions; the other values are nil.
  public init(origin: CalibrationOrigin, method: CalibrationMethod? = nil) {
    (self.origin, self.method) = (origin, method)
  }
}
