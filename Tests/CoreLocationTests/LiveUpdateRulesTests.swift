import CoreLocation
import Quantities
import Testing

private func place(
  metresNorth: Double, accuracy: Double = 5, speed: Double = -1
) -> CLLocation {
  CLLocation(
    coordinate: CLLocationCoordinate2D(latitude: 60 + metresNorth / 111_412, longitude: 25),
    altitude: 0, horizontalAccuracy: accuracy, verticalAccuracy: -1, course: -1, speed: speed,
    timestamp: Date(timeIntervalSince1970: 0))
}

/// A fix with a state of motion that has lasted for some seconds.
private func fix(
  metresNorth: Double, _ motion: MotionState, since seconds: Double
) -> CLLocation {
  var values = LocationValues(
    latitude: 60 + metresNorth / 111_412, longitude: 25, timestamp: Date(timeIntervalSince1970: 0))
  (values.horizontalAccuracy, values.speed) = (5, 0)
  (values.motion, values.motionSeconds) = (motion, seconds)
  return CLLocation(values)
}

@Suite(.timeLimit(.minutes(30))) struct LiveUpdateRulesTests {
  private let start = Date(timeIntervalSince1970: 1_000_000)

  /// Processes one fix per second.
  /// - Returns: A word for each second: a fix, a stationary one, or nothing.
  private func play(
    _ configuration: CLLocationUpdate.LiveConfiguration, _ fixes: [CLLocation]
  ) -> [String] {
    var rules = LiveUpdateRules(configuration)
    return fixes.enumerated().map { second, fix in
      let update = rules.receive(fix, at: start.addingTimeInterval(Double(second)))
      return update.map { $0.stationary ? "still" : "fix" } ?? ""
    }
  }

  @Test("updates pause once the device has stayed for the time, with one stationary update")
  func pauses() {
    let noise = (0..<200).map { place(metresNorth: $0.isMultiple(of: 2) ? 8 : -8, speed: 0.2) }
    let words = play(.default, noise)
    #expect(words[0..<60].allSatisfy { $0 == "fix" })
    #expect(words[60] == "still")
    #expect(words[61...].allSatisfy { $0.isEmpty })
  }

  @Test("updates go on when the device moves; one stray fix is no movement")
  func resumes() {
    let stay = (0..<70).map { _ in place(metresNorth: 0) }
    let stray = [place(metresNorth: 80), place(metresNorth: 0), place(metresNorth: 0)]
    let walk = (1...40).map { place(metresNorth: Double($0) * 1.4, speed: 1.4) }
    let words = play(.default, stay + stray + walk)
    #expect(words[61..<74].allSatisfy { $0.isEmpty })
    #expect(words[74...].allSatisfy { $0 == "fix" })
  }

  @Test("slow movement without a known speed is no stay")
  func drift() {
    let words = play(.fitness, (0..<600).map { place(metresNorth: Double($0) * 0.4) })
    #expect(words.allSatisfy { $0 == "fix" })
  }

  @Test("a red light does not pause a car's updates, and a coarse receiver not a walker's")
  func configurations() {
    let light = (0..<100).map { _ in place(metresNorth: 0, speed: 0) }
    #expect(play(.automotiveNavigation, light).allSatisfy { $0 == "fix" })
    #expect(play(.fitness, light).contains("still"))
    let swing = (0..<400).map { place(metresNorth: 40 * sin(Double($0) / 10)) }
    #expect(play(.maritime, swing).contains("still"))
    #expect(!play(.fitness, swing).contains("still"))
  }

  @Test("a vehicle in traffic is not stationary, and rest counts since it began")
  func motion() {
    let jam = (0..<300).map { _ in fix(metresNorth: 0, .driving, since: 100) }
    #expect(play(.default, jam).allSatisfy { $0 == "fix" })
    let parked = (0..<100).map { fix(metresNorth: 0, .stationary, since: 50 + Double($0)) }
    let words = play(.default, jam + parked)
    #expect(words.firstIndex(of: "still") == 310 || words.firstIndex(of: "still") == 311)
    // A receiver indoors strays, and the inertial unit knows better; a walk ends the rest at once.
    let indoors = (0..<200).map {
      fix(metresNorth: $0.isMultiple(of: 40) ? 20 : -5, .stationary, since: 70)
    }
    #expect(play(.fitness, indoors).filter { $0 == "fix" }.count <= 1)
    #expect(play(.fitness, parked + [fix(metresNorth: 0, .walking, since: 3)]).last == "fix")
  }

  @Test("the known location comes first only where it is fresh", arguments: [15, 16])
  func known(age: Double) {
    var rules = LiveUpdateRules(.default)
    let now = Date(timeIntervalSince1970: age)
    let update = rules.sourceReady(
      hasReceiver: true, known: place(metresNorth: 0), at: now, civilTime: now)
    #expect((update != nil) == (age <= LocationDelivery.freshness))
  }

  @Test("an unknown location during a pause is reported, and updates begin anew")
  func unknownWhilePaused() {
    var rules = LiveUpdateRules(.default)
    for second in 0..<70 {
      _ = rules.receive(place(metresNorth: 0), at: start.addingTimeInterval(Double(second)))
    }
    #expect(rules.timeHasPassed(at: start.addingTimeInterval(90)) == nil)
    let unknown = rules.timeHasPassed(at: start.addingTimeInterval(99))
    #expect(unknown?.locationUnavailable == true)
    #expect(rules.timeHasPassed(at: start.addingTimeInterval(140)) == nil)
    let back = rules.receive(place(metresNorth: 0), at: start.addingTimeInterval(141))
    #expect(back?.location != nil && back?.stationary == false)
  }
}
