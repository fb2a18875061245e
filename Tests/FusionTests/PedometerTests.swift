import Foundation
import Fusion
import Quantities
import Testing

@Suite("The pedometer", .timeLimit(.minutes(30)))
struct PedometerTests {
  private func at(_ seconds: Double) -> Timestamp {
    Timestamp(nanoseconds: UInt64(nanosecondsIn: 10 + seconds))
  }

  /// Walks, or stands, with an altitude and a speed by time.
  private func run(
    _ pedometer: inout Pedometer, from start: Double, seconds: Double, isWalking: Bool = true,
    speed: Double? = nil, altitude: ((Double) -> Double)? = nil
  ) -> Pedometer.Reading? {
    var reading: Pedometer.Reading?
    for i in 0..<Int(bounded: seconds * 50) {
      let t = start + Double(i) / 50
      if i % 25 == 0 {
        if let speed { pedometer.update(speedMetresPerSecond: speed, at: at(t)) }
        if let altitude { pedometer.update(pressureAltitudeMetres: altitude(t), at: at(t)) }
      }
      let bounce = isWalking ? 1.8 * sin(2 * .pi * 1.8 * t) : 0
      reading = pedometer.update(SIMD3(0, 0, 9.81 + bounce), at: at(t)) ?? reading
    }
    return reading
  }

  @Test("with a speed over ground the distance is its, and without one later that of learnt steps")
  func distance() throws {
    var pedometer = Pedometer()
    // 1.8 steps a second of 0.378 times 1.8 m.
    let first = try #require(run(&pedometer, from: 0, seconds: 100))
    let usual = 0.378 * 1.8 * 1.8
    #expect(abs(first.totals.metres - usual * 97) < 0.04 * usual * 97, "\(first)")
    #expect(abs((first.metresPerSecond ?? 0) - usual) < 0.05)
    let second = try #require(run(&pedometer, from: 100, seconds: 600, speed: 1.6))
    #expect(abs(second.totals.metres - first.totals.metres - 1.6 * 600) < 20, "\(second)")
    let third = try #require(run(&pedometer, from: 700, seconds: 100))
    #expect(abs(third.totals.metres - second.totals.metres - 160) < 8, "\(third)")
  }

  @Test("a speed that is old, or no walker's, is not used")
  func strangeSpeeds() throws {
    var pedometer = Pedometer()
    let reading = try #require(run(&pedometer, from: 0, seconds: 60, speed: 30))
    #expect(reading.totals.metres < 90)
    pedometer.update(speedMetresPerSecond: .nan, at: at(60))
    pedometer.update(speedMetresPerSecond: -1, at: at(60))
    #expect(run(&pedometer, from: 60, seconds: 10)?.totals.metres.isFinite == true)
  }

  @Test("stairs on foot are floors; a lift and the weather are none")
  func floors() throws {
    var pedometer = Pedometer()
    // Four flights of 3.2 m in 15 s each, with a landing between.
    let climb = { (t: Double) in
      let flight = (t / 20).rounded(.down)
      return 3.2 * (flight + min(1, (t - 20 * flight) / 15))
    }
    let up = try #require(run(&pedometer, from: 0, seconds: 85, altitude: { climb(min($0, 80)) }))
    #expect(up.totals.floorsAscended == 4 && up.totals.floorsDescended == 0, "\(up)")
    let lift = try #require(
      run(&pedometer, from: 85, seconds: 40, isWalking: false) { 12.8 + ($0 - 85) })
    #expect(lift.totals.floorsAscended == 4, "\(lift)")
    // Pressure that falls by 2 hPa in an hour: 17 m.
    let top = 12.8 + 40
    let weather = try #require(
      run(&pedometer, from: 125, seconds: 1800) { top + ($0 - 125) * 17 / 3600 })
    #expect(weather.totals.floorsAscended == 4, "\(weather)")
    let height = top + 8.5
    _ = run(&pedometer, from: 1925, seconds: 20, isWalking: false) { _ in height }
    let down = try #require(
      run(&pedometer, from: 1945, seconds: 50) { height - min(9.6, ($0 - 1945) * 0.25) })
    #expect(down.totals.floorsDescended == 3 && down.totals.floorsAscended == 4, "\(down)")
  }
}
