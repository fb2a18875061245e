import EarthModel
import Fusion
import Quantities
import RealModule
import Testing

@Suite("The position filter with a receiver alone", .timeLimit(.minutes(30)))
struct PositionFilterTests {
  private static let start = GeodeticPosition(latitudeDegrees: 48, longitudeDegrees: 11)

  private func at(_ seconds: Double) -> Timestamp {
    Timestamp(nanoseconds: UInt64(nanosecondsIn: seconds))
  }

  private func fix(
    _ t: Double, _ place: GeodeticPosition, speed: Double, course: Double?, accuracy: Double = 3
  ) -> Fix {
    var fix = Fix(timestamp: at(t), kind: .threeDimensional)
    fix.position = place
    fix.horizontalAccuracyMetres = accuracy
    fix.speedMetresPerSecond = speed
    fix.course = course.map { Angle(degrees: $0) }
    return fix
  }

  private func distance(_ a: GeodeticPosition, _ b: GeodeticPosition) -> Double {
    Geodesic.inverse(from: a, to: b).distanceMetres
  }

  /// Drives along a course at 20 m/s for 30 s, and calls `body` with the place after each epoch.
  private func drive(
    from start: GeodeticPosition, course: Double, _ filter: inout PositionFilter,
    _ body: (Double, GeodeticPosition, inout PositionFilter) throws -> Void = { _, _, _ in }
  ) throws -> GeodeticPosition {
    var place = start
    var bearing = Angle(degrees: course)
    for second in 0...30 {
      filter.update(fix(Double(second), place, speed: 20, course: bearing.degrees))
      try body(Double(second), place, &filter)
      let end = Geodesic.direct(from: place, bearing: bearing, distanceMetres: 20)
      (place, bearing) = (end.position, end.bearing)
    }
    return place
  }

  @Test("a moving receiver's place is given as it is, and carried on between epochs")
  func follows() throws {
    var filter = PositionFilter()
    let next = try drive(from: Self.start, course: 70, &filter) { t, place, filter in
      let solution = try #require(filter.solution(at: at(t)))
      #expect(solution.position == place && solution.horizontalAccuracyMetres < 3.001)
    }
    let later = try #require(filter.solution(at: at(31)))
    #expect(distance(later.position, next) < 0.2)
    #expect(later.horizontalAccuracyMetres > 3 && later.horizontalAccuracyMetres < 6)
  }

  @Test("without fixes the accuracy grows with the place's error, and the end comes")
  func outage() throws {
    var filter = PositionFilter()
    _ = try drive(from: Self.start, course: 70, &filter)
    let radii = try [31.0, 40, 60, 100].map {
      try #require(filter.solution(at: at($0))).horizontalAccuracyMetres
    }
    #expect(radii == radii.sorted() && radii[3] > 100)
    #expect(filter.solution(at: at(200)) == nil)
  }

  @Test("one fix 500 m away moves nothing, and several that agree are followed")
  func outliers() throws {
    var filter = PositionFilter()
    var place = try drive(from: Self.start, course: 0, &filter)
    let far = LocalPlane(origin: place).place(at: SIMD2(300, 400))
    filter.update(fix(31, far, speed: 20, course: 0))
    #expect(try distance(#require(filter.solution(at: at(31))).position, place) < 10)
    place = LocalPlane(origin: place).place(at: SIMD2(20, 0))
    filter.update(fix(32, place, speed: 20, course: 0))
    #expect(try distance(#require(filter.solution(at: at(32))).position, place) < 1)
    var other = far
    for second in 33...36 {
      other = LocalPlane(origin: other).place(at: SIMD2(20, 0))
      filter.update(fix(Double(second), other, speed: 20, course: 0))
    }
    #expect(try distance(#require(filter.solution(at: at(36))).position, other) < 5)
  }

  @Test(
    "a car that starts is followed at once, though its receiver reports a speed without a course")
  func startWithoutCourse() throws {
    var filter = PositionFilter()
    for k in 0..<20 { filter.update(fix(10 * Double(k), Self.start, speed: 0, course: nil)) }
    for k in 1...6 {
      let t = 190 + 10 * Double(k)
      let place = Geodesic.direct(
        from: Self.start, bearing: Angle(degrees: 40), distanceMetres: 215 * Double(k)
      ).position
      filter.update(fix(t, place, speed: 21.5, course: nil))
      let solution = try #require(filter.solution(at: at(t)))
      #expect(solution.fixTimestamp == at(t) && distance(solution.position, place) < 20)
    }
  }

