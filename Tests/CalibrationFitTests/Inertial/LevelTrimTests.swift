import CalibrationFit
import Foundation
import Quantities
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(30))) struct LevelTrimTests {
  /// The specific force of a board with this trim on a surface tilted by `slope`, turned by `turn`
  /// on it.
  static func force(
    trim: Rotation<BodyFrame, BodyFrame>, slope: Double, turn: Double
  ) -> SIMD3<Double> {
    // Up along the surface's axes, then along the body's that was turned, then along the board's.
    let up = SIMD3(sin(slope), 0, -cos(slope))
    let turned = Rotation<BodyFrame, BodyFrame>(rotationVector: SIMD3(0, 0, -turn)).rotate(up)
    return trim.rotate(turned * 9.81)
  }

  static let trim = Rotation<BodyFrame, BodyFrame>(rotationVector: SIMD3(0.03, -0.05, 0))

  @Test("one rest on a level surface gives roll and pitch, and the rotation levels them")
  func level() throws {
    let force = SIMD3<Double>(sin(0.05), -sin(0.03) * cos(0.05), -cos(0.03) * cos(0.05)) * 9.7
    let found = try LevelTrim.onLevelSurface(force: force)
    #expect(abs(found.roll.radians - 0.03) < 1e-12)
    #expect(abs(found.pitch.radians - 0.05) < 1e-12)
    #expect(found.surfaceSlope == nil)
    #expect((found.rotation.rotate(force) - SIMD3(0, 0, -9.7)).length < 1e-9)
  }

  @Test("two rests half a turn apart separate trim from the table's slope exactly")
  func turnedAround() throws {
    for slope in [0.0, 0.02, 0.2] {
      for start in [0.0, 1.0, 4.0] {
        let found = try LevelTrim.turnedAround(
          first: Self.force(trim: Self.trim, slope: slope, turn: start),
          second: Self.force(trim: Self.trim, slope: slope, turn: start + .pi),
          turned: Angle(degrees: 180))
        let level = try LevelTrim.onLevelSurface(
          force: Self.force(trim: Self.trim, slope: 0, turn: 0))
        #expect(abs(found.roll.radians - level.roll.radians) < 1e-9)
        #expect(abs(found.pitch.radians - level.pitch.radians) < 1e-9)
        #expect(abs((found.surfaceSlope?.radians ?? -1) - slope) < 1e-7)
      }
    }
  }

  @Test("the trim lies within two sigma of the truth in 95 of 100 turn-arounds")
  func coverage() throws {
    var (hits, count) = (0, 0)
    for seed in 0..<200 {
      var simulation = InertialSimulation(seed: seed)
      let (roll, pitch) = (simulation.normal() * 0.05, simulation.normal() * 0.05)
      let trim = Rotation<BodyFrame, BodyFrame>(rotationVector: SIMD3(roll, pitch, 0))
      let turn = 180 + simulation.normal() * 8
      let noise = 0.06 * degree * 9.81
      let slope = simulation.uniform(0...0.05)
      let found = try LevelTrim.turnedAround(
        first: Self.force(trim: trim, slope: slope, turn: 0) + simulation.normal3(noise),
        second: Self.force(trim: trim, slope: slope, turn: turn * degree)
          + simulation.normal3(noise))
      let truth = try LevelTrim.onLevelSurface(force: Self.force(trim: trim, slope: 0, turn: 0))
      count += 2
      let sigma = found.sigma.radians
      if within(2, found.roll.radians, truth.roll.radians, sigma) { hits += 1 }
      if within(2, found.pitch.radians, truth.pitch.radians, sigma) { hits += 1 }
    }
    #expect(hits * 100 >= count * 95)
  }

  @Test("a board on its side, a quarter turn and a steep table are rejected")
  func refusals() {
    #expect(throws: InertialFitError.self) {
      _ = try LevelTrim.onLevelSurface(force: SIMD3(9.81, 0, 0))
    }
    #expect(throws: InertialFitError.unusable) { _ = try LevelTrim.onLevelSurface(force: .zero) }
    let (a, b) = (
      Self.force(trim: Self.trim, slope: 0.1, turn: 0),
      Self.force(trim: Self.trim, slope: 0.1, turn: .pi)
    )
    #expect(throws: InertialFitError.self) {
      _ = try LevelTrim.turnedAround(first: a, second: b, turned: Angle(degrees: 90))
    }
    #expect(throws: InertialFitError.self) {
      _ = try LevelTrim.turnedAround(first: SIMD3(9.81, 0, 0), second: SIMD3(-9.81, 0, 0))
    }
    #expect(throws: Never.self) {
      _ = try LevelTrim.turnedAround(first: a, second: b, turned: Angle(degrees: -172))
    }
  }
}
