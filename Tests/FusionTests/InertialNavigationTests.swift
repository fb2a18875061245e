import EarthModel
import Fusion
import Quantities
import RealModule
import Simulation
import Testing

@Suite("Inertial navigation in a simulated car", .timeLimit(.minutes(30)))
struct InertialNavigationTests {
  /// What a drive of eleven minutes with two outages of a minute gives.
  private struct Outcome {
    var ends: [Double] = []
    var lastVelocity: [Double] = []
    var covered = (inside: 0, insideCount: 0, outside: 0, outsideCount: 0)
    var turning: [Double] = []
  }

  private static let outages = [300.0, 540].map {
    TimeSpan(fromSeconds: $0, toSeconds: $0 + 60)
  }

  /// A simulated car with the filters that the pipeline joins.
  private struct Car {
    private var world: SimulatedWorld
    private(set) var attitude = AttitudeEstimator()
    var filter = PositionFilter()
    /// Added to the north that inertial navigation is given, rad: a compass that is wrong and says
    /// that it is right.
    var northError = 0.0

    init(seed: UInt64 = 3, _ change: (inout Scenario) -> Void = { _ in }) throws {
      let start = try #require(UTCTime(year: 2026, month: 5, day: 1, hour: 12))
      var scenario = Scenario.carDrive
      change(&scenario)
      world = try SimulatedWorld(scenario: scenario, seed: seed, startUTC: start)
    }

    /// Plays the samples. `isMissing` says of a time whether the inertial sample is missing,
    /// `afterInertial` is called after each other one, and `process` processes a fix.
    mutating func play(
      until seconds: Double, isMissing: (Double) -> Bool = { _ in false },
      afterInertial: (Car, Truth) -> Void = { _, _ in },
      take: (inout PositionFilter, Fix, Truth) throws -> Void
    ) rethrows {
      while let sample = world.next(), sample.timestamp.seconds < seconds {
        let t = sample.timestamp
        switch sample {
        case .inertial(let raw):
          if isMissing(t.seconds) { continue }
          let body = InertialSample<BodyFrame>(
            timestamp: t,
            angularRate: raw.angularRate.map { AngularRate(components: $0.components) },
            specificForce: raw.specificForce.map { SpecificForce(components: $0.components) })
          attitude.update(body)
          filter.update(body)
          let truth = world.truth(at: t)
          guide(truth)
          afterInertial(self, truth)
        case .field(let raw):
          attitude.update(
            FieldSample<BodyFrame>(
              timestamp: t, field: MagneticField(components: raw.field.components)))
        case .fix(let fix): try take(&filter, fix, world.truth(at: t))
        default: break
        }
      }
    }

    private mutating func guide(_ truth: Truth) {
      guard let s = attitude.solution, s.isLevelKnown else { return }
      let declination = truth.declination
      filter.orient(
        s.attitude,
        north: s.isHeadingKnown
          ? KnownNorth(
            turn: declination.radians + northError, sigma: (s.headingAccuracy?.radians ?? 2) / 2,
            errorSeconds: 60)
          : nil,
        rateBias: attitude.gyroscopeBias.radiansPerSecond,
        rateBiasSigma: attitude.gyroscopeBiasSigma, isAtRest: attitude.isAtRest,
        at: truth.timestamp)
    }
  }

  @Test("the age of the receiver's velocity is found", arguments: [0.0, 0.15, 0.35])
  func delay(latency: Double) throws {
    var car = try Car { $0.receiver?.latencySeconds = latency }
    car.play(until: 400) { filter, fix, _ in filter.update(fix) }
    let delay = try #require(Mirror(reflecting: car.filter).descendant("delay") as? Double)
    #expect(abs(delay - latency) < 0.15, "\(delay)")
  }

