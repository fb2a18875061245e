import InputProof
import Quantities
import Simulation
import Testing

@Suite("Proof of the inputs", .timeLimit(.minutes(30)))
struct InputProofTests {
  /// A minute and a half, or another time, of a simulated board.
  static func rows(
    _ scenario: Scenario, seed: UInt64 = 1, seconds: Double = 90
  ) throws -> [SensorSamples] {
    var scenario = scenario
    scenario.durationSeconds = seconds
    let start = UTCTime(nanosecondsSince1970: 1_780_000_000_000_000_000)
    return try SimulatedWorld(scenario: scenario, seed: seed, startUTC: start).map { $0.row }
  }

  static func change(
    _ row: SensorSamples, _ quantity: SampleQuantity, _ matrix: Matrix3
  ) -> SensorSamples {
    var row = row
    row.multiply(quantity, by: matrix)
    return row
  }

  static func proof(
    _ rows: [SensorSamples], hasGyroscope: Bool = true, isPlaceKnown: Bool = true
  ) -> InputProof {
    var proof = InputProof()
    // Potsdam, where the scenario is.
    if isPlaceKnown { proof.expect(EarthField(horizontal: 18.62, down: 46.08)) }
    for var row in rows {
      if !hasGyroscope { row.inertial?.angularRate = nil }
      row.fix = nil
      proof.add(row)
    }
    return proof
  }

  @Test("right boards in a hand, on foot, in a boat and in a car are never contradicted")
  func right() throws {
    for scenario in [
      Scenario.handheldTumbling, .calibrationByHand, .sailingBoat, .carDrive, .acceptance,
      .tableTop, .levelRover,
    ] {
      let rows = try Self.rows(scenario)
      for hasGyroscope in [true, false] {
        let proof = Self.proof(rows, hasGyroscope: hasGyroscope, isPlaceKnown: false)
        #expect(proof.verdicts.fault == nil, "\(scenario.name)")
      }
    }
    let proof = Self.proof(try Self.rows(.handheldTumbling))
    #expect(proof.verdicts.field == .proven)
    #expect(proof.verdicts.rate == .proven)
    #expect(proof.verdicts.force == .proven)
    #expect(proof.doubt == .zero)
  }

  @Test(
    "a sensor that is cut off at the end of its range is not contradicted",
    arguments: [0.7, 0.9, 1.1], [50.0, 60, 70])
  func cutOff(rate: Double, field: Double) throws {
    func cut(_ v: SIMD3<Double>, _ limit: Double) -> SIMD3<Double> {
      v.clamped(lowerBound: SIMD3(repeating: -limit), upperBound: SIMD3(repeating: limit))
    }
    let rows = try Self.rows(.calibrationByHand, seconds: 900).map { row in
      var row = row
      if let value = row.inertial?.angularRate {
        row.inertial?.angularRate = AngularRate(components: cut(value.components, rate))
      }
      if let value = row.field {
        row.field?.field = MagneticField(components: cut(value.field.components, field))
      }
      return row
    }
    var proof = InputProof()
    for row in rows {
      proof.add(row)
      if let fault = proof.verdicts.fault {
        Issue.record("\(fault)")
        break
      }
    }
  }

  @Test(
    "every wrong axes of every sensor are named in a hand",
    arguments: [SampleQuantity.field, .rate, .force])
  func wrongAxes(quantity: SampleQuantity) throws {
    let rows = try Self.rows(.handheldTumbling)
    for axes in SignedAxes.all where axes != .identity {
      // All axes of a magnetometer reversed look like those of an accelerometer.
      if axes.isInversion, quantity != .rate { continue }
      let changed = rows.map { Self.change($0, quantity, axes.matrix) }
      let proof = Self.proof(changed)
      let fault = proof.verdicts.fault
      guard case .axes(let found, let named, _)? = fault else {
        Issue.record("\(quantity) \(axes): \(String(describing: fault))")
        continue
      }
      #expect(found == quantity && named == axes, "\(quantity) \(axes): \(found) \(named)")
      #expect(proof.doubt.degrees == 180)
    }
  }

  @Test(
    "a mirrored magnetometer without a gyroscope is named, with its mirror image where the place is unknown"
  )
  func mirrored() throws {
    let mirrored = try #require(SignedAxes(axes: SIMD3(0, 1, 2), signs: SIMD3(-1, 1, 1)))
    let rows = try Self.rows(.calibrationByHand).map { Self.change($0, .field, mirrored.matrix) }
    let unknown = Self.proof(rows, hasGyroscope: false, isPlaceKnown: false).verdicts.fault
    guard case .axes(.field, let axes, isMirrorOpen: true)? = unknown else {
      Issue.record("\(String(describing: unknown))")
      return
    }
    #expect(axes == mirrored || axes == mirrored.opposite)
    // A board that is mostly level does not show the sign of the dip.
    let turned = try Self.rows(.handheldTumbling).map {
      Self.change($0, .field, mirrored.matrix)
    }
    let known = Self.proof(turned, hasGyroscope: false).verdicts.fault
    #expect(known == .axes(.field, mirrored, isMirrorOpen: false), "\(String(describing: known))")
  }

  private static let otherUnits: [(SampleQuantity, Double, String)] = [
    (.field, 10, "milligauss"), (.field, 0.01, "gauss"), (.field, 1000, "nanotesla"),
    (.field, 68.4, "raw counts"), (.rate, 57.295_78, "degrees/s"),
    (.force, 0.101_97, "look like g"), (.force, 101.97, "look like mg"), (.force, 0.5, "2.0 times"),
    (.pressure, 0.1, "kPa"), (.pressure, 0.029_53, "inHg"),
  ]

