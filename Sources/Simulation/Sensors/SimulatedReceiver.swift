import Quantities
import RealModule

/// A receiver with its random errors. An epoch without reception draws the same random numbers, so
/// that an outage does not change later epochs.
struct SimulatedReceiver: Sendable {
  private let model: ReceiverModel
  private let breathingPhase: Double
  private var drift: SlowError

  /// 68 % of two equal normal errors lie within this many sigma: the root of -2 ln(1 - 0.68).
  private static var radiusOf68Percent: Double { 1.509_592 }
  /// The variation of the dilution as satellites rise and set.
  private static var breathing: (share: Double, seconds: Double) { (0.25, 900) }
  /// The smallest number of satellites for a position.
  private static var fewestSatellites: Int { 5 }

  init(_ model: ReceiverModel, random: inout RandomStream) {
    self.model = model
    breathingPhase = 2 * .pi * random.uniform()
    drift = SlowError(
      spread: SIMD3(
        model.horizontalDriftMetres, model.horizontalDriftMetres, model.verticalDriftMetres),
      correlationSeconds: model.driftSeconds, periodSeconds: 1 / model.rateHertz, random: &random)
  }

  /// The epoch's fix; call once an epoch.
  mutating func fix(
    _ truth: Kinematics, geoidSeparation: Double, epochSeconds t: Double, utc: UTCTime,
    arrival: Timestamp, random: inout RandomStream
  ) -> Fix {
    let wave = Double.sin(2 * .pi * t / Self.breathing.seconds + breathingPhase)
    let swell = 1 + Self.breathing.share * wave
    let error = (drift.value + random.gaussianVector() * model.noiseMetres) * swell
    let velocity =
      truth.velocity.metresPerSecond + random.gaussianVector() * model.velocityNoise * swell
    drift.step(&random)

    guard t >= model.timeToFirstFixSeconds, !model.outages.contains(where: { $0.contains(t) })
    else {
      var nothing = Fix(timestamp: arrival, kind: .none)
      nothing.utc = utc
      nothing.satellitesUsed = 0
      return nothing
    }
    let radii = EllipsoidChart.radii(sinLatitude: Double.sin(truth.position.latitude.radians))
    let latitude = truth.position.latitude.radians
    var fix = Fix(timestamp: arrival, kind: .simulated)
    fix.utc = utc
    fix.position = GeodeticPosition(
      latitude: Angle(radians: latitude + error.x / radii.meridian),
      longitude: Angle(
        radians: truth.position.longitude.radians + error.y / (radii.prime * .cos(latitude))
      ).wrappedToHalfTurn)
    fix.horizontalAccuracyMetres = model.horizontalSigma * swell * Self.radiusOf68Percent
    fix.ellipsoidalAltitudeMetres = truth.ellipsoidalHeight + error.z
    fix.altitudeMetres = truth.ellipsoidalHeight + error.z - geoidSeparation
    fix.verticalAccuracyMetres = model.verticalSigma * swell
    let speed = (velocity.x * velocity.x + velocity.y * velocity.y).squareRoot()
    fix.speedMetresPerSecond = speed
    if speed >= model.leastSpeedForCourse {
      fix.course = Angle(radians: .atan2(y: velocity.y, x: velocity.x)).wrappedToTurn
    }
    fix.verticalSpeedMetresPerSecond = -velocity.z
    fix.horizontalDilution = model.horizontalDilution * swell
    let satellites = Int(bounded: (Double(model.satellites) / swell).rounded())
    fix.satellitesUsed = max(Self.fewestSatellites, satellites)
    return fix
  }
}