  @Test(
    "a car that stops in an outage stands, whatever inertial navigation says",
    arguments: [0.05, 0.1])
  func standing(bias: Double) throws {
    var filter = PositionFilter()
    filter.isVehicle = true
    let start = GeodeticPosition(latitudeDegrees: 48, longitudeDegrees: 11)
    func at(_ t: Double) -> Timestamp { Timestamp(nanoseconds: UInt64(nanosecondsIn: t)) }
    var (north, speed) = (0.0, 10.0)
    for i in 0..<14_000 {
      let t = Double(i) / 100
      let braking = t > 70 && speed > 0 ? -2.0 : 0
      speed = max(0, speed + braking / 100)
      north += speed / 100
      // The error of the accelerometer begins with the outage: a tilt by a hill, or heat.
      filter.update(
        InertialSample<BodyFrame>(
          timestamp: at(t), angularRate: AngularRate(radiansPerSecond: .zero),
          specificForce: SpecificForce(
            metresPerSecondSquared: SIMD3(braking + (t > 60 ? bias : 0), 0, -9.806_65))))
      filter.orient(
        .identity, north: nil, rateBias: .zero, rateBiasSigma: SIMD3(repeating: 1e-4),
        isAtRest: t > 77, at: at(t))
      guard i % 100 == 0, t < 60 else { continue }
      var fix = Fix(timestamp: at(t), kind: .threeDimensional)
      fix.position = GeodeticPosition(latitudeDegrees: 48 + north / 111_200, longitudeDegrees: 11)
      (fix.horizontalAccuracyMetres, fix.speedMetresPerSecond) = (2, speed)
      fix.course = .zero
      filter.update(fix)
    }
    let end = try #require(filter.solution(at: at(140)))
    #expect(end.isInertial && end.isStanding && end.speedMetresPerSecond < 0.1)
    let way = LocalPlane(origin: start).metres(to: end.position).x
    // Without the rest the place is 310 m off with the larger error.
    #expect(abs(way - north) < 70, "\(way), \(north)")
  }

  @Test(
    "a car that drives backwards keeps its heading",
    arguments: [(true, true), (true, false), (false, true)])
  func backwards(hasDrivenForward: Bool, hasCompass: Bool) throws {
    var filter = PositionFilter()
    filter.isVehicle = true
    func at(_ t: Double) -> Timestamp { Timestamp(nanoseconds: UInt64(nanosecondsIn: t)) }
    // North at up to 12 m/s and a halt, then south at 5 m/s, the bow to the north.
    let north = hasCompass ? KnownNorth(turn: 0, sigma: 0.1, errorSeconds: 60) : nil
    var (way, speed) = (0.0, 0.0)
    for i in 0..<9_000 {
      let t = Double(i) / 100
      let aim = hasDrivenForward && t > 5 && t < 40 ? 12.0 : t > 50 ? -5 : 0
      let push = max(-2, min(2, (aim - speed) * 100))
      speed += push / 100
      way += speed / 100
      filter.update(
        InertialSample<BodyFrame>(
          timestamp: at(t), angularRate: AngularRate(radiansPerSecond: .zero),
          specificForce: SpecificForce(metresPerSecondSquared: SIMD3(push, 0, -9.806_65))))
      filter.orient(
        .identity, north: north, rateBias: .zero, rateBiasSigma: SIMD3(repeating: 1e-4),
        isAtRest: speed == 0, at: at(t))
      if let solution = filter.inertialSolution {
        let heading = solution.attitude.attitudeAngles.heading.wrappedToHalfTurn
        #expect(abs(heading.degrees) < 10, "\(t)")
      }
      #expect(filter.compassContradiction == nil, "\(t)")
      guard i % 100 == 0 else { continue }
      var fix = Fix(timestamp: at(t), kind: .threeDimensional)
      fix.position = GeodeticPosition(latitudeDegrees: 48 + way / 111_200, longitudeDegrees: 11)
      (fix.horizontalAccuracyMetres, fix.speedMetresPerSecond) = (2, abs(speed))
      fix.course = abs(speed) < 0.5 ? nil : speed < 0 ? Angle(degrees: 180) : .zero
      filter.update(fix)
    }
    #expect((filter.inertialSolution != nil) == hasDrivenForward)
  }

  private func drive(seed: UInt64, hasCompass: Bool) throws -> Outcome {
    var car = try Car(seed: seed) {
      $0.receiver?.outages = Self.outages
      $0.receiver?.latencySeconds = 0
      if !hasCompass { $0.magnetometer = nil }
    }
    car.filter.isVehicle = !hasCompass
    var outcome = Outcome()
    var lastFix: Fix?
    var nextSecond = 60.0
    car.play(
      until: 620,
      afterInertial: { car, truth in
        judgeHeading(hasCompass ? car.attitude.solution : nil, car.filter, truth, &outcome)
        guard truth.timestamp.seconds >= nextSecond else { return }
        nextSecond += 1
        judge(car.filter, truth, lastFix, &outcome)
      },
      take: { filter, fix, _ in
        if fix.position != nil { lastFix = fix }
        filter.update(fix)
      })
    return outcome
  }

