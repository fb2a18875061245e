import EarthModel
import Quantities
import RealModule

/// The mechanics, atmosphere and magnetic field of a scenario at any instant, without sensors and
/// random errors.
package struct WorldPhysics: Sendable {
  package let scenario: Scenario
  package let startUTC: UTCTime
  private let chart: EllipsoidChart
  private let localField: LocalField

  /// - Throws: `ScenarioError` for a parameter out of range, or a date outside the magnetic model's
  ///   validity.
  package init(scenario: Scenario, startUTC: UTCTime) throws(ScenarioError) {
    try scenario.validate()
    self.scenario = scenario
    self.startUTC = startUTC
    chart = EllipsoidChart(
      origin: scenario.origin, ellipsoidalHeightMetres: scenario.ellipsoidalHeightMetres)
    do {
      localField = try LocalField(chart: chart, decimalYear: startUTC.decimalYear)
    } catch {
      throw .magneticModel(error)
    }
  }

  func kinematics(atSeconds t: Double) -> Kinematics {
    scenario.motion.kinematics(
      atSeconds: t, chart: chart, includesEarthRotation: scenario.includesEarthRotation)
  }

  /// The earth's field at the body.
  func earthField(_ k: Kinematics) -> MagneticField<EarthFrame> {
    localField.field(northMetres: k.north, eastMetres: k.east, upMetres: k.up)
  }

  /// The field along the body's axes, disturbances included.
  func bodyField(atSeconds t: Double) -> MagneticField<BodyFrame> {
    let k = kinematics(atSeconds: t)
    var body = k.attitude.inverse(earthField(k))
    for disturbance in scenario.disturbances { body = body + disturbance.field(atSeconds: t) }
    return body
  }

  /// Static pressure, hectopascal.
  func pressure(_ k: Kinematics, atSeconds t: Double) -> Double {
    StandardAtmosphere.pressureHectopascal(
      altitudeMetres: k.ellipsoidalHeight - scenario.geoidSeparationMetres,
      qnhHectopascal: scenario.seaLevelHectopascal + scenario.seaLevelHectopascalPerHour * t / 3600)
  }

  /// The true state at an instant.
  package func truth(at timestamp: Timestamp) -> Truth {
    let k = kinematics(atSeconds: timestamp.seconds)
    let field = earthField(k)
    let b = field.microtesla
    return Truth(
      timestamp: timestamp, utc: startUTC.advanced(bySeconds: timestamp.seconds),
      attitude: k.attitude, declination: Angle(radians: .atan2(y: b.y, x: b.x)), field: field,
      angularRate: k.angularRate, specificForce: k.specificForce,
      rateOfTurn: AngularSpeed(radiansPerSecond: k.headingRate), position: k.position,
      ellipsoidalAltitudeMetres: k.ellipsoidalHeight,
      altitudeMetres: k.ellipsoidalHeight - scenario.geoidSeparationMetres, velocity: k.velocity,
      pressureHectopascal: pressure(k, atSeconds: timestamp.seconds))
  }
}
