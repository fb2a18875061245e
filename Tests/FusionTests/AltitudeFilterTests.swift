import Fusion
import Quantities
import RealModule
import Testing

@Suite("The altitude filter", .timeLimit(.minutes(30)))
struct AltitudeFilterTests {
  private func at(_ seconds: Double) -> Timestamp {
    Timestamp(nanoseconds: UInt64(nanosecondsIn: seconds))
  }

  @Test("without a reference vertical speed is known but altitude is not")
  func noReference() throws {
    var f = AltitudeFilter()
    for i in 0...500 {
      let t = Double(i) / 25
      f.update(pressureAltitudeMetres: 250 + 2 * t, at: at(t))
    }
    #expect(f.altitudeMetres == nil)
    #expect(try abs(#require(f.verticalSpeedMetresPerSecond) - 2) < 0.1)
  }

  @Test(
    "without fixes and pressure the altitude is held within what is stated, as it was before",
    arguments: [0.0, 0.05, -0.05])
  func outage(error: Double) throws {
    var f = AltitudeFilter()
    var noise = Noise(seed: 2)
    func rise(_ t: Double) -> Double { 30 * Double.sin(0.05 * t) }
    for i in 0..<(50 * 240) {
      let t = Double(i) / 50
      // The climb's acceleration with a constant error, as a tilt gives.
      f.update(
        upwardAcceleration: -30 * 0.0025 * Double.sin(0.05 * t) + error + 0.05 * noise.next(),
        of: 0.3, at: at(t))
      if i % 50 == 0, t < 180 {
        f.update(fixAltitudeMetres: 100 + rise(t) + noise.next(), sigmaMetres: 2, at: at(t))
      }
      guard t > 185, i % 50 == 0 else { continue }
      let carried = f.carried(to: at(t))
      let (metres, sigma) = try (
        #require(carried.altitudeMetres), #require(carried.accuracyMetres)
      )
      #expect(abs(metres - 100 - rise(t)) < max(2.5 * sigma, 5), "\(t): \(metres) ± \(sigma)")
      // Without the bound it was 100 m.
      #expect(sigma < 40, "\(sigma)")
    }
    #expect(f.newest == at(179))
  }

