import Fusion
import Quantities
import Testing

@Suite("The heading that is shown", .timeLimit(.minutes(30)))
struct HeadingSmootherTests {
  private func at(_ seconds: Double) -> Timestamp {
    Timestamp(nanoseconds: UInt64(nanosecondsIn: seconds))
  }

  @Test("in a steady turn across north it does not lag")
  func steadyTurn() {
    var smoother = HeadingSmoother(timeConstant: 1)
    for i in 0..<500 {
      let t = Double(i) * 0.02
      let heading = Angle(degrees: 300 + 30 * t).wrappedToTurn
      let shown = smoother.smooth(
        heading, rateOfTurn: AngularSpeed(radiansPerSecond: .pi / 6), at: at(t))
      #expect(abs((shown - heading).wrappedToHalfTurn.degrees) < 1e-6)
    }
  }

  @Test("noise decreases by the root of the number of samples in the time constant")
  func noise() {
    var smoother = HeadingSmoother(timeConstant: 1)
    var noise = Noise(seed: 4)
    var (raw, shown) = (0.0, 0.0)
    for i in 0..<5000 {
      let error = 2 * noise.next()
      let next = smoother.smooth(
        Angle(degrees: error), rateOfTurn: AngularSpeed(radiansPerSecond: 0),
        at: at(Double(i) * 0.02))
      guard i > 500 else { continue }
      raw += error * error
      shown += next.wrappedToHalfTurn.degrees * next.wrappedToHalfTurn.degrees
    }
    #expect(shown < raw / 50)
  }

  @Test("a large correction is shown at once, an invalid heading is not shown")
  func jump() {
    var smoother = HeadingSmoother()
    _ = smoother.smooth(Angle(degrees: 10), rateOfTurn: nil, at: at(0))
    #expect(
      abs(smoother.smooth(Angle(degrees: 200), rateOfTurn: nil, at: at(0.1)).degrees - 200) < 1e-9)
    let kept = smoother.smooth(Angle(radians: .nan), rateOfTurn: nil, at: at(0.2))
    #expect(abs(kept.degrees - 200) < 1e-9)
  }
}

@Suite("Heave", .timeLimit(.minutes(30)))
struct HeaveFilterTests {
  @Test("heave has the swell's height without the accelerometer's offset", arguments: [5.0, 8, 12])
  func swell(period: Double) {
    var filter = HeaveFilter()
    let dt = 0.02
    let w = 2 * Double.pi / period
    // Two states turned by w dt make the sine without a mathematics library.
    let step = Rotation<BodyFrame, BodyFrame>(rotationVector: SIMD3(0, 0, w * dt))
    var phase = SIMD3<Double>(1, 0, 0)
    var (highest, lowest, late) = (0.0, 0.0, 0.0)
    for i in 0..<40_000 {
      phase = step.rotate(phase)
      // Height 1.5 sin(wt): its acceleration downward is 1.5 w² sin(wt); 0.05 is the offset.
      filter.update(
        downwardAcceleration: 1.5 * w * w * phase.y + 0.05,
        at: Timestamp(nanoseconds: UInt64(i) * 20_000_000))
      guard i > 35_000 else { continue }
      // Neither turned forward nor backward in time.
      late = max(late, abs(filter.metres - 1.5 * phase.y))
      highest = max(highest, filter.metres)
      lowest = min(lowest, filter.metres)
    }
    #expect(filter.isSettled)
    #expect(abs(highest - 1.5) < 0.05 && abs(lowest + 1.5) < 0.05)
    #expect(late < 0.05, "\(late)")
  }

  @Test("a gap resets the filter")
  func gap() {
    var filter = HeaveFilter()
    for i in 0..<20_000 {
      filter.update(downwardAcceleration: 1, at: Timestamp(nanoseconds: UInt64(i) * 20_000_000))
    }
    #expect(filter.isSettled && filter.metres != 0)
    filter.update(downwardAcceleration: 1, at: Timestamp(nanoseconds: 500_000_000_000))
    #expect(!filter.isSettled && filter.metres == 0)
  }
}
