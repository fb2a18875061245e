import CalibrationFit
import Foundation
import Quantities
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(30))) struct LoadInterferenceFitTests {
  /// Short, so that many seeds are quick.
  static func short(gain: SIMD3<Double>) -> LoadSimulation {
    var simulation = LoadSimulation()
    (simulation.gain, simulation.seconds, simulation.hertz) = (gain, 40, 10)
    return simulation
  }

  static func fit(
    _ simulation: LoadSimulation, seed: Int, largestLag: Double = 0.5
  ) throws(LoadInterferenceError) -> LoadInterference {
    var parameters = LoadInterferenceFit.Parameters()
    parameters.largestLag = largestLag
    let (field, load) = simulation.run(seed: seed)
    return try LoadInterferenceFit(parameters: parameters)(field: field, load: load)
  }

  @Test("the gain lies within two sigma of the truth in 95 of 100 fits")
  func coverage() throws {
    var (hits, count) = (0, 0)
    let simulation = Self.short(gain: SIMD3(3, -2, 1))
    for seed in 0..<200 {
      let found = try Self.fit(simulation, seed: seed, largestLag: 0)
      for axis in 0..<3 {
        count += 1
        let (gain, sigma) = (found.gain[axis], found.gainSigma[axis])
        if within(2, gain, simulation.gain[axis], sigma) { hits += 1 }
      }
    }
    #expect(hits * 100 >= count * 95)
  }

  @Test("a field independent of the load is rejected in every run with an upper limit")
  func nothing() {
    var simulation = Self.short(gain: .zero)
    for wander in [0.0, 2] {
      simulation.wander = (wander, 2)
      for seed in 0..<30 {
        do throws(LoadInterferenceError) {
          _ = try Self.fit(simulation, seed: seed, largestLag: 0)
          Issue.record("seed \(seed): noise was taken for interference")
        } catch {
          guard case .fieldDoesNotFollow(let most) = error else {
            Issue.record("\(error)")
            return
          }
          #expect(most < (wander == 0 ? 1 : 8))
        }
      }
    }
  }

  @Test("the lag is found within two sigma, and the compensated field is constant")
  func lag() throws {
    var simulation = LoadSimulation()
    (simulation.seconds, simulation.hertz, simulation.lag) = (40, 25, 0.2)
    let found = try Self.fit(simulation, seed: 1)
    let sigma = try #require(found.lagSigmaSeconds)
    #expect(within(2, found.lagSeconds, 0.2, sigma))
    #expect(sigma < 0.06)
    let full = SIMD3(20, 5, -43) + simulation.gain
    #expect((found.compensate(field: full, load: 1) - SIMD3(20, 5, -43)).length < 0.3)
    #expect(found.compensate(field: full, load: .nan) == full)
    #expect(found.explainedShare > 0.8)
  }

  @Test("the result has the heading error at full load and after compensation")
  func heading() throws {
    let found = try Self.fit(LoadSimulation(), seed: 2, largestLag: 0)
    // Of (6, -4, 2) the level part of a board that lies flat is 7.21.
    let worst = found.headingError(horizontal: 20, down: SIMD3(0, 0, 1))
    #expect(abs(worst.degrees - 21.1) < 1)
    #expect(found.headingError(horizontal: 20).degrees > worst.degrees)
    #expect(found.headingError(horizontal: 5).degrees == 180)
    #expect(found.headingErrorLeft(horizontal: 20).degrees < 0.5)
  }

  @Test("proportional, bent and unknown interference are distinguished")
  func proportion() throws {
    var simulation = LoadSimulation()
    simulation.hertz = 20
    #expect(try Self.fit(simulation, seed: 3, largestLag: 0).proportion == .unknown)
    simulation.load = { 0.5 + 0.5 * sin($0) }
    #expect(try Self.fit(simulation, seed: 3, largestLag: 0).proportion == .proportional)
    simulation.curvature = SIMD3(-6, 0, 0)
    let bent = try Self.fit(simulation, seed: 3, largestLag: 0)
    #expect(bent.proportion == .bent)
    #expect(bent.deviationShare > 0.1)
    for load in [0.0, 0.3, 0.7, 1.0] {
      let truth: SIMD3<Double> = simulation.gain * load + simulation.curvature * (load * load)
      #expect((bent.field(load: load) - truth).length < 0.4)
    }
    // Beyond the observed loads the curve continues along its tangent, not as a parabola.
    let (one, two, three) = (bent.field(load: 1), bent.field(load: 2), bent.field(load: 3))
    #expect(((three - two) - (two - one)).length < 0.2)
  }

  @Test("a passing magnet hardly changes the gain; a lasting one is rejected")
  func outliers() throws {
    let simulation = LoadSimulation()
    var (field, load) = simulation.run(seed: 4)
    for i in 300..<500 { field[i].field.components += SIMD3(30, 10, -20) }
    let found = try LoadInterferenceFit()(field: field, load: load)
    #expect((found.gain - simulation.gain).length < 0.3)
    for i in 500..<1100 { field[i].field.components += SIMD3(30, 10, -20) }
    #expect(throws: LoadInterferenceError.self) {
      _ = try LoadInterferenceFit()(field: field, load: load)
    }
    load.removeAll()
    #expect(throws: LoadInterferenceError.self) {
      _ = try LoadInterferenceFit()(field: field, load: load)
    }
  }

  @Test("a load that hardly varies is rejected with what to do")
  func steady() {
    var simulation = LoadSimulation()
    simulation.load = { 0.8 + 0.1 * sin($0) }
    do throws(LoadInterferenceError) {
      _ = try Self.fit(simulation, seed: 5)
      Issue.record("a steady load was taken")
    } catch {
      #expect(
        error.description
          == "the load varied by 22 % of full, at least 30 % are needed: switch it between nothing and "
          + "full a few times")
    }
  }

  @Test("invalid numbers, time that goes back and too few samples are rejected")
  func unusable() {
    var (field, load) = LoadSimulation().run(seed: 6)
    load.swapAt(3, 4)
    #expect(throws: LoadInterferenceError.unusable) {
      _ = try LoadInterferenceFit()(field: field, load: load)
    }
    load.swapAt(3, 4)
    #expect(throws: LoadInterferenceError.tooFewSamples(found: 10, needed: 50)) {
      _ = try LoadInterferenceFit()(field: Array(field[..<10]), load: load)
    }
    #expect(throws: LoadInterferenceError.self) {
      _ = try LoadInterferenceFit()(field: Array(field[..<1000]), load: load)
    }
    field[7].field.components.x = .infinity
    #expect(throws: LoadInterferenceError.unusable) {
      _ = try LoadInterferenceFit()(field: field, load: load)
    }
  }

  @Test("compensation is relative to the load during the calibration")
  func reference() throws {
    var found = try Self.fit(LoadSimulation(), seed: 7, largestLag: 0)
    found.referenceLoad = 0.4
    let field = SIMD3(20.0, 5, -43)
    #expect(found.compensate(field: field, load: 0.4) == field)
    #expect((found.field(load: 1) - found.gain * 0.6).length < 1e-9)
  }
}
