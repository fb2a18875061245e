import CalibrationFit
import Foundation
import Quantities
import Testing

@Suite(.timeLimit(.minutes(30))) struct DeviationTableTests {
  private func learnt(_ change: (inout SimulatedVehicle) -> Void) -> (
    SimulatedVehicle, DeviationLearner
  ) {
    var car = SimulatedVehicle(seed: 21)
    change(&car)
    var learner = DeviationLearner()
    for k in 0..<48 { _ = car.drive(&learner, seconds: 40, from: Double(k) * 15, arc: 1) }
    return (car, learner)
  }

  @Test("compass heading plus the table's deviation is the magnetic heading")
  func sign() throws {
    let (car, learner) = learnt { _ in }
    let table = try #require(learner.table)
    for degrees in stride(from: 0.0, to: 360, by: 10) {
      let compass = DeviationModel.compassHeading(ofField: car.field(onHeading: degrees))
      let magnetic = compass + table.deviation(forCompassHeading: compass)
      #expect(abs((magnetic - Angle(degrees: degrees)).wrappedToHalfTurn.degrees) < 1)
    }
  }

  @Test("rows are every 15 degrees, with the remaining error and its sigma")
  func rows() throws {
    let (_, learner) = learnt { _ in }
    let rows = try #require(learner.table).rows
    #expect(rows.count == 24)
    for (k, row) in rows.enumerated() {
      #expect(abs(row.compassHeading.degrees - Double(k) * 15) < 1e-9)
      #expect(abs(try #require(row.after).degrees) < 1.5)
      #expect(abs(try #require(row.sigma).degrees) < 6)
    }
    #expect(rows.contains { abs($0.before.degrees) > 12 })
  }

  @Test("an error that iron does not explain is the deviation after correction, with its sign")
  func after() throws {
    var car = SimulatedVehicle(seed: 22)
    var learner = DeviationLearner()
    for k in 0..<4800 {
      let heading = Double(k / 40) * 15
      var epoch = car.epoch(heading)
      // The course over ground is to the right of the bow by this angle.
      let right = 4 * sin(3 * heading * .pi / 180)
      epoch.course = epoch.course + Angle(degrees: right)
      _ = learner.learn(epoch)
    }
    var (together, alone) = (0.0, 0.0)
    for row in try #require(learner.table).rows {
      let expected = 4 * sin(3 * (row.compassHeading + row.before).radians)
      together += expected * (try #require(row.after)).degrees
      alone += expected * expected
    }
    // The offset follows a part of it from leg to leg.
    #expect(together / alone > 0.6 && together / alone < 1.2)
  }

  @Test("small iron gives its original coefficients")
  func coefficients() throws {
    let (_, learner) = learnt { ($0.a, $0.b, $0.c, $0.d, $0.e) = (1, 4, -3, 1, 0.5) }
    let c = try #require(learner.table).coefficients
    // Terms of second order, 4 x 3 degrees, make up to 0.2 degrees.
    for (found, made) in zip([c.a, c.b, c.c, c.d, c.e], [1, 4, -3, 1, 0.5]) {
      #expect(abs(found.degrees - made) < 0.4)
    }
  }

  @Test("the deviation is interpolated linearly between two rows, also across north")
  func interpolation() throws {
    let (_, learner) = learnt { _ in }
    let table = try #require(learner.table)
    let half = table.deviation(forCompassHeading: Angle(degrees: -7.5))
    let mean = (table.rows[23].before.degrees + table.rows[0].before.degrees) / 2
    #expect(abs(half.degrees - mean) < 1e-9)
    let row = table.deviation(forCompassHeading: Angle(degrees: 360 + 45))
    #expect(abs(row.degrees - table.rows[3].before.degrees) < 1e-9)
  }

  @Test("a board that points astern has a table too")
  func reversed() throws {
    let (_, learner) = learnt { $0.boardYaw = 180 }
    let table = try #require(learner.table)
    #expect(abs(abs(table.coefficients.a.degrees) - 180) < 4)
    let small = table.deviation(forCompassHeading: Angle(degrees: 17))
    #expect(abs(small.degrees) > 150)
  }
}