  @Test("a receiver's altitude sets the offset, and the barometer continues without fixes")
  func carriesOn() throws {
    var f = AltitudeFilter()
    var noise = Noise(seed: 1)
    for i in 0..<(25 * 600) {
      let t = Double(i) / 25
      let truth = t < 300 ? 100 : 100 + 0.1 * (t - 300)
      f.update(pressureAltitudeMetres: truth - 37 + 0.2 * noise.next(), at: at(t))
      if i % 25 == 0, t < 300 {
        f.update(fixAltitudeMetres: truth + 4 * noise.next(), sigmaMetres: 4, at: at(t))
      }
    }
    let end = 100 + 0.1 * 300.0
    let error = abs(try #require(f.altitudeMetres) - end)
    #expect(error < 3)
    #expect(try error < 3 * (#require(f.accuracyMetres)))
  }

  @Test("the stated accuracy covers the error at its confidence")
  func coverage() throws {
    var inside = 0
    var total = 0
    for seed in 0..<40 {
      var f = AltitudeFilter()
      var noise = Noise(seed: UInt64(seed))
      // Receiver errors that last: a first-order process of 30 s.
      var slow = 4 * noise.next()
      for i in 0..<(5 * 200) {
        let t = Double(i) / 5
        f.update(pressureAltitudeMetres: 300 + 0.3 * noise.next(), at: at(t))
        if i % 5 == 0 {
          let keep = 0.967  // exp(-1/30)
          slow = keep * slow + 4 * (1 - keep * keep).squareRoot() * noise.next()
          f.update(fixAltitudeMetres: 320 + slow, sigmaMetres: 4, at: at(t))
        }
        if i % 100 == 99 {
          total += 1
          if abs(try #require(f.altitudeMetres) - 320) < (try #require(f.accuracyMetres)) {
            inside += 1
          }
        }
      }
    }
    let share = Double(inside) / Double(total)
    #expect(share > 0.58 && share < 0.8, "\(share)")
  }

  @Test("a QNH refers pressure altitude to the sea")
  func qnh() throws {
    var f = AltitudeFilter()
    f.update(pressureAltitudeMetres: 500, at: at(0))
    f.reference(altitudeByQNHMetres: 430, at: at(0))
    f.update(pressureAltitudeMetres: 510, at: at(60))
    #expect(try abs(#require(f.altitudeMetres) - 440) < 1)
    // 8 m of the QNH itself and 4 % of 440 m.
    #expect(try abs(#require(f.accuracyMetres) - 19.3) < 1)
    // One whose error is known.
    var g = AltitudeFilter()
    g.update(pressureAltitudeMetres: 50, at: at(0))
    g.reference(altitudeByQNHMetres: 20, sigmaMetres: 3, at: at(0))
    #expect(try abs(#require(g.accuracyMetres) - 3.1) < 0.2)
  }

  @Test("a receiver alone is followed, and a barometer that comes later joins without a jump")
  func receiverFirst() throws {
    var f = AltitudeFilter()
    for i in 0..<30 { f.update(fixAltitudeMetres: 80, sigmaMetres: 3, at: at(Double(i))) }
    #expect(try abs(#require(f.altitudeMetres) - 80) < 0.5)
    f.update(pressureAltitudeMetres: -55, at: at(30))
    #expect(try abs(#require(f.altitudeMetres) - 80) < 1)
    for i in 1..<100 { f.update(pressureAltitudeMetres: -55, at: at(30 + Double(i) / 25)) }
    #expect(try abs(#require(f.altitudeMetres) - 80) < 1)
  }

  @Test("an accuracy of 0 of a receiver's altitude is not known")
  func unknownAccuracy() throws {
    var (zero, none) = (AltitudeFilter(), AltitudeFilter())
    for i in 0..<30 {
      zero.update(fixAltitudeMetres: 80, sigmaMetres: 0, at: at(Double(i)))
      none.update(fixAltitudeMetres: 80, sigmaMetres: nil, at: at(Double(i)))
    }
    let accuracy = try #require(zero.accuracyMetres)
    #expect(accuracy == none.accuracyMetres && accuracy > 5)
  }

  /// A lift: two minutes of rest, then 12 s upwards at 2 m/s with 2 s of acceleration at each end,
  /// and rest again. The accelerometer makes the measured upward acceleration of the true one and a
  /// random number. The result is the error of the vertical speed: RMS at rest, and the largest
  /// during the ride, m/s.
  private func ride(
    _ f: inout AltitudeFilter, magnitude: Double = 0.1,
    accelerometer: ((Double, Double) -> Double)? = nil
  ) throws -> (resting: Double, riding: Double) {
    var noise = Noise(seed: 3)
    var (height, speed, square, count, largest) = (0.0, 0.0, 0.0, 0, 0.0)
    for i in 0..<(100 * 180) {
      let t = Double(i) / 100
      let a = t >= 120 && t < 122 ? 1.0 : t >= 134 && t < 136 ? -1.0 : 0
      if let accelerometer {
        f.update(
          upwardAcceleration: accelerometer(a, noise.next()), of: max(magnitude, abs(a)), at: at(t))
      }
      if i % 4 == 0 {
        f.update(pressureAltitudeMetres: 200 + height + 0.3 * noise.next(), at: at(t))
        if t > 60 {
          let error = try #require(f.verticalSpeedMetresPerSecond) - speed
          if t < 120 { (square, count) = (square + error * error, count + 1) }
          if t >= 120, t < 140 { largest = max(largest, abs(error)) }
        }
      }
      height += speed * 0.01 + a * 0.00005
      speed += a * 0.01
    }
    return ((square / Double(count)).squareRoot(), largest)
  }

  @Test("an accelerometer shows the begin and the end of a lift's ride at once")
  func lift() throws {
    var (plain, aided) = (AltitudeFilter(), AltitudeFilter())
    let without = try ride(&plain)
    let with = try ride(&aided) { a, random in 1.005 * a + 0.08 + 0.05 * random }
    #expect(without.riding > 0.6, "\(without)")
    #expect(with.riding < 0.25, "\(with)")
    #expect(with.resting < 0.05 && with.resting < without.resting, "\(with), \(without)")
  }

  @Test("an accelerometer that shakes, or has gaps, makes nothing worse")
  func shaken() throws {
    var (plain, shaken, rare) = (AltitudeFilter(), AltitudeFilter(), AltitudeFilter())
    let without = try ride(&plain)
    let with = try ride(&shaken, magnitude: 10) { a, random in a + 0.4 + 5 * random }
    #expect(with.riding < 1.1 * without.riding, "\(with), \(without)")
    var n = 0
    let gaps = try ride(&rare) { a, _ in
      n += 1
      return n % 2 == 0 ? a : .nan
    }
    #expect(gaps.riding < without.riding)
  }

  @Test("values that are not finite and times that go back change nothing")
  func badInput() throws {
    var f = AltitudeFilter()
    f.update(fixAltitudeMetres: 10, sigmaMetres: 1, at: at(1))
    f.update(fixAltitudeMetres: .nan, sigmaMetres: 1, at: at(2))
    f.update(pressureAltitudeMetres: .infinity, at: at(3))
    f.update(fixAltitudeMetres: 10, sigmaMetres: 1, at: at(0.5))
    #expect(try abs(#require(f.altitudeMetres) - 10) < 0.01)
  }
}

/// Standard normal numbers of a fixed seed.
struct Noise {
  private var state: UInt64
  init(seed: UInt64) { state = (seed &+ 1) &* 0xD134_2543_DE82_EF95 }

