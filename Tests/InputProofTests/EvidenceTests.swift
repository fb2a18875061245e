import InputProof
import Quantities
import RealModule
import Simulation
import Testing

@Suite("What counts as evidence of the inputs", .timeLimit(.minutes(30)))
struct EvidenceTests {
  private static let mirror = SignedAxes(axes: SIMD3(0, 1, 2), signs: SIMD3(-1, 1, 1))

  private static func field(
    _ components: SIMD3<Double>, at t: Timestamp
  ) -> FieldSample<SensorFrame> {
    FieldSample(timestamp: t, field: MagneticField(components: components))
  }

  private func seconds(_ rows: [SensorSamples], _ index: Int) -> Double {
    rows[index].timestamp.seconds(since: rows[0].timestamp)
  }

  /// Rows of a hand's motion and then of rest, the rest with another field.
  private static func motionThenRest(
    seconds: Double, iron: SIMD3<Double> = .zero
  ) throws -> [SensorSamples] {
    let motion = try InputProofTests.rows(.handheldTumbling, seconds: 60)
    let end = try #require(motion.last?.timestamp.seconds)
    return try motion
      + InputProofTests.rows(.tableTop, seconds: seconds).map { row in
        var rest = SensorSamples(timestamp: row.timestamp.advanced(bySeconds: end))
        rest.inertial = row.inertial.map {
          InertialSample(
            timestamp: rest.timestamp, angularRate: $0.angularRate, specificForce: $0.specificForce)
        }
        rest.field = row.field.map { Self.field($0.field.components + iron, at: rest.timestamp) }
        return rest
      }
  }

  @Test("a right board that is put on a magnetic holder is not contradicted by its rest")
  func holder() throws {
    let rows = try Self.motionThenRest(seconds: 300, iron: SIMD3(4, -6, 150))
    for hasGyroscope in [true, false] {
      #expect(InputProofTests.proof(rows, hasGyroscope: hasGyroscope).verdicts.fault == nil)
    }
  }

