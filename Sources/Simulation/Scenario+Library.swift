import Quantities

extension Scenario {
  /// The predefined scenarios.
  public static var library: [Scenario] {
    [
      sailingBoat, roughSea, tableTop, levelRover, carDrive, handheldTumbling, calibrationByHand,
      acceptance,
    ]
  }

  /// A yacht in the Kiel Fjord that beats to windward and runs back, 2 to 4 m/s, a tack or gybe
  /// about every minute, heeled 14 degrees, in a swell of half a metre.
  public static var sailingBoat: Scenario {
    func leg(_ seconds: Double, _ course: Double, _ speed: Double, heel: Double) -> Leg {
      Leg(
        seconds: seconds, course: Angle(degrees: course), speedMetresPerSecond: speed,
        heel: Angle(degrees: heel))
    }
    // The wind blows from 240 degrees: on 285 it comes over the port side and heels her to
    // starboard.
    let legs = [
      leg(62, 285, 3.2, heel: 14), leg(55, 195, 3.1, heel: -14), leg(71, 285, 3.3, heel: 13),
      leg(58, 195, 3.2, heel: -14), leg(66, 105, 3.4, heel: -5), leg(64, 15, 3.3, heel: 5),
    ]
    return Scenario(
      name: "sailing boat",
      origin: GeodeticPosition(latitudeDegrees: 54.45, longitudeDegrees: 10.25),
      ellipsoidalHeightMetres: 43, geoidSeparationMetres: 42,
      motion: Motion(
        route: Route(legs: legs, turnSeconds: 9), bow: .alongCourse,
        north: Oscillation(waves: [Sinusoid(amplitude: 0.12, hertz: 0.16, phase: 0.4)]),
        east: Oscillation(waves: [Sinusoid(amplitude: 0.1, hertz: 0.16, phase: 1.1)]),
        up: Oscillation(waves: [
          Sinusoid(amplitude: 0.25, hertz: 0.16, phase: 2), Sinusoid(amplitude: 0.06, hertz: 0.41),
        ]),
        heading: degreeWaves((3, 0.045, 0.3), (1.5, 0.17, 1.7)),
        pitch: degreeWaves((3, 0.19, 0.9), (1.2, 0.43, 2.5)),
        roll: degreeWaves((5, 0.13, 0), (1.8, 0.37, 1.2))))
  }

  /// A yacht in the North Sea, 3 m/s, in wind waves of 1.5 m and a swell of 1 m from another side.
  public static var roughSea: Scenario {
    afloat(
      "rough sea",
      on: Sea([
        WaveSystem(heightMetres: 1.5, periodSeconds: 5.7, direction: Angle(degrees: 100)),
        WaveSystem(
          heightMetres: 1, periodSeconds: 11, direction: Angle(degrees: 160), enhancement: 6,
          spread: Angle(degrees: 8)),
      ]), seed: 1)
  }

  /// A boat at 3 m/s.
  /// - Parameters:
  ///   - name: The scenario's name.
  ///   - sea: The waves.
  ///   - seed: Selects the waves' phases.
  ///   - courses: The courses in turn, degrees, four minutes each.
  /// - Returns: The scenario.
  public static func afloat(
    _ name: String, on sea: Sea, seed: UInt64, courses: [Double] = [250, 310, 250, 190]
  ) -> Scenario {
    let legs = courses.map {
      Leg(seconds: 240, course: Angle(degrees: $0), speedMetresPerSecond: 3)
    }
    return Scenario(
      name: name, origin: GeodeticPosition(latitudeDegrees: 54.2, longitudeDegrees: 7.7),
      ellipsoidalHeightMetres: 42, geoidSeparationMetres: 41,
      motion: sea.motion(along: Route(legs: legs, turnSeconds: 20), seed: seed))
  }

  /// A board that lies on a table in Potsdam, not quite level, pointing at 40 degrees.
  public static var tableTop: Scenario {
    Scenario(
      name: "table top",
      origin: GeodeticPosition(latitudeDegrees: 52.38, longitudeDegrees: 13.06),
      ellipsoidalHeightMetres: 120, geoidSeparationMetres: 40,
      motion: Motion(
        heading: degrees(40), pitch: degrees(1.5), roll: degrees(-0.8)))
  }

  /// A robot that drives in a level hall in Potsdam at half a metre a second with turns, for boards
  /// without an accelerometer.
  public static var levelRover: Scenario {
    func leg(_ seconds: Double, _ course: Double, _ speed: Double) -> Leg {
      Leg(seconds: seconds, course: Angle(degrees: course), speedMetresPerSecond: speed)
    }
    let legs = [
      leg(25, 40, 0.5), leg(20, 130, 0.6), leg(30, 200, 0.5), leg(18, 290, 0.6), leg(22, 340, 0.5),
    ]
    return Scenario(
      name: "level rover",
      origin: GeodeticPosition(latitudeDegrees: 52.38, longitudeDegrees: 13.06),
      ellipsoidalHeightMetres: 120, geoidSeparationMetres: 40,
      motion: Motion(route: Route(legs: legs, turnSeconds: 6), bow: .alongCourse))
  }