  private mutating func uniform() -> Double {
    // SplitMix64 (Steele, Lea, Flood 2014).
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return (Double((z ^ (z >> 31)) >> 11) + 0.5) * 0x1p-53
  }

  /// Sum of twelve uniforms: mean 0, variance 1.
  mutating func next() -> Double { (0..<12).reduce(-6.0) { sum, _ in sum + uniform() } }
}

@Suite("The altitude filter's scale, suction and steps", .timeLimit(.minutes(30)))
struct AltitudeFilterStatesTests {
  private func at(_ seconds: Double) -> Timestamp {
    Timestamp(nanoseconds: UInt64(nanosecondsIn: seconds))
  }

  @Test("warm air's scale and the suction of driving are learnt, and hold without fixes")
  func learns() throws {
    var filter = AltitudeFilter()
    var noise = Noise(seed: 3)
    var worst = 0.0
    for second in 0..<3600 {
      let t = Double(second)
      let truth = 300 + 100 * (1 - Double.cos(t / 300))
      let speed = 15 + 15 * Double.sin(t / 70)
      // 8 % of stretch; a suction of 4 m at 30 m/s.
      let pressure = 250 + (truth - 300) * 0.92 + 0.0045 * speed * speed + 0.2 * noise.next()
      filter.update(pressureAltitudeMetres: pressure, speedMetresPerSecond: speed, at: at(t))
      if second < 1800 {
        filter.update(fixAltitudeMetres: truth + 2 * noise.next(), sigmaMetres: 3, at: at(t))
      } else {
        worst = max(worst, abs(try #require(filter.altitudeMetres) - truth))
      }
    }
    // Without both states the error reaches 16 m.
    #expect(worst < 3, "\(worst) m")
  }

  @Test("a pressure step is no change of altitude, and a lift is one")
  func step() throws {
    for isLift in [false, true] {
      var filter = AltitudeFilter()
      for i in 0..<(20 * 120) {
        let t = Double(i) / 20
        let lift = isLift ? min(max(t - 60, 0) * 2.5, 50) : 0
        let door = !isLift && t >= 60 ? 8.0 : 0
        filter.update(pressureAltitudeMetres: 100 + lift + door, at: at(t))
        if i % 20 == 0, t < 60 {
          filter.update(fixAltitudeMetres: 130, sigmaMetres: 3, at: at(t))
        }
      }
      let change = try #require(filter.altitudeMetres) - 130
      #expect(abs(change - (isLift ? 50 : 0)) < 4, "\(change) m, lift: \(isLift)")
    }
  }
}