  private func judgeHeading(
    _ solution: AttitudeSolution?, _ filter: PositionFilter, _ truth: Truth,
    _ outcome: inout Outcome
  ) {
    guard truth.timestamp.seconds > 90, abs(truth.rateOfTurn.degreesPerSecond) > 5 else { return }
    let heading =
      solution.map { $0.attitude.attitudeAngles.heading + truth.declination }
      ?? filter.inertialSolution?.attitude.attitudeAngles.heading
    guard let heading else { return }
    outcome.turning.append(abs((heading - truth.trueHeading.angle).wrappedToHalfTurn.degrees))
  }

  private func judge(
    _ filter: PositionFilter, _ truth: Truth, _ lastFix: Fix?, _ outcome: inout Outcome
  ) {
    let t = truth.timestamp
    guard let solution = filter.solution(at: t) else { return }
    let plane = LocalPlane(origin: truth.position)
    func length(_ x: SIMD2<Double>) -> Double { (x * x).sum().squareRoot() }
    let error = length(plane.metres(to: solution.position))
    let isCovered = error <= solution.horizontalAccuracyMetres ? 1 : 0
    guard
      let outage = Self.outages.first(where: {
        t.seconds >= $0.fromSeconds && t.seconds < $0.toSeconds
      })
    else {
      outcome.covered.outside += isCovered
      outcome.covered.outsideCount += 1
      return
    }
    outcome.covered.inside += isCovered
    outcome.covered.insideCount += 1
    guard t.seconds >= outage.toSeconds - 1, let fix = lastFix, let place = fix.position,
      let speed = fix.speedMetresPerSecond, let course = fix.course?.radians
    else { return }
    outcome.ends.append(error)
    let way = SIMD2(Double.cos(course), Double.sin(course)) * speed
    outcome.lastVelocity.append(
      length(plane.metres(to: place) + way * t.seconds(since: fix.timestamp)))
  }

  @Test(
    "after a minute without fixes the place is near, and its accuracy true",
    arguments: [true, false])
  func outages(hasCompass: Bool) throws {
    var all = Outcome()
    for seed in 1...6 {
      let one = try drive(seed: UInt64(seed), hasCompass: hasCompass)
      all.ends += one.ends
      all.lastVelocity += one.lastVelocity
      all.turning += one.turning
      all.covered.inside += one.covered.inside
      all.covered.insideCount += one.covered.insideCount
      all.covered.outside += one.covered.outside
      all.covered.outsideCount += one.covered.outsideCount
    }
    let (ours, theirs) = (all.ends.sorted()[6], all.lastVelocity.sorted()[6])
    let inside = Double(all.covered.inside) / Double(all.covered.insideCount)
    let outside = Double(all.covered.outside) / Double(all.covered.outsideCount)
    let turning = all.turning.sorted()[all.turning.count * 99 / 100]
    print(
      "a minute without fixes, compass \(hasCompass): \(ours) m, last velocity \(theirs) m; "
        + "coverage \(outside), in outages \(inside); heading in turns \(turning)°")
    #expect(all.ends.count == 12)
    #expect(ours < 40 && ours < 0.3 * theirs)
    #expect(outside > 0.55 && inside > 0.55)
    // In turns the compass's heading is the attitude filter's alone; by course it is as good as the
    // gyroscope's bias is known.
    #expect(turning < 8)
  }