  /// A car between hills: right angles in a town and bends on a road, 7 to 20 m/s.
  public static var carDrive: Scenario {
    func leg(_ seconds: Double, _ course: Double, _ speed: Double) -> Leg {
      Leg(seconds: seconds, course: Angle(degrees: course), speedMetresPerSecond: speed)
    }
    let legs = [
      leg(40, 20, 11), leg(75, 70, 17), leg(90, 105, 20), leg(50, 185, 12), leg(60, 230, 18),
      leg(95, 265, 20), leg(45, 330, 13),
    ]
    return Scenario(
      name: "car drive",
      origin: GeodeticPosition(latitudeDegrees: 48.75, longitudeDegrees: 9.1),
      ellipsoidalHeightMetres: 420, geoidSeparationMetres: 48,
      motion: Motion(
        route: Route(legs: legs, turnSeconds: 10), bow: .alongClimb,
        up: Oscillation(waves: [
          Sinusoid(amplitude: 25, hertz: 1.0 / 210, phase: 4.5),
          Sinusoid(amplitude: 7, hertz: 1.0 / 73, phase: 0.5),
        ]),
        pitch: degreeWaves((0.4, 1.3, 0)), roll: degreeWaves((0.8, 0.9, 0.2), (0.3, 1.7, 1))))
  }

  /// A board turned over by hand so that every side points in every direction within about a
  /// minute, as a calibration needs it.
  public static var handheldTumbling: Scenario {
    Scenario(
      name: "hand-held tumbling",
      origin: GeodeticPosition(latitudeDegrees: 52.38, longitudeDegrees: 13.06),
      ellipsoidalHeightMetres: 121, geoidSeparationMetres: 40,
      motion: Motion(
        north: Oscillation(waves: [Sinusoid(amplitude: 0.12, hertz: 0.31)]),
        east: Oscillation(waves: [Sinusoid(amplitude: 0.1, hertz: 0.43, phase: 1)]),
        up: Oscillation(waves: [Sinusoid(amplitude: 0.08, hertz: 0.37, phase: 2)]),
        heading: Oscillation(
          growthPerSecond: 0.47, waves: [Sinusoid(amplitude: 0.5, hertz: 0.21)]),
        pitch: degreeWaves((75, 0.113, 0.6)),
        roll: Oscillation(
          growthPerSecond: 0.83, waves: [Sinusoid(amplitude: 0.4, hertz: 0.29, phase: 2)])))
  }

  /// A board with iron on it in a hand: turned once about the vertical within 12 degrees of level,
  /// as the guided calibration asks first, then tilted to all sides while it turns on.
  public static var calibrationByHand: Scenario {
    var scenario = Scenario(
      name: "calibration by hand",
      origin: GeodeticPosition(latitudeDegrees: 52.38, longitudeDegrees: 13.06),
      ellipsoidalHeightMetres: 121, geoidSeparationMetres: 40,
      motion: Motion(
        north: Oscillation(waves: [Sinusoid(amplitude: 0.05, hertz: 0.21)]),
        up: Oscillation(waves: [Sinusoid(amplitude: 0.04, hertz: 0.17, phase: 2)]),
        heading: Oscillation(growthPerSecond: 1.2), pitch: lateDegrees(55, hertz: 0.013),
        roll: lateDegrees(50, hertz: 0.0093)))
    scenario.magnetometer = .uncalibrated
    scenario.calibration = .uncalibrated
    return scenario
  }

  /// The steps of `lodestar check`: a board that lies still for half a minute, is turned level by a
  /// little more than a turn, is tilted to all four sides while it turns further, and is then
  /// walked with around two corners.
  public static var acceptance: Scenario {
    func ramp(_ from: Double, _ seconds: Double, _ degrees: Double) -> Ramp {
      Ramp(fromSeconds: from, seconds: seconds, change: Angle(degrees: degrees).radians)
    }
    func leg(_ seconds: Double, _ course: Double, _ speed: Double) -> Leg {
      Leg(seconds: seconds, course: Angle(degrees: course), speedMetresPerSecond: speed)
    }
    let walk = Route(
      legs: [leg(93, 40, 0), leg(27, 40, 1.4), leg(25, 130, 1.4), leg(1000, 60, 1.4)],
      turnSeconds: 3)
    // A ramp ends with the corner that it goes with: the route's times are 3 s early.
    return Scenario(
      name: "acceptance",
      origin: GeodeticPosition(latitudeDegrees: 52.38, longitudeDegrees: 13.06),
      ellipsoidalHeightMetres: 121, geoidSeparationMetres: 40,
      motion: Motion(
        route: walk,
        heading: Oscillation(
          mean: Angle(degrees: 40).radians,
          ramps: [
            ramp(28, 24, 385), ramp(54, 30, 335), ramp(117, 3, 90), ramp(142, 3, -70),
          ]),
        pitch: Oscillation(ramps: [
          ramp(54, 4, 50), ramp(59, 6, -100), ramp(66, 4, 50), ramp(81, 3, 35), ramp(84, 3, -35),
        ]),
        roll: Oscillation(ramps: [ramp(68, 4, 50), ramp(73, 6, -100), ramp(80, 4, 50)])))
  }

  private static func degrees(_ mean: Double) -> Oscillation {
    Oscillation(mean: Angle(degrees: mean).radians)
  }

  /// The cube of a sine, which stays near zero at first: sin³ x = (3 sin x - sin 3x) / 4.
  private static func lateDegrees(_ amplitude: Double, hertz: Double) -> Oscillation {
    degreeWaves((0.75 * amplitude, hertz, 0), (-0.25 * amplitude, 3 * hertz, 0))
  }

  /// Waves of an angle: degrees, hertz and phase in radians.
  private static func degreeWaves(_ waves: (Double, Double, Double)...) -> Oscillation {
    Oscillation(
      waves: waves.map {
        Sinusoid(amplitude: Angle(degrees: $0.0).radians, hertz: $0.1, phase: $0.2)
      })
  }
}
