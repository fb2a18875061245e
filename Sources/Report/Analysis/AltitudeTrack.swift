import EarthModel
import Quantities

/// The fused altitude, the receiver's, and the barometer's.
package struct AltitudeTrack: Equatable, Sendable {
  /// Above mean sea level, metres.
  package private(set) var fused = DecimatedSeries()
  /// The fused one less and plus its error of one sigma.
  package private(set) var lower = DecimatedSeries()
  package private(set) var upper = DecimatedSeries()
  /// The receiver's above mean sea level.
  package private(set) var receiver = DecimatedSeries()
  /// The altitude of the pressure in the standard atmosphere less that of the first sample.
  package private(set) var pressure = DecimatedSeries()
  /// The receiver's less the fused one, metres, by fixes.
  package private(set) var difference = WeightedHistogram(-500...500, width: 0.05)
  /// One sigma of the fused one, metres.
  package private(set) var sigma = WeightedHistogram(0...1000, width: 0.1)
  private var firstPressure: Double?

  mutating func add(_ estimate: Estimate, at time: Double) {
    guard let metres = estimate.altitudeMetres else {
      fused.interrupt()
      lower.interrupt()
      return upper.interrupt()
    }
    fused.add(metres, at: time)
    guard let error = estimate.verticalAccuracyMetres else { return }
    lower.add(metres - error, at: time)
    upper.add(metres + error, at: time)
    sigma.add(error)
  }

  mutating func add(_ fix: Fix, _ estimate: Estimate, at time: Double) {
    // The separation of the estimate is the receiver's own, or that of the geoid's model.
    let separation = estimate.ellipsoidalAltitudeMetres.flatMap { above in
      estimate.altitudeMetres.map { above - $0 }
    }
    guard
      let metres = fix.altitudeMetres
        ?? fix.ellipsoidalAltitudeMetres.flatMap({ above in separation.map { above - $0 } })
    else { return }
    receiver.add(metres, at: time)
    if let fused = estimate.altitudeMetres { difference.add(metres - fused) }
  }

  mutating func add(_ sample: PressureSample, at time: Double) {
    let metres = StandardAtmosphere.pressureAltitudeMetres(hectopascal: sample.hectopascal)
    guard metres.isFinite else { return }
    let first = firstPressure ?? metres
    firstPressure = first
    pressure.add(metres - first, at: time)
  }
}
