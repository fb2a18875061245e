import JSON
import Quantities
import Simulation

/// The true state as a JSON object with the keys of an estimate.
enum TruthJSON {
  /// - Parameters:
  ///   - truth: The true state at an instant.
  ///   - utc: The civil time of the same instant; nil if it is not known.
  /// - Returns: The object, without a line end.
  static func object(_ truth: Truth, utc: UTCTime?) -> [UInt8] {
    JSONWriter.object { json in
      let angles = truth.angles
      json.add("t", nanoseconds: truth.timestamp.nanoseconds)
      json.add(time: utc)
      json.add(
        "magneticHeading", truth.magneticHeading.angle.wrappedToTurn.degrees, decimals: 4)
      json.add("trueHeading", truth.trueHeading.angle.wrappedToTurn.degrees, decimals: 4)
      json.add("roll", angles.roll.wrappedToHalfTurn.degrees, decimals: 4)
      json.add("pitch", angles.pitch.degrees, decimals: 4)
      json.add("rateOfTurn", truth.rateOfTurn.degreesPerSecond, decimals: 4)
      json.add("latitude", truth.position.latitude.degrees, decimals: 8)
      json.add("longitude", truth.position.longitude.degrees, decimals: 8)
      json.add("altitude", truth.altitudeMetres, decimals: 3)
      json.add("speed", truth.speedMetresPerSecond, decimals: 4)
    }
  }
}
