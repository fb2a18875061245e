import ArgumentParser
import Quantities

/// The attitudes that a calibration is for.
struct CalibrationUseOptions: ParsableArguments {
  @Flag(
    help:
      "The board stays level in use, as on a car, a boat or a robot: judge the calibration by the error while level."
  )
  var level = false

  /// The stated use; nil if none was stated.
  var use: CalibrationUse? { level ? .level : nil }
}