  @Test("what motion has contradicted stays so at rest, beside a magnet too")
  func restProvesNothing() throws {
    let mirror = try #require(Self.mirror)
    for iron in [SIMD3<Double>.zero, SIMD3(60, -30, -120)] {
      let rows = try Self.motionThenRest(seconds: 600, iron: iron)
        .map { InputProofTests.change($0, .field, mirror.matrix) }
      let fault = InputProofTests.proof(rows, hasGyroscope: false).verdicts.fault
      #expect(
        fault == .axes(.field, mirror, isMirrorOpen: false), "\(iron): \(String(describing: fault))"
      )
    }
  }

  @Test("two chips that are read in turn, 50 times a second each, and a unit of 8 Hz are judged")
  func fewSamples() throws {
    let axes = try #require(SignedAxes(axes: SIMD3(1, 0, 2), signs: SIMD3(1, 1, 1)))
    let all = try InputProofTests.rows(.calibrationByHand, seconds: 300)
      .map { InputProofTests.change($0, .rate, axes.matrix) }
    let inertial = all.indices.filter { all[$0].inertial != nil }
    let hertz = Double(inertial.count) / 300
    /// Inertial samples at another rate, with the fields as they are.
    func rows(hertz wanted: Double) -> [SensorSamples] {
      var (rows, next) = (all, 0.0)
      for index in inertial {
        next += wanted / hertz
        if next >= 1 { next -= 1 } else { rows[index].inertial = nil }
      }
      return rows
    }
    var inTurn = rows(hertz: 100)
    var isForce = false
    for index in inTurn.indices where inTurn[index].inertial != nil {
      if isForce {
        inTurn[index].inertial?.angularRate = nil
      } else {
        inTurn[index].inertial?.specificForce = nil
      }
      isForce.toggle()
    }
    guard case .axes(.rate, axes, _)? = InputProofTests.proof(rows(hertz: 8)).verdicts.fault else {
      Issue.record("\(InputProofTests.proof(rows(hertz: 8)).verdicts.rawValue)")
      return
    }
    // Without a field, gravity contradicts the gyroscope.
    for index in inTurn.indices { inTurn[index].field = nil }
    #expect(InputProofTests.proof(inTurn).verdicts.fault?.quantity == .rate)
    let back = axes.inverse.matrix
    for rows in [inTurn, rows(hertz: 8)] {
      let right = rows.map { InputProofTests.change($0, .rate, back) }
      #expect(InputProofTests.proof(right).verdicts.fault == nil)
    }
  }

  @Test(
    "stamps of a slow magnetometer that are older than those of the forces before it are judged")
  func olderStamps() throws {
    let mirror = try #require(Self.mirror)
    var fields = 0
    let rows = try InputProofTests.rows(.handheldTumbling, seconds: 300).map { row in
      var row = InputProofTests.change(row, .field, mirror.matrix)
      row.inertial?.angularRate = nil
      guard let field = row.field?.field.components else { return row }
      fields += 1
      let before = row.timestamp.advanced(bySeconds: -0.1)
      row.field = fields % 13 == 0 && before.seconds > 1 ? Self.field(field, at: before) : nil
      return row
    }
    #expect(InputProofTests.proof(rows).verdicts.fault?.quantity == .field)
  }

  @Test("a current that is switched beside a board at rest proves nothing")
  func switchedCurrent() throws {
    for offset in [SIMD3<Double>(0, 0, 4), SIMD3(3, 2, -2)] {
      let rows = try InputProofTests.rows(.tableTop, seconds: 600).map { row in
        var row = row
        if let field = row.field?.field.components, Int(bounded: row.timestamp.seconds) % 2 == 0 {
          row.field = Self.field(field + offset, at: row.timestamp)
        }
        return row
      }
      for hasGyroscope in [true, false] {
        let proof = InputProofTests.proof(rows, hasGyroscope: hasGyroscope)
        #expect(proof.verdicts.fault == nil && proof.verdicts.field == .unproven)
        #expect(proof.doubt.degrees < 170)
      }
    }
  }

  @Test("at rest the offset of a gyroscope does not take back what motion has shown")
  func offsetAtRest() throws {
    let axes = try #require(SignedAxes(axes: SIMD3(1, 0, 2), signs: SIMD3(1, 1, 1)))
    let rows = try Self.motionThenRest(seconds: 600).map { row in
      var row = InputProofTests.change(row, .field, axes.matrix)
      if let rate = row.inertial?.angularRate?.components {
        row.inertial?.angularRate = AngularRate(components: rate + SIMD3(0.06, -0.08, 0.05))
      }
      return row
    }
    #expect(InputProofTests.proof(rows).verdicts.field == .contradicted)
  }

  @Test(
    "one field from the future, a unit that ends and turns at 1 Hz leave the magnetometer judged")
  func futureAndEnd() throws {
    let mirror = try #require(Self.mirror)
    let mirrored = try InputProofTests.rows(.handheldTumbling, seconds: 300)
      .map { InputProofTests.change($0, .field, mirror.matrix) }
    var (future, slow) = (mirrored, mirrored)
    let first = try #require(mirrored.firstIndex { $0.field != nil })
    future[first].field = Self.field(SIMD3(20, 0, 40), at: Timestamp(nanoseconds: .max / 4))
    var rates = 0
    for index in slow.indices where slow[index].inertial?.angularRate != nil {
      rates += 1
      if rates % 100 != 0 { slow[index].inertial?.angularRate = nil }
    }
    for (name, rows) in [("future", future), ("slow", slow)] {
      let fault = InputProofTests.proof(rows).verdicts.fault
      #expect(fault?.quantity == .field, "\(name): \(String(describing: fault))")
    }
    // Without any inertial sample the unit of the field still shows.
    let nanotesla = try InputProofTests.rows(.handheldTumbling, seconds: 300).map { row in
      var row = InputProofTests.change(row, .field, Matrix3.identity * 0.02)
      if row.timestamp.seconds > 20 { row.inertial = nil }
      return row
    }
    #expect(InputProofTests.proof(nanotesla).verdicts.fault?.quantity == .field)
  }

  @Test(
    "a magnetometer with all axes reversed is contradicted by a place that is known after the motion"
  )
  func placeAfterMotion() throws {
    let inverted = try InputProofTests.rows(.handheldTumbling)
      .map { InputProofTests.change($0, .field, Matrix3.identity * -1) }
    for hasGyroscope in [true, false] {
      var proof = InputProofTests.proof(
        inverted, hasGyroscope: hasGyroscope, isPlaceKnown: false)
      let before = proof.doubt
      proof.expect(EarthField(horizontal: 18.62, down: 46.08))
      #expect(proof.doubt > before, "\(hasGyroscope): \(before) \(proof.doubt)")
    }
  }

  @Test("a magnetometer is judged without the gyroscope that was lost")
  func lostGyroscope() throws {
    let mirror = try #require(Self.mirror)
    var rows = try InputProofTests.rows(.handheldTumbling, seconds: 120)
    for index in rows.indices {
      rows[index] = InputProofTests.change(rows[index], .field, mirror.matrix)
      if seconds(rows, index) > 3 { rows[index].inertial?.angularRate = nil }
    }
    let fault = InputProofTests.proof(rows).verdicts.fault
    #expect(fault == .axes(.field, mirror, isMirrorOpen: false), "\(String(describing: fault))")
  }

  @Test("an accelerometer is judged while the magnetometer is silent, and beside a slow one")
  func forceWithoutField() throws {
    let rows = try InputProofTests.rows(.handheldTumbling)
      .map { InputProofTests.change($0, .force, Matrix3.identity * 0.5) }
    var (silent, slow) = (rows, rows)
    var fields = 0
    for index in rows.indices where rows[index].field != nil {
      if seconds(rows, index) > 1 { silent[index].field = nil }
      fields += 1
      if fields % 50 != 0 { slow[index].field = nil }
    }
    for (name, rows) in [("silent", silent), ("slow", slow)] {
      let fault = InputProofTests.proof(rows).verdicts.fault
      #expect(fault?.quantity == .force, "\(name): \(String(describing: fault))")
    }
  }

  @Test("a first field beside a magnet does not hide wrong axes, nor contradict right ones")
  func farOrigin() throws {
    let mirror = try #require(Self.mirror)
    var rows = try InputProofTests.rows(.handheldTumbling)
    let first = try #require(rows.firstIndex { $0.field != nil })
    rows[first].field = Self.field(SIMD3(20_000, -9000, 15_000), at: rows[first].timestamp)
    #expect(InputProofTests.proof(rows).verdicts.field == .proven)
    let mirrored = rows.map { InputProofTests.change($0, .field, mirror.matrix) }
    guard case .axes(.field, mirror, _)? = InputProofTests.proof(mirrored).verdicts.fault else {
      Issue.record("\(InputProofTests.proof(mirrored).verdicts)")
      return
    }
  }

  @Test("a wild value does not hide the end of a range, and a board at rest is judged")
  func wildAndConstant() throws {
    // Clipped rates look like another scale where they are not left out.
    var clipped = InputProof()
    for (index, row) in try InputProofTests.rows(.calibrationByHand, seconds: 900).enumerated() {
      var row = row
      if let rate = row.inertial?.angularRate?.components {
        let cut = rate.clamped(
          lowerBound: SIMD3(repeating: -0.7), upperBound: SIMD3(repeating: 0.7))
        let isWild = index % 20_000 == 100
        row.inertial?.angularRate = AngularRate(components: isWild ? SIMD3(50, -50, 50) : cut)
      }
      clipped.add(row)
      if let fault = clipped.verdicts.fault {
        Issue.record("\(fault)")
        break
      }
    }
    // A board at rest whose coarse digits never change, in g.
    var rest = InputProof()
    for index in 0..<3000 {
      var row = SensorSamples(timestamp: Timestamp(nanoseconds: UInt64(index + 1) * 10_000_000))
      row.inertial = InertialSample(
        timestamp: row.timestamp, angularRate: nil,
        specificForce: SpecificForce(components: SIMD3(0, 0, 1)))
      rest.add(row)
    }
    #expect(rest.verdicts.fault?.quantity == .force)
  }

  @Test("the cabin of an airliner does not contradict a barometer", arguments: [true, false])
  func cabin(isSpeedKnown: Bool) {
    var proof = InputProof()
    for second in 1...1500 {
      var row = SensorSamples(timestamp: Timestamp(nanoseconds: UInt64(second) * 1_000_000_000))
      // The cabin climbs to 2,400 m while the aeroplane climbs to 11,000 m.
      let height = min(11_000, 10 + Double(max(0, second - 60)) * 12)
      let cabin = height * 2400 / 11_000
      var fix = Fix(timestamp: row.timestamp, kind: .threeDimensional)
      fix.altitudeMetres = height
      let speed = second < 30 ? 8 : second < 60 ? 50 : 75 + Double(second) / 10
      fix.speedMetresPerSecond = isSpeedKnown ? speed : nil
      row.pressure = PressureSample(
        timestamp: row.timestamp,
        hectopascal: 1013.25 * Double.pow(1 - 2.25577e-5 * cabin, 5.25588))
      row.fix = fix
      proof.add(row)
      guard proof.verdicts.fault == nil else {
        Issue.record("\(second) s: \(proof.verdicts)")
        return
      }
    }
  }
}
