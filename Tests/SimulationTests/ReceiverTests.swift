import Quantities
import RealModule
import Simulation
import Testing

@Suite(.timeLimit(.minutes(30))) struct ReceiverTests {
  private var receiverOnly: Scenario {
    var scenario = Scenario.sailingBoat
    scenario.inertialUnit = nil
    scenario.magnetometer = nil
    scenario.barometer = nil
    return scenario
  }

  /// North and east metres from one place to a near one, on a sphere: good to a percent.
  private func metres(
    from a: GeodeticPosition, to b: GeodeticPosition
  ) -> (north: Double, east: Double) {
    let east = (b.longitude - a.longitude).radians * .cos(a.latitude.radians)
    return ((b.latitude - a.latitude).radians * 6.37e6, east * 6.39e6)
  }

  @Test("Every position is labelled as simulated")
  func label() throws {
    let fixes = try Worlds.samples(receiverOnly, seconds: 100).fixes
    #expect(fixes.count == 100)
    #expect(fixes.allSatisfy { $0.kind == .simulated || $0.position == nil })
  }

  @Test("The position wanders as configured, and its accuracy holds 68 % of the errors")
  func errors() throws {
    var scenario = receiverOnly
    scenario.receiver?.driftSeconds = 20
    scenario.receiver?.latencySeconds = 0
    let world = try Worlds.make(scenario)
    var north: [Double] = []
    var east: [Double] = []
    var up: [Double] = []
    var within = 0
    for fix in try Worlds.samples(scenario, seconds: 60_000).fixes where fix.kind != .none {
      let truth = world.truth(at: fix.timestamp)
      let (n, e) = metres(from: truth.position, to: try #require(fix.position))
      north.append(n)
      east.append(e)
      up.append(try #require(fix.altitudeMetres) - truth.altitudeMetres)
      within += (n * n + e * e).squareRoot() < (try #require(fix.horizontalAccuracyMetres)) ? 1 : 0
    }
    // sqrt(2.1² + 0.2²), times the root of the mean square of 1 + sin/4: 1.0155.
    #expect(abs(statistics(north).deviation / 2.142 - 1) < 0.06)
    #expect(abs(statistics(east).deviation / 2.142 - 1) < 0.06)
    #expect(abs(statistics(up).deviation / 3.459 - 1) < 0.06)
    #expect(abs(Double(within) / Double(north.count) - 0.68) < 0.02)
  }

  @Test("An epoch falls on a whole second of civil time and arrives late")
  func epochs() throws {
    var scenario = receiverOnly
    scenario.durationSeconds = 20
    let start = try Worlds.start().advanced(bySeconds: 0.3)
    let world = try SimulatedWorld(scenario: scenario, seed: 1, startUTC: start)
    let fixes = Array(world).fixes
    for (i, fix) in fixes.enumerated() {
      let utc = try #require(fix.utc)
      #expect(utc.nanosecondsOfDay % 1_000_000_000 == 0)
      #expect(abs(fix.timestamp.seconds - (Double(i) + 0.7 + 0.12)) < 1e-9)
      #expect(abs(fix.timestamp.seconds - utc.seconds(since: start) - 0.12) < 1e-9)
    }
    #expect(fixes.count == 20)
  }

  @Test("An ideal receiver reports the epoch's true state")
  func truth() throws {
    var scenario = receiverOnly.withoutSensorErrors
    scenario.receiver?.latencySeconds = 0.2
    let world = try Worlds.make(scenario)
    for fix in try Worlds.samples(scenario, seconds: 120).fixes {
      let epoch = try #require(fix.utc).seconds(since: Worlds.start())
      let truth = world.truth(at: try Worlds.instant(epoch))
      #expect(fix.position == truth.position)
      #expect(fix.altitudeMetres == truth.altitudeMetres)
      #expect(try abs(#require(fix.speedMetresPerSecond) - truth.speedMetresPerSecond) < 1e-12)
      let error = try #require(fix.course) - #require(truth.course)
      #expect(abs(error.wrappedToHalfTurn.radians) < 1e-12)
    }
  }

  @Test("Before the first fix and in an outage there is no position; later fixes are unchanged")
  func outage() throws {
    let clear = try Worlds.samples(receiverOnly, seconds: 90).fixes
    var scenario = receiverOnly
    scenario.receiver?.timeToFirstFixSeconds = 26
    scenario.receiver?.outages = [TimeSpan(fromSeconds: 50, toSeconds: 60)]
    let fixes = try Worlds.samples(scenario, seconds: 90).fixes
    #expect(fixes.count == clear.count)
    for (i, fix) in fixes.enumerated() {
      if i < 26 || (50..<60).contains(i) {
        #expect(fix.kind == .none && fix.position == nil && fix.speedMetresPerSecond == nil)
      } else {
        #expect(fix == clear[i])
      }
    }
  }

  @Test("At rest the speed is noise, and no course is reported")
  func rest() throws {
    let fixes = try Worlds.samples(.tableTop, seconds: 60).fixes.filter { $0.kind != .none }
    #expect(fixes.count == 59)
    #expect(fixes.allSatisfy { $0.course == nil })
    #expect(fixes.allSatisfy { ($0.speedMetresPerSecond ?? 1) < 0.3 })
  }
}
