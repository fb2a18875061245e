import Quantities
import RealModule
import Simulation
import Testing

@Suite(.timeLimit(.minutes(30))) struct KinematicsTests {
  @Test(
    "A strapdown navigation in earth-fixed axes, fed with faultless samples, follows the truth",
    arguments: Scenario.library)
  func strapdown(scenario: Scenario) throws {
    var ideal = scenario.withoutSensorErrors
    ideal.inertialUnit?.rateHertz = 400
    let world = try Worlds.make(ideal)
    let samples = try Worlds.samples(ideal, seconds: 60).inertial
    let toBody = ideal.mount.rotation
    var navigation = EarthFixedNavigation(world.truth(at: Timestamp(nanoseconds: 0)))
    var worst = (angle: 0.0, metres: 0.0, speed: 0.0)
    for i in stride(from: 0, to: samples.count - 2, by: 2) {
      let three = samples[i...(i + 2)]
      let rates = try three.map { try toBody.rotate(#require($0.angularRate).components) }
      let forces = try three.map { try toBody.rotate(#require($0.specificForce).components) }
      let dt = samples[i + 2].timestamp.seconds(since: samples[i].timestamp)
      try navigation.step(dt, rates: rates, forces: forces)
      let truth = world.truth(at: samples[i + 2].timestamp)
      let expected = EarthFixedNavigation(truth)
      worst.angle = max(
        worst.angle, (expected.attitude.inverse * navigation.attitude).angle.radians)
      worst.metres = max(worst.metres, (expected.position - navigation.position).length)
      worst.speed = max(worst.speed, (expected.velocity - navigation.velocity).length)
    }
    #expect(samples.count == 24_001)
    #expect(worst.angle < 1e-8, "\(scenario.name): \(worst)")
    #expect(worst.metres < 1e-4, "\(scenario.name): \(worst)")
    #expect(worst.speed < 1e-5, "\(scenario.name): \(worst)")
  }

  @Test(
    "Without the earth's rotation attitude is the integral of the rate",
    arguments: Scenario.library)
  func plainIntegral(scenario: Scenario) throws {
    var ideal = scenario.withoutSensorErrors
    ideal.includesEarthRotation = false
    let world = try Worlds.make(ideal)
    let steps = 12_000
    let dt = 60.0 / Double(steps)
    var attitude = world.truth(at: Timestamp(nanoseconds: 0)).attitude
    var velocity = world.truth(at: Timestamp(nanoseconds: 0)).velocity.components
    var worst = 0.0
    for i in 0..<steps {
      // Gauss-Legendre points of the step: the Magnus expansion to fourth order.
      let root = 3.0.squareRoot() / 6
      let early = world.truth(at: try Worlds.instant((Double(i) + 0.5 - root) * dt))
      let late = world.truth(at: try Worlds.instant((Double(i) + 0.5 + root) * dt))
      let (a, b) = (early.angularRate.components, late.angularRate.components)
      let turn = (a + b) * (dt / 2) + a.cross(b) * (root * dt * dt / 2)
      attitude = attitude * Rotation<BodyFrame, BodyFrame>(rotationVector: turn)
      for t in [early, late] {
        let latitude = t.position.latitude.radians
        let g = NormalGravity.metresPerSecondSquared(
          sinLatitude: .sin(latitude), heightMetres: t.ellipsoidalAltitudeMetres)
        velocity += (t.attitude.rotate(t.specificForce.components) + SIMD3(0, 0, g)) * (dt / 2)
      }
      let end = world.truth(at: try Worlds.instant(Double(i + 1) * dt))
      worst = max(worst, (end.attitude.inverse * attitude).angle.radians)
    }
    let end = world.truth(at: try Worlds.instant(60))
    #expect(worst < 1e-7, "\(scenario.name): \(worst)")
    #expect((end.velocity.components - velocity).length < 1e-6)
  }

  @Test(
    "Normal gravity has the values of the closed formula",
    arguments: [
      (0.0, 9.780_325_335_9), (45.0, 9.806_197_769_343_6), (54.45, 9.814_602_857_360_7),
      (90.0, 9.832_184_937_8),
    ])
  func gravity(latitude: Double, expected: Double) {
    let s = Double.sin(latitude * .pi / 180)
    let g = NormalGravity.metresPerSecondSquared(sinLatitude: s, heightMetres: 0)
    #expect(abs(g - expected) < 1e-9)
    // Free air: about 3.086e-6 m/s² less a metre.
    let above = NormalGravity.metresPerSecondSquared(sinLatitude: s, heightMetres: 1000)
    #expect(abs((g - above) / 1000 - 3.086e-6) < 0.01e-6)
  }

  @Test("The truth's heading is the direction of the forward axis over ground")
  func heading() throws {
    for scenario in Scenario.library {
      let world = try Worlds.make(scenario)
      for t in stride(from: 0, through: 300, by: 7.3) {
        let truth = world.truth(at: try Worlds.instant(t))
        let forward = truth.attitude.rotate(SIMD3(1, 0, 0))
        let expected = Angle(radians: .atan2(y: forward.y, x: forward.x))
        let error = (truth.trueHeading.angle - expected).wrappedToHalfTurn.radians
        #expect(abs(error) < 1e-12)
        let magnetic = truth.magneticAttitude.rotate(SIMD3(1, 0, 0))
        let compass = Angle(radians: .atan2(y: magnetic.y, x: magnetic.x))
        #expect(
          abs((truth.magneticHeading.angle - compass).wrappedToHalfTurn.radians) < 1e-12)
        let back = truth.magneticHeading.angle + truth.declination - truth.trueHeading.angle
        #expect(abs(back.wrappedToHalfTurn.radians) < 1e-12)
      }
    }
  }

  @Test("A journey begins at the scenario's origin and is smooth over every turn and lap")
  func smooth() throws {
    for scenario in [Scenario.sailingBoat, .carDrive] {
      let route = scenario.motion.route
      let start = route.state(atSeconds: 0)
      #expect(abs(start.north.value) < 1e-9 && abs(start.east.value) < 1e-9)
      // Central differences over 1 ms; the sixth of the third derivative times 1e-6 is below 1e-5.
      let h = 1e-3
      for t in stride(from: 0.5, through: 1000, by: 0.37) {
        let (a, m, b) = (
          route.state(atSeconds: t - h), route.state(atSeconds: t), route.state(atSeconds: t + h)
        )
        for path in [\Route.State.north, \.east, \.heel] {
          let (x, y, z) = (a[keyPath: path], m[keyPath: path], b[keyPath: path])
          #expect(abs((z.value - x.value) / (2 * h) - y.rate) < 1e-5)
          #expect(abs((z.rate - x.rate) / (2 * h) - y.acceleration) < 1e-5)
        }
      }
    }
  }

  @Test("The boat sails 2 to 4 m/s, tacks or gybes about every minute and heels to leeward")
  func boat() throws {
    let world = try Worlds.make(.sailingBoat)
    var turns = 0
    let courses = [285.0, 195, 105, 15]
    var sailed = 285.0
    var heel = (port: 0.0, starboard: 0.0)
    for t in stride(from: 0.0, through: 1200, by: 0.5) {
      let truth = world.truth(at: try Worlds.instant(t))
      #expect((1.95...4).contains(truth.speedMetresPerSecond), "at \(t) s")
      heel.port = min(heel.port, truth.angles.roll.degrees)
      heel.starboard = max(heel.starboard, truth.angles.roll.degrees)
      #expect(truth.specificForce.magnitude > 8 && truth.specificForce.magnitude < 12)
      let heading = truth.trueHeading.angle
      for course in courses where course != sailed {
        guard abs((heading - Angle(degrees: course)).wrappedToHalfTurn.degrees) < 10 else {
          continue
        }
        turns += 1
        sailed = course
      }
    }
    // 1200 s at 62.7 s a leg on average.
    #expect((18...20).contains(turns), "\(turns) turns in 20 minutes")
    #expect(heel.port < -15 && heel.starboard > 15)
  }

  @Test("The car points along its velocity, uphill and down, within what tyres hold")
  func car() throws {
    let world = try Worlds.make(.carDrive)
    var steepest = 0.0
    for t in stride(from: 0.0, through: 900, by: 0.5) {
      let truth = world.truth(at: try Worlds.instant(t))
      let course = try #require(truth.course)
      #expect(abs((truth.trueHeading.angle - course).wrappedToHalfTurn.radians) < 1e-12)
      let f = truth.specificForce.metresPerSecondSquared
      #expect((f.x * f.x + f.y * f.y).squareRoot() < 5)
      steepest = max(steepest, abs(truth.angles.pitch.degrees))
    }
    #expect(steepest > 3 && steepest < 10)
  }

  @Test("Tumbling in the hand points every side every way")
  func tumbling() throws {
    let world = try Worlds.make(.handheldTumbling)
    var octants = Set<Int>()
    var faces = Set<Int>()
    for t in stride(from: 0.0, through: 60, by: 0.05) {
      let down = world.truth(at: try Worlds.instant(t)).attitude.inverse.rotate(SIMD3(0, 0, 1))
      octants.insert((down.x > 0 ? 1 : 0) + (down.y > 0 ? 2 : 0) + (down.z > 0 ? 4 : 0))
      for axis in 0..<3 where abs(down[axis]) > 0.85 {
        faces.insert(2 * axis + (down[axis] > 0 ? 1 : 0))
      }
    }
    #expect(octants.count == 8)
    #expect(faces.count == 6)
  }
}