  /// RMS errors over epochs in motion of a receiver and of the filter. `error` is the receiver's
  /// along north and east, its kind and stated accuracy at a time, s.
  private func compare(
    _ error: (Double) -> (metres: SIMD2<Double>, kind: FixKind, accuracy: Double)
  ) throws -> (receiver: Double, filter: Double) {
    var car = try Car { $0.receiver?.latencySeconds = 0 }
    var squares = (receiver: 0.0, filter: 0.0)
    var count = 0.0
    car.play(until: 360) { filter, fix, truth in
      let t = truth.timestamp
      let plane = LocalPlane(origin: truth.position)
      let (metres, kind, accuracy) = error(t.seconds)
      var fix = fix
      (fix.position, fix.kind) = (plane.place(at: metres), kind)
      fix.horizontalAccuracyMetres = accuracy
      filter.update(fix)
      // One that stands is not followed: its place does not wander.
      guard t.seconds > 60, truth.speedMetresPerSecond > 1, let solution = filter.solution(at: t)
      else { return }
      let ours = plane.metres(to: solution.position)
      squares.receiver += (metres * metres).sum()
      squares.filter += (ours * ours).sum()
      count += 1
    }
    #expect(count > 150)
    return ((squares.receiver / count).squareRoot(), (squares.filter / count).squareRoot())
  }

  @Test("inertial navigation that contradicted the receiver begins again")
  func returns() throws {
    var car = try Car { $0.receiver?.latencySeconds = 0 }
    var inertial: [Bool] = []
    car.play(until: 200) { filter, fix, truth in
      let t = truth.timestamp.seconds
      var fix = fix
      // For ten seconds the receiver reports another vehicle's speed.
      if t > 100, t < 110 { fix.speedMetresPerSecond = 5 }
      filter.update(fix)
      inertial.append(filter.inertialSolution != nil)
    }
    #expect(inertial[90..<99].allSatisfy { $0 })
    #expect(inertial.contains(false))
    #expect(inertial[160...].allSatisfy { $0 })
  }

  @Test(
    "a wrong north never takes the place away from fixes for ten seconds",
    arguments: [0.5, 1.5, 2.5, -2], [true, false])
  func wrongNorth(error: Double, hasVelocity: Bool) throws {
    var car = try Car { $0.receiver?.latencySeconds = 0 }
    car.northError = error
    var (far, longest, count) = (0, 0, 0)
    car.play(until: 400) { filter, fix, truth in
      var fix = fix
      if !hasVelocity { (fix.velocity, fix.speedMetresPerSecond, fix.course) = (nil, nil, nil) }
      filter.update(fix)
      guard truth.timestamp.seconds > 30, let solution = filter.solution(at: truth.timestamp) else {
        return
      }
      let metres = LocalPlane(origin: truth.position).metres(to: solution.position)
      let isFar = (metres * metres).sum().squareRoot() > 3 * solution.horizontalAccuracyMetres
      far = isFar ? far + 1 : 0
      longest = max(longest, far)
      count += 1
    }
    #expect(count > 100 && longest < 10, "\(count), \(longest) s")
  }

  @Test("fixes of carrier phase and a receiver's own dead reckoning are not made worse")
  func goodReceivers() throws {
    let precise = try compare { t in
      (SIMD2(0.01 * .sin(7 * t), 0.01 * .cos(11 * t)), .rtkFixed, 0.015)
    }
    #expect(precise.filter < 1.2 * precise.receiver, "\(precise)")
    // Half of each minute in tunnels, where its error and the stated accuracy grow to 12 m.
    let reckoned = try compare { t in
      let out = max(0, t.truncatingRemainder(dividingBy: 60) - 30)
      let slow = SIMD2<Double>(.sin(t / 40), .cos(t / 30))
      return (
        slow + SIMD2(0.3, 0.25) * out, out > 0 ? .deadReckoning : .threeDimensional, 1.5 + 0.4 * out
      )
    }
    #expect(reckoned.filter < 1.03 * reckoned.receiver, "\(reckoned)")
  }

  @Test("without an inertial unit's samples for a while the filter goes on with the receiver")
  func gap() throws {
    var car = try Car()
    var inertial: [Bool] = []
    car.play(until: 120, isMissing: { $0 > 60 && $0 < 80 }) { filter, fix, truth in
      let t = truth.timestamp
      filter.update(fix)
      guard t.seconds > 20, let solution = filter.solution(at: t) else { return }
      inertial.append(solution.isInertial)
      let error = LocalPlane(origin: truth.position).metres(to: solution.position)
      #expect((error * error).sum().squareRoot() < 15, "at \(t.seconds) s")
    }
    #expect(inertial.first == true && inertial.last == true && inertial.contains(false))
  }
}
