import Monitoring
import Quantities
import Testing

@Suite("Deferral, pauses and reduced accuracy", .timeLimit(.minutes(30)))
struct ManagerMachineTests {
  private typealias Deferral = DeferredUpdates<Int>
  private static let fine = Deferral.Conditions(
    isUpdating: true, isBestAccuracy: true, hasDistanceFilter: false)

  private func words(_ actions: [Deferral.Action]) -> [String] {
    actions.map {
      switch $0 {
      case .deliver(let elements): "\(elements)"
      case .finish(let reason): "finish \(reason?.rawValue ?? "complete")"
      }
    }
  }

  private func later(_ seconds: Double) -> UTCTime { Fixture.start.advanced(bySeconds: seconds) }

  @Test("a refused deferral is answered by one finish with the reason")
  func refused() {
    for (conditions, word) in [
      (
        Deferral.Conditions(isUpdating: false, isBestAccuracy: true, hasDistanceFilter: false),
        "finish notUpdating"
      ),
      (
        Deferral.Conditions(isUpdating: true, isBestAccuracy: false, hasDistanceFilter: false),
        "finish accuracyTooLow"
      ),
      (
        Deferral.Conditions(isUpdating: true, isBestAccuracy: true, hasDistanceFilter: true),
        "finish distanceFiltered"
      ),
    ] {
      var d = Deferral()
      let actions = d.allow(
        untilTraveled: 100, timeout: 100, conditions: conditions, at: later(0))
      #expect(words(actions) == [word] && !d.isDeferring)
      #expect(words(d.process(1, at: nil, time: later(1))) == ["[1]"])
    }
  }

