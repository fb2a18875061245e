import EarthModel
import Quantities

func benchmarkField() throws {
  let model = MagneticModel.wmm2025
  let places = (0..<1000).map { i in
    GeodeticPosition(
      latitudeDegrees: Double(i % 170) - 85, longitudeDegrees: Double(i * 37 % 360) - 180)
  }
  let measurement = try Measurement(rounds: 15) {
    var sum = 0.0
    for place in places {
      sum += try model.elements(at: place, ellipsoidalHeightMetres: 100, decimalYear: 2026.9)
        .northNanotesla
    }
    precondition(sum.isFinite)
    return places.count
  }
  try measurement.report()
}
