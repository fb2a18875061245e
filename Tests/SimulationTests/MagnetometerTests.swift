import EarthModel
import Quantities
import RealModule
import Simulation
import Testing

@Suite(.timeLimit(.minutes(30))) struct MagnetometerTests {
  private func model(_ truth: Truth) throws -> MagneticElements {
    try MagneticModel.wmm2025.elements(
      at: truth.position, ellipsoidalHeightMetres: truth.ellipsoidalAltitudeMetres,
      decimalYear: Worlds.start().decimalYear)
  }

  @Test(
    "Field strength, dip and declination are the magnetic model's, wherever the journey has led",
    arguments: Scenario.library)
  func place(scenario: Scenario) throws {
    let world = try Worlds.make(scenario)
    for t in [0.0, 60, 1800, 7200] {
      let truth = world.truth(at: try Worlds.instant(t))
      let e = try model(truth)
      let expected = SIMD3(e.northNanotesla, e.eastNanotesla, e.downNanotesla) / 1000
      // 1 nT: the curvature of the model that the slope omits over the 9 km of the longest journey.
      #expect((truth.field.microtesla - expected).length < 0.001)
      #expect(abs((truth.declination - e.declination).degrees) < 0.005)
    }
  }

  @Test("An ideal magnetometer reads one strength and one dip in every attitude")
  func invariant() throws {
    let scenario = Scenario.handheldTumbling.withoutSensorErrors
    let world = try Worlds.make(scenario)
    let truth = world.truth(at: Timestamp(nanoseconds: 0))
    let samples = try Worlds.samples(scenario, seconds: 60)
    #expect(samples.fields.count == 3001)
    for sample in samples.fields {
      #expect(abs(sample.field.magnitude - truth.field.magnitude) < 1e-4)
      let attitude = world.truth(at: sample.timestamp).attitude
      let earth = attitude.rotate(scenario.mount.rotation.rotate(sample.field.microtesla))
      #expect((earth - truth.field.microtesla).length < 1e-4)
    }
  }

  @Test(
    "Hard iron moves the heading by the deviation that the textbook's formula gives",
    arguments: Array(stride(from: 0.0, to: 360, by: 30)))
  func deviation(headingDegrees: Double) throws {
    var scenario = Worlds.faultlessTable
    scenario.motion = Motion(
      heading: Oscillation(mean: Angle(degrees: headingDegrees).radians))
    // Body x 0.3 and y 0.2 microtesla; the standard mount has y to the left.
    scenario.magnetometer?.hardIron = MagneticField(microtesla: SIMD3(0.3, -0.2, 5))
    let world = try Worlds.make(scenario)
    let truth = world.truth(at: Timestamp(nanoseconds: 0))
    let first = try #require(try Worlds.samples(scenario, seconds: 0).fields.first)
    let body = scenario.mount.rotation(first.field).microtesla
    let compass = Angle(radians: .atan2(y: -body.y, x: body.x))
    let measured = (compass - truth.magneticHeading.angle).wrappedToHalfTurn.radians
    // Deviation = B sin + C cos, here with B = -x/H, C = -y/H to first order.
    let b = truth.field.microtesla
    let h = (b.x * b.x + b.y * b.y).squareRoot()
    let psi = truth.magneticHeading.angle.radians
    let expected = -(0.3 * Double.sin(psi) + 0.2 * Double.cos(psi)) / h
    // The second order is at most half of (0.36/H) squared, about 2e-4.
    #expect(abs(measured - expected) < 3e-4)
    #expect(abs(measured) < 0.36 / h + 3e-4)
  }

  @Test("The perfect calibration undoes an uncalibrated sensor")
  func calibration() throws {
    var scenario = Scenario.handheldTumbling.withoutSensorErrors
    var model = MagnetometerModel.uncalibrated
    (model.noiseMicrotesla, model.lagSeconds, model.limits) = (0, 0, ReadingLimits())
    scenario.magnetometer = model
    let calibration = try #require(model.perfectCalibration)
    let world = try Worlds.make(scenario)
    var greatest = 0.0
    for sample in try Worlds.samples(scenario, seconds: 20).fields {
      let truth = world.truth(at: sample.timestamp)
      let body = truth.attitude.inverse(truth.field).microtesla
      let expected = scenario.mount.rotation.inverse.rotate(body)
      #expect((calibration(sample.field).microtesla - expected).length < 1e-9)
      greatest = max(greatest, (sample.field.microtesla - expected).length)
    }
    #expect(greatest > 45)
  }

  @Test("A reading stays at the end of the scale and on the converter's steps")
  func limits() throws {
    var scenario = Scenario.handheldTumbling.withoutSensorErrors
    scenario.magnetometer?.limits = ReadingLimits(fullScale: 30, step: 0.25)
    let values = try Worlds.samples(scenario, seconds: 60).fields.flatMap {
      [$0.field.microtesla.x, $0.field.microtesla.y, $0.field.microtesla.z]
    }
    #expect(values.contains(30) && values.contains(-30))
    #expect(values.allSatisfy { abs($0) <= 30 && $0 * 4 == ($0 * 4).rounded() })
  }

  @Test("A lagging magnetometer reads the earlier field")
  func lag() throws {
    var scenario = Scenario.handheldTumbling.withoutSensorErrors
    let prompt = try Worlds.samples(scenario, seconds: 10).fields
    scenario.magnetometer?.lagSeconds = 0.06
    let late = try Worlds.samples(scenario, seconds: 10).fields
    // 0.06 s are three periods at 50 Hz.
    for i in 3..<late.count {
      #expect((late[i].field.microtesla - prompt[i - 3].field.microtesla).length < 1e-9)
    }
  }

  @Test("A tool adds its field only while it is beside the sensor")
  func laidDown() throws {
    var scenario = Worlds.faultlessTable
    let clean = try #require(try Worlds.samples(scenario, seconds: 1).fields.first)
    scenario.disturbances = [
      .laidDown(
        fromSeconds: 2, toSeconds: 4, field: MagneticField(microtesla: SIMD3(10, 0, 0)))
    ]
    for sample in try Worlds.samples(scenario, seconds: 6).fields {
      let added = (sample.field - clean.field).microtesla
      switch sample.timestamp.seconds {
      case ..<2, 4.21...: #expect(added.length < 1e-12)
      case 2.21...4: #expect((added - SIMD3(10, 0, 0)).length < 1e-12)
      default: #expect(added.length < 10 + 1e-12)
      }
    }
  }

  @Test("A magnet carried past has a dipole's field: on its axis twice that beside it")
  func passingMagnet() {
    // 1 A m² at 0.2 m: 0.1 / 0.008 = 12.5 microtesla beside, 25 on the axis (Jackson 5.56).
    func nearest(_ moment: SIMD3<Double>) -> SIMD3<Double> {
      let magnet = PassingMagnet(
        nearestAtSeconds: 5, nearestMetres: 0.2, speedMetresPerSecond: 1, moment: moment)
      return MagneticDisturbance.passing(magnet).field(atSeconds: 5).microtesla
    }
    #expect((nearest(SIMD3(1, 0, 0)) - SIMD3(25, 0, 0)).length < 1e-9)
    #expect((nearest(SIMD3(0, 0, 1)) - SIMD3(0, 0, -12.5)).length < 1e-9)
    let magnet = PassingMagnet(
      nearestAtSeconds: 5, nearestMetres: 0.2, speedMetresPerSecond: 1, moment: SIMD3(1, 0, 0))
    #expect(MagneticDisturbance.passing(magnet).field(atSeconds: 8).magnitude < 0.02)
  }
}
