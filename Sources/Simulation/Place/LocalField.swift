import EarthModel
import Quantities

/// The earth's field around a scenario's origin: the model's value and gradient, so that a sample
/// costs a few multiplications and a smooth motion gives a smooth field.
/// - Accuracy: against WMM2025 itself at latitude 49: 0.1 nT at 10 km from the origin, 3 nT at 50
///   km, 11 nT at 100 km; twice that at latitude 75.
package struct LocalField: Sendable {
  private let atOrigin: SIMD3<Double>
  private let perNorthMetre: SIMD3<Double>
  private let perEastMetre: SIMD3<Double>
  private let perUpMetre: SIMD3<Double>

  /// The step of the gradient; small beside the model's shortest wave of 3300 km.
  private static var horizontalStep: Double { 20_000 }
  private static var verticalStep: Double { 2_000 }

  package init(
    chart: EllipsoidChart, decimalYear: Double
  ) throws(MagneticModelError) {
    func field(north: Double, east: Double, up: Double) throws(MagneticModelError) -> SIMD3<Double>
    {
      func still(_ x: Double) -> Jet { Jet(value: x, rate: 0, acceleration: 0) }
      let place = chart.location(north: still(north), east: still(east), up: still(up))
      let elements = try MagneticModel.wmm2025.elements(
        at: place.position, ellipsoidalHeightMetres: place.height, decimalYear: decimalYear)
      let nanotesla = SIMD3(
        elements.northNanotesla, elements.eastNanotesla, elements.downNanotesla)
      return nanotesla / 1000
    }
    let (h, v) = (Self.horizontalStep, Self.verticalStep)
    atOrigin = try field(north: 0, east: 0, up: 0)
    let ahead = try field(north: h, east: 0, up: 0)
    let behind = try field(north: -h, east: 0, up: 0)
    perNorthMetre = (ahead - behind) / (2 * h)
    let right = try field(north: 0, east: h, up: 0)
    let left = try field(north: 0, east: -h, up: 0)
    perEastMetre = (right - left) / (2 * h)
    perUpMetre = (try field(north: 0, east: 0, up: v) - atOrigin) / v
  }

  /// The field at chart coordinates, north, east and down in microtesla.
  package func field(
    northMetres n: Double, eastMetres e: Double, upMetres u: Double
  ) -> MagneticField<EarthFrame> {
    MagneticField(microtesla: atOrigin + perNorthMetre * n + perEastMetre * e + perUpMetre * u)
  }
}
