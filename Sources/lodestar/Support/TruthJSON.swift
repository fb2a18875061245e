import Foundation
import Quantities
import Simulation

/// The true state as a JSON object with the keys of an estimate.
enum TruthJSON {
  static func object(_ truth: Truth) -> String {
    let angles = truth.angles
    return String(
      format: """
        {"t":%.9f,"magneticHeading":%.4f,"trueHeading":%.4f,"roll":%.4f,"pitch":%.4f,\
        "rateOfTurn":%.4f,"latitude":%.8f,"longitude":%.8f,"altitude":%.3f,"speed":%.4f}
        """,
      truth.timestamp.seconds, truth.magneticHeading.angle.wrappedToTurn.degrees,
      truth.trueHeading.angle.wrappedToTurn.degrees, angles.roll.wrappedToHalfTurn.degrees,
      angles.pitch.degrees, truth.rateOfTurn.degreesPerSecond, truth.position.latitude.degrees,
      truth.position.longitude.degrees, truth.altitudeMetres, truth.speedMetresPerSecond)
  }
}