  @Test("another unit or range is named", arguments: otherUnits)
  func units(quantity: SampleQuantity, factor: Double, words: String) throws {
    let rows = try Self.rows(.handheldTumbling)
      .map { Self.change($0, quantity, Matrix3.identity * factor) }
    let fault = try #require(Self.proof(rows, isPlaceKnown: false).verdicts.fault)
    #expect("\(fault)".contains(words), "\(fault)")
    #expect(!fault.remedy.isEmpty)
  }

  @Test("half the field is found where the place is known, and a barometer by a receiver's height")
  func scaleByPlace() throws {
    let rows = try Self.rows(.handheldTumbling)
    let half = rows.map { Self.change($0, .field, Matrix3.identity * 0.3) }
    let fault = Self.proof(half).verdicts.fault
    #expect(fault?.quantity == .field)
    // An MS5607 that is read as an MS5611, beside a receiver at the sea.
    func proof(hectopascal: Double, altitude: Double, seconds: Int) -> InputProof {
      var proof = InputProof()
      for second in 0..<seconds {
        var row = SensorSamples(
          timestamp: Timestamp(nanoseconds: UInt64(second + 1) * 1_000_000_000))
        row.pressure = PressureSample(timestamp: row.timestamp, hectopascal: hectopascal)
        var fix = Fix(timestamp: row.timestamp, kind: .threeDimensional)
        fix.altitudeMetres = altitude
        row.fix = fix
        proof.add(row)
      }
      return proof
    }
    let chip = proof(hectopascal: 480, altitude: 50, seconds: 60).verdicts.fault
    #expect(chip?.quantity == .pressure)
    // One wild height, a cabin at height, and a summit are no contradiction.
    #expect(proof(hectopascal: 1013, altitude: 4000, seconds: 10).verdicts.fault == nil)
    #expect(proof(hectopascal: 757, altitude: 10_500, seconds: 60).verdicts.fault == nil)
    #expect(proof(hectopascal: 616, altitude: 4000, seconds: 60).verdicts.fault == nil)
  }

  @Test("a level turn after a magnet was put down beside the sensor contradicts nothing")
  func levelTurnAfterMagnet() throws {
    var rows = try Self.rows(.levelRover)
    for index in rows.indices where rows[index].timestamp.seconds > 1 {
      rows[index].field = rows[index].field.map {
        FieldSample(
          timestamp: $0.timestamp,
          field: MagneticField(components: $0.field.components + SIMD3(5, 3, 300)))
      }
    }
    #expect(Self.proof(rows).verdicts.fault == nil)
    #expect(Self.proof(rows, isPlaceKnown: false).verdicts.fault == nil)
  }

  @Test("an accelerometer in g and a gyroscope with every second force are judged without a field")
  func withoutField() throws {
    var rows = try Self.rows(.handheldTumbling)
    for index in rows.indices {
      rows[index].field = nil
      if index % 2 == 0 { rows[index].inertial?.specificForce = nil }
    }
    #expect(Self.proof(rows).verdicts.fault == nil)
    let inG = rows.map { Self.change($0, .force, Matrix3.identity * (1 / 9.806_65)) }
    #expect(Self.proof(inG).verdicts.fault?.quantity == .force)
  }

  @Test("what is not proven is a part of the accuracy, less where the mount is stated")
  func doubt() {
    #expect(InputProof().doubt.degrees > 90)
    #expect(InputProof(hasSourcedMount: true).doubt == .zero)
  }

  @Test("samples that are not finite, go back in time or pause do not end it")
  func badSamples() throws {
    var proof = InputProof()
    for (index, row) in try Self.rows(.handheldTumbling).enumerated() {
      var row = row
      if index % 97 == 0 {
        row.field = row.field.map {
          FieldSample(timestamp: $0.timestamp, field: MagneticField(components: SIMD3(.nan, 0, 0)))
        }
        row.timestamp = Timestamp(nanoseconds: 5)
        row.inertial?.timestamp = Timestamp(nanoseconds: 5)
        row.inertial?.angularRate = AngularRate(components: SIMD3(.infinity, 0, 0))
      }
      proof.add(row)
    }
    #expect(proof.verdicts.field == .proven)
    #expect(proof.doubt == .zero)
    #expect(proof.verdicts.fault == nil)
  }

  @Test("verdicts survive a protocol")
  func coding() {
    var verdicts = InputVerdicts()
    verdicts.field = .contradicted
    for fault: InputVerdicts.Fault? in [
      nil, .axes(.field, SignedAxes(index: 17), isMirrorOpen: true), .disagreement(.rate),
      .scale(.pressure, factor: 33.8638), .delay(.force, seconds: -0.3), .clock(factor: 1.04),
      .forward(Angle(radians: -1.5)), .pressure(.two(apart: 8.5)),
      .pressure(.thermometer(celsius: 130)), .pressure(.fall(share: 0.1)),
      .stopped(.rate),
    ] {
      verdicts.fault = fault
      #expect(InputVerdicts(rawValue: verdicts.rawValue) == verdicts)
    }
    let states = String(repeating: "proven ", count: 6)
    #expect(InputVerdicts(rawValue: states + "-")?.forward == .proven)
    for text in [
      "", "proven", "a b c d e f -", states, states + "field:axes:48:open", states + "x",
      states + "field:delay:x", states + "clock:axes:1:open", states + "pressure:two:nan",
    ] {
      #expect(InputVerdicts(rawValue: text) == nil, "\(text)")
    }
  }
}
