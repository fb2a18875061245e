import InputProof
import Quantities
import RealModule
import Simulation
import Testing

@Suite("What counts as evidence of the inputs", .timeLimit(.minutes(15)))
struct EvidenceTests {
  private static let mirror = SignedAxes(axes: SIMD3(0, 1, 2), signs: SIMD3(-1, 1, 1))

  private static func field(
    _ components: SIMD3<Double>, at t: Timestamp
  ) -> FieldSample<SensorFrame> {
    FieldSample(timestamp: t, field: MagneticField(components: components))
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
    let rows = try Self.motionThenRest(seconds: 300, iron: SIMD3(4, -6, -120))
    for hasGyroscope in [true, false] {
      #expect(InputProofTests.proof(rows, hasGyroscope: hasGyroscope).verdicts.fault == nil)
    }
  }

  @Test("what motion has contradicted stays so at rest, beside a magnet too")
  func restProvesNothing() throws {
    let mirror = try #require(Self.mirror)
    for iron in [SIMD3.zero, SIMD3(60, -30, -120)] {
      let rows = try Self.motionThenRest(seconds: 600, iron: iron)
        .map { InputProofTests.change($0, .field, mirror.matrix) }
      guard case .axes(.field, mirror, _)? = InputProofTests.proof(rows).verdicts.fault else {
        Issue.record("\(iron): \(String(describing: InputProofTests.proof(rows).verdicts.fault))")
        continue
      }
    }
  }

  @Test("two chips that are read in turn, 50 times a second each, and a unit of 8 Hz are judged")
  func fewSamples() throws {
    let axes = try #require(SignedAxes(axes: SIMD3(1, 0, 2), signs: SIMD3(1, 1, 1)))
    func rows(every: Int) throws -> [SensorSamples] {
      try InputProofTests.rows(.calibrationByHand, seconds: 300).enumerated().compactMap {
        $0.offset % every == 0 ? InputProofTests.change($0.element, .rate, axes.matrix) : nil
      }
    }
    let interval = try rows(every: 1).prefix(2).map { $0.timestamp.seconds }
    let rate = Int((1 / (interval[1] - interval[0])).rounded())
    let inTurn = try rows(every: max(1, rate / 100)).enumerated().map { index, row in
      var row = row
      if index % 2 == 0 {
        row.inertial?.specificForce = nil
      } else {
        row.inertial?.angularRate = nil
      }
      return row
    }
    for rows in [inTurn, try rows(every: max(1, rate / 8))] {
      guard case .axes(.rate, axes, _)? = InputProofTests.proof(rows).verdicts.fault else {
        Issue.record("\(String(describing: InputProofTests.proof(rows).verdicts))")
        continue
      }
    }
  }

  @Test("a magnetometer is judged without the gyroscope that was lost")
  func lostGyroscope() throws {
    let mirror = try #require(Self.mirror)
    var rows = try InputProofTests.rows(.handheldTumbling, seconds: 120)
    for index in rows.indices {
      rows[index] = InputProofTests.change(rows[index], .field, mirror.matrix)
      if rows[index].timestamp.seconds > 3 { rows[index].inertial?.angularRate = nil }
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
      if rows[index].timestamp.seconds > 1 { silent[index].field = nil }
      fields += 1
      if fields % 50 != 0 { slow[index].field = nil }
    }
    for rows in [silent, slow] {
      #expect(InputProofTests.proof(rows).verdicts.fault?.quantity == .force)
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

  @Test("one wild rate and an axis that never changes do not keep the rest from being judged")
  func wildAndConstant() throws {
    let axes = try #require(SignedAxes(axes: SIMD3(0, 2, 1), signs: SIMD3(1, -1, 1)))
    var rows = try InputProofTests.rows(.handheldTumbling)
      .map { InputProofTests.change($0, .rate, axes.matrix) }
    rows[10].inertial?.angularRate = AngularRate(components: SIMD3(500, -500, 500))
    #expect(InputProofTests.proof(rows).verdicts.fault?.quantity == .rate)
    // A magnetometer of two axes, whose third is zero: its field is no earth's field with any axes.
    let flat = try InputProofTests.rows(.handheldTumbling)
      .map { InputProofTests.change($0, .field, Matrix3(diagonal: SIMD3(1, 1, 0))) }
    #expect(InputProofTests.proof(flat).verdicts.field != .proven)
    var force = InputProof()
    for var row in flat {
      row.multiply(.force, by: Matrix3(diagonal: SIMD3(0.1, 0.1, 0)))
      force.add(row)
    }
    #expect(force.verdicts.fault?.quantity == .force)
  }

  @Test("the cabin of an airliner does not contradict a barometer")
  func cabin() {
    var proof = InputProof()
    for second in 1...1500 {
      var row = SensorSamples(timestamp: Timestamp(nanoseconds: UInt64(second) * 1_000_000_000))
      let height = min(11_000, 10 + Double(max(0, second - 60)) * 12)
      // The cabin climbs to 2,400 m while the aeroplane climbs to 11,000 m.
      let cabin = height * 2400 / 11_000
      var fix = Fix(timestamp: row.timestamp, kind: .threeDimensional)
      fix.altitudeMetres = height
      fix.speedMetresPerSecond = second < 30 ? 8 : second < 60 ? 50 : 75 + Double(second) / 10
      row.pressure = PressureSample(
        timestamp: row.timestamp, hectopascal: 1013.25 * Double.pow(1 - 2.25577e-5 * cabin, 5.25588)
      )
      row.fix = fix
      proof.add(row)
      #expect(proof.verdicts.fault == nil, "\(second) s")
    }
  }
}