  @Test("in an outage the accuracy of a walker's position grows less than that of a car's")
  func usualMotion() throws {
    var (car, walker) = (PositionFilter(), PositionFilter())
    walker.usualMotion = UsualMotion(speed: 1.5, accelerationNoise: 0.6)
    for k in 0..<30 {
      let place = Geodesic.direct(
        from: Self.start, bearing: .zero, distanceMetres: 1.4 * Double(k)
      ).position
      car.update(fix(Double(k), place, speed: 1.4, course: 0))
      walker.update(fix(Double(k), place, speed: 1.4, course: 0))
    }
    let (a, b) = try (#require(car.solution(at: at(89))), #require(walker.solution(at: at(89))))
    #expect(distance(a.position, b.position) < 1)
    #expect(b.horizontalAccuracyMetres < 0.3 * a.horizontalAccuracyMetres)
  }

  @Test("a standing receiver's error does not move the place, and there is no course")
  func standing() throws {
    var filter = PositionFilter()
    let plane = LocalPlane(origin: Self.start)
    var places: [GeodeticPosition] = []
    var noise = Noise(seed: 7)
    var slow = SIMD2<Double>.zero
    for second in 0..<600 {
      slow = slow * 0.983 + SIMD2(noise.next(), noise.next()) * 0.37
      filter.update(
        fix(Double(second), plane.place(at: slow), speed: 0.05, course: nil, accuracy: 4.5))
      let solution = try #require(filter.solution(at: at(Double(second))))
      if second > 10 {
        #expect(solution.isStanding && solution.course == nil)
        #expect(solution.speedMetresPerSecond == 0)
        places.append(solution.position)
      }
    }
    let path = zip(places, places.dropFirst()).map { distance($0, $1) }.reduce(0, +)
    // The receiver's own path is some 300 m long.
    #expect(path < 15, "\(path) m")
  }

  @Test(
    "places cross a pole, the date line, the equator and Greenwich",
    arguments: [(89.998, 10.0, 0.0), (52.0, 179.998, 90), (0.002, 30, 180), (51.5, 0.003, 270)])
  func crossings(latitude: Double, longitude: Double, course: Double) throws {
    var filter = PositionFilter()
    let start = GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude)
    let next = try drive(from: start, course: course, &filter) { t, place, filter in
      let ahead = try #require(filter.solution(at: at(t + 0.5)))
      let step = distance(ahead.position, place)
      #expect(t < 3 || abs(step - 10) < 2, "at \(t) s \(step) m")
    }
    #expect(try distance(#require(filter.solution(at: at(31))).position, next) < 3)
  }

  /// What a receiver may report besides right places.
  enum WrongVelocity: CaseIterable, Sendable {
    case zero, knots, otherCourse

    func change(_ fix: inout Fix) {
      switch self {
      case .zero: (fix.speedMetresPerSecond, fix.course) = (0, nil)
      case .knots: fix.speedMetresPerSecond = fix.speedMetresPerSecond.map { $0 / 0.514444 }
      case .otherCourse: fix.course = fix.course.map { $0 + Angle(degrees: 120) }
      }
    }
  }

  @Test("a velocity that contradicts the places is not used", arguments: WrongVelocity.allCases)
  func wrongVelocity(wrong: WrongVelocity) throws {
    var filter = PositionFilter()
    var place = Self.start
    for second in 0...120 {
      let bearing = Angle(degrees: 70 + 20 * Double.sin(Double(second) / 17))
      var fix = fix(Double(second), place, speed: 15, course: bearing.degrees)
      wrong.change(&fix)
      filter.update(fix)
      #expect(filter.contradictsVelocity == (second >= 30), "\(second)")
      if second > 60 {
        let solution = try #require(filter.solution(at: at(Double(second) + 0.5)))
        #expect(abs(solution.speedMetresPerSecond - 15) < 2, "\(second)")
        let ahead = Geodesic.direct(from: place, bearing: bearing, distanceMetres: 7.5).position
        #expect(distance(solution.position, ahead) < 5, "\(second)")
      }
      place = Geodesic.direct(from: place, bearing: bearing, distanceMetres: 15).position
    }
  }

  @Test("places that a reflection shifts do not contradict the velocity")
  func reflection() {
    var filter = PositionFilter()
    var place = Self.start
    for second in 0...300 {
      // 60 m to a side for 20 s of each minute.
      let shift = second % 60 < 20 ? 60.0 : 0
      let shifted = Geodesic.direct(
        from: place, bearing: .zero, distanceMetres: shift
      ).position
      filter.update(fix(Double(second), shifted, speed: 15, course: 90))
      #expect(!filter.contradictsVelocity)
      place = Geodesic.direct(from: place, bearing: Angle(degrees: 90), distanceMetres: 15).position
    }
  }

  @Test("a receiver that repeats its last place in motion gives no fix")
  func frozen() throws {
    var filter = PositionFilter()
    let next = try drive(from: Self.start, course: 0, &filter)
    let last = LocalPlane(origin: next).place(at: SIMD2(-20, 0))
    for second in 31...40 { filter.update(fix(Double(second), last, speed: 20, course: 0)) }
    let solution = try #require(filter.solution(at: at(40)))
    #expect(solution.fixAgeSeconds > 8)
    #expect(distance(solution.position, last) > 150)
  }

  @Test("an older epoch is ignored, and a clock that was set back starts anew")
  func timeBack() throws {
    var filter = PositionFilter()
    _ = try drive(from: Self.start, course: 0, &filter)
    let before = filter.solution(at: at(30))
    filter.update(fix(29.5, Self.start, speed: 20, course: 0))
    #expect(filter.solution(at: at(30)) == before)
    filter.update(fix(5, Self.start, speed: 0, course: nil))
    #expect(filter.solution(at: at(5))?.position == Self.start)
  }

  @Test("a position that fixes with covariances give keeps its accuracy of centimetres")
  func carrierPhase() throws {
    var filter = PositionFilter()
    for second in 0...20 {
      let place = LocalPlane(origin: Self.start).place(at: SIMD2(1.5 * Double(second), 0))
      var fix = fix(Double(second), place, speed: 1.5, course: 0, accuracy: 0.02)
      fix.kind = .rtkFixed
      filter.update(fix)
      let solution = try #require(filter.solution(at: at(Double(second))))
      #expect(solution.position == place && solution.horizontalAccuracyMetres < 0.021)
    }
  }
}