  @Test(
    "a batch is delivered after the finish, oldest first, at the distance or the time")
  func complete() {
    var d = Deferral()
    _ = d.allow(untilTraveled: 100, timeout: 60, conditions: Self.fine, at: later(0))
    #expect(words(d.process(1, at: Fixture.place(0), time: later(1))) == [])
    #expect(words(d.process(2, at: Fixture.place(60), time: later(2))) == [])
    #expect(
      words(d.process(3, at: Fixture.place(0), time: later(3))) == ["finish complete", "[1, 2, 3]"])
    _ = d.allow(untilTraveled: .infinity, timeout: 60, conditions: Self.fine, at: later(10))
    _ = d.process(4, at: Fixture.place(0), time: later(11))
    #expect(d.deadline == later(70))
    #expect(words(d.advance(to: later(69))) == [])
    #expect(words(d.advance(to: later(70))) == ["finish complete", "[4]"])
    #expect(words(d.advance(to: later(999))) == [])
  }

  @Test("a second call cancels the first, and a stop or disallow finishes it once")
  func canceled() {
    var d = Deferral()
    let most = Double.greatestFiniteMagnitude
    _ = d.allow(untilTraveled: most, timeout: most, conditions: Self.fine, at: later(0))
    #expect(d.deadline == nil)
    _ = d.process(1, at: nil, time: later(1))
    let second = d.allow(untilTraveled: 100, timeout: 60, conditions: Self.fine, at: later(2))
    #expect(words(second) == ["finish canceled", "[1]"])
    _ = d.process(2, at: nil, time: later(3))
    #expect(words(d.disallow()) == ["finish canceled", "[2]"] && words(d.disallow()) == [])
    _ = d.allow(untilTraveled: 100, timeout: 60, conditions: Self.fine, at: later(4))
    #expect(words(d.stop()) == ["finish canceled"] && words(d.stop()) == [])
  }

  @Test("a full batch is delivered and the deferral continues")
  func full() {
    var d = Deferral()
    _ = d.allow(untilTraveled: .infinity, timeout: .infinity, conditions: Self.fine, at: later(0))
    var handed: [String] = []
    for number in 0..<1500 { handed += words(d.process(number, at: nil, time: later(1))) }
    #expect(handed.count == 2 && d.isDeferring)
    #expect(words(d.stop()).first == "finish canceled")
  }

  // MARK: Pauses

  private func fix(_ east: Double, _ seconds: Double) -> PlaceFix {
    PlaceFix(
      position: Fixture.place(east), horizontalAccuracyMetres: 5, time: later(seconds))
  }

  @Test(
    "updates pause at rest, after the time of the activity",
    arguments: Activity.allCases)
  func pauses(_ activity: Activity) {
    let rule = AutomaticPause.rule(activity)
    var pause = AutomaticPause(activity: activity, at: later(0))
    var paused: Double?
    for second in stride(from: 0, through: 4000.0, by: 10) {
      // Moving for 1000 s, and noise of a fifth of the radius afterwards.
      let east =
        second < 1000
        ? second * 15 : 15_000 + (second / 10).truncatingRemainder(dividingBy: 2) * rule.metres / 5
      if pause.process(fix(east, second)) == .pause, paused == nil { paused = second }
    }
    let expected = 1000 + rule.seconds
    #expect(abs((paused ?? 0) - expected) <= 30)
    #expect(pause.isPaused)
    // A single fix elsewhere may be an outlier.
    #expect(pause.process(fix(15_000 + 3 * rule.metres, 4010)) == nil)
    #expect(pause.process(fix(15_000 + 3 * rule.metres, 4020)) == .resume)
  }

  @Test("fixes of a coarse area keep updates running, and end a pause without fixes")
  func coarse() {
    var pause = AutomaticPause(activity: .other, at: later(0))
    for second in stride(from: 0, through: 4000.0, by: 900) {
      #expect(pause.receiveFix(at: later(second)) == nil)
      #expect(pause.advance(to: later(second + 899)) == nil)
    }
    #expect(pause.advance(to: later(3600 + AutomaticPause.noFixSeconds)) == .pause)
    #expect(pause.receiveFix(at: later(5000)) == .resume && !pause.isPaused)
  }

  @Test("a jam does not pause a car's updates, however long, and parking does")
  func jam() {
    var pause = AutomaticPause(activity: .automotiveNavigation, at: later(0))
    func stay(_ motion: MotionState, from: Double, to: Double) -> Double? {
      for second in stride(from: from, to: to, by: 10) {
        var fix = fix(3, second)
        fix.motion = motion
        if pause.process(fix) == .pause { return second }
      }
      return nil
    }
    #expect(stay(.driving, from: 0, to: 3000) == nil)
    let paused = stay(.stationary, from: 3000, to: 5000)
    #expect(abs((paused ?? 0) - 3890) <= 10, "\(paused ?? -1)")
  }

  @Test("updates pause after a long time without a fix, and the first fix resumes")
  func noFix() {
    var pause = AutomaticPause(activity: .fitness, at: later(0))
    _ = pause.process(fix(0, 10))
    #expect(pause.deadline == later(1210))
    #expect(pause.advance(to: later(1209)) == nil)
    #expect(pause.advance(to: later(1210)) == .pause && pause.isPaused)
    #expect(pause.advance(to: later(9999)) == nil)
    #expect(pause.process(fix(3, 10_000)) == .resume && !pause.isPaused)
  }

  @Test("a start by the application restarts the wait")
  func restarted() {
    var pause = AutomaticPause(activity: .fitness, at: later(0))
    for second in stride(from: 0, through: 610.0, by: 10) { _ = pause.process(fix(0, second)) }
    #expect(pause.isPaused)
    pause.restart(at: later(700))
    #expect(!pause.isPaused)
    for second in stride(from: 700, through: 1290.0, by: 10) {
      #expect(pause.process(fix(0, second)) == nil)
    }
  }

  // MARK: Reduced accuracy

  @Test("a thousand fixes of one place are reported as one cell of 1 to 20 km that contains it")
  func oneCell() {
    var grid = ReducedAccuracyGrid()
    var cells: [GeodeticPosition] = []
    for number in 0..<1000 {
      let true_ = fix(Double(number % 40), Double(number) * 60)
      let reported = grid.reduce(true_)
      if !cells.contains(reported.position) { cells.append(reported.position) }
      #expect((1000...20_000).contains(reported.horizontalAccuracyMetres))
      #expect(reported.speedMetresPerSecond == nil && reported.altitudeMetres == nil)
    }
    #expect(cells.count == 1)
    var other = ReducedAccuracyGrid()
    #expect(other.reduce(fix(30, 0)).position == cells.first)
  }

  @Test("the cell changes at most four times an hour, and contains the place anywhere on earth")
  func cells() {
    for latitude in [-90.0, -89.99, -60, 0, 33.3, 89.97, 90] {
      for longitude in [-180.0, -179.99, -1, 0, 100, 179.99, 180] {
        var grid = ReducedAccuracyGrid()
        let place = GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude)
        let reported = grid.reduce(
          PlaceFix(position: place, horizontalAccuracyMetres: 5, time: later(0)))
        let away = Distance.metres(place, reported.position)
        #expect(away <= reported.horizontalAccuracyMetres, "\(latitude) \(longitude) \(away)")
      }
    }
    var grid = ReducedAccuracyGrid()
    var changes = 0
    var last: GeodeticPosition?
    for second in stride(from: 0, to: 3600.0, by: 10) {
      let reported = grid.reduce(fix(second * 30, second)).position
      if reported != last { changes += 1 }
      last = reported
    }
    #expect(changes == 4)
  }

  @Test("a walk along the edge of a cell is not revealed")
  func edge() throws {
    // Find an edge going east.
    var grid = ReducedAccuracyGrid()
    let first = grid.reduce(fix(0, 0)).position
    var edge = 0.0
    while true {
      edge += 10
      var other = ReducedAccuracyGrid()
      if other.reduce(fix(edge, 0)).position != first { break }
    }
    var reported: Set<Double> = []
    for number in 0..<200 {
      let east = edge + (number % 2 == 0 ? -200.0 : 200)
      reported.insert(grid.reduce(fix(east, Double(number) * 1000)).position.longitude.degrees)
    }
    #expect(reported.count == 1)
  }
}
