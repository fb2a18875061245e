import CalibrationFit
import Quantities
import Testing

@Suite(.timeLimit(.minutes(30))) struct CompassSwingTests {
  /// Deviations on the eight principal compass headings, degrees east. By the rules of the handbook
  /// (NGA Pub. 226): A is their mean, B half of east less west, C half of north less south, D a
  /// quarter of northeast and southwest less southeast and northwest, E a quarter of north and
  /// south less east and west. By hand: A = 8.0 / 8 = 1, B = 12 / 2 = 6, C = -8 / 2 = -4, D = 8.0 /
  /// 4 = 2, E = 2 / 4 = 0.5.
  private let example = [-2.5, 4.4, 6.5, 6.1, 5.5, 1.6, -5.5, -8.1]

  private func swing(_ deviations: [Double]) throws -> CompassSwing {
    var swing = CompassSwing()
    for (k, deviation) in deviations.enumerated() {
      let compass = Double(k) * 360 / Double(deviations.count)
      try swing.enter(
        Angle(degrees: compass + deviation), .heading(Angle(degrees: compass)))
    }
    return swing
  }

  @Test("eight headings give the coefficients of the handbook's rules")
  func handbook() throws {
    let result = try swing(example).fit()
    let c = try #require(result.coefficients)
    for (found, expected) in zip([c.a, c.b, c.c, c.d, c.e], [1, 6, -4, 2, 0.5]) {
      #expect(abs(found.degrees - expected) < 0.15)
    }
    #expect(result.suspects.isEmpty)
    #expect(result.residual.degrees < 0.2)
    let table = try #require(result.table)
    #expect(abs(table.deviation(forCompassHeading: Angle(degrees: 90)).degrees - 6.5) < 0.3)
    #expect(table.rows.allSatisfy { $0.sigma.map { $0.degrees > 0.5 && $0.degrees < 4 } ?? false })
    #expect(table.rows[0].after != nil && table.rows[1].after == nil)
  }

  @Test("one wrong entry among twelve is named and does not distort the curve", arguments: 0..<12)
  func wrongEntry(k: Int) throws {
    let made = DeviationCoefficients(
      a: Angle(degrees: 1), b: Angle(degrees: 6), c: Angle(degrees: -4), d: Angle(degrees: 2),
      e: Angle(degrees: 0.5))
    var deviations = (0..<12).map {
      made.deviation(atCompassHeading: Angle(degrees: Double($0) * 30)).degrees
    }
    deviations[k] += 20
    let result = try swing(deviations).fit()
    #expect(result.suspects.map(\.index) == [k])
    let disagreement = try #require(result.suspects.first?.disagreement)
    #expect(abs(disagreement.degrees - 20) < 2)
    let c = try #require(result.coefficients)
    #expect(abs(c.b.degrees - 6) < 1 && abs(c.c.degrees + 4) < 1)
  }

  @Test(
    "among eight a wrong entry is named or the fit fails, but no other is named",
    arguments: 0..<8)
  func wrongAmongEight(k: Int) throws {
    var deviations = example
    deviations[k] += 25
    let swing = try self.swing(deviations)
    do throws(CompassSwingError) {
      #expect(try swing.fit().suspects.map(\.index) == [k])
    } catch {
      guard case .inconsistent(_, let doubtful) = error else {
        Issue.record(error)
        return
      }
      #expect(doubtful.contains(k))
      #expect(error.description.contains("check entries"))
    }
  }

  @Test("an entry with a swapped sign is reported as such")
  func swappedSign() throws {
    var deviations = (0..<12).map { k in
      let c = Angle(degrees: Double(k) * 30)
      return DeviationCoefficients(
        a: .zero, b: Angle(degrees: 15), c: Angle(degrees: 5), d: .zero, e: .zero
      ).deviation(atCompassHeading: c).degrees
    }
    deviations[3] = -deviations[3]
    let result = try swing(deviations).fit()
    let suspect = try #require(result.suspects.first)
    #expect(result.suspects.count == 1)
    #expect(suspect.index == 3 && suspect.isSignSwapped)
    #expect(suspect.description.contains("entry 4 is off by 30 degrees"))
    #expect(suspect.description.contains("swapped"))
  }

  @Test(
    "five level fields give iron larger than the earth's, a sixth finds a wrong entry")
  func fields() throws {
    var boat = SimulatedVehicle(seed: 31)
    boat.offset = SIMD2(50, -20)
    var swing = CompassSwing()
    for degrees in [10.0, 80, 150, 225, 300] {
      try swing.enter(Angle(degrees: degrees), .field(boat.field(onHeading: degrees)))
    }
    var model = try #require(try swing.fit().model)
    #expect(boat.error(of: model) < 1)
    #expect(try swing.fit().table == nil)
    try swing.enter(Angle(degrees: 45), .field(boat.field(onHeading: 100)))
    try swing.enter(Angle(degrees: 180), .field(boat.field(onHeading: 180)))
    try swing.enter(Angle(degrees: 340), .field(boat.field(onHeading: 340)))
    let result = try swing.fit()
    #expect(result.suspects.map(\.index) == [5])
    model = try #require(result.model)
    #expect(boat.error(of: model) < 1)
  }

  @Test("noisy entries have errors of the predicted size", arguments: 1...10)
  func predicted(seed: Int) throws {
    var boat = SimulatedVehicle(seed: UInt64(seed))
    var (headings, fields) = (CompassSwing(), CompassSwing())
    for k in 0..<8 {
      let degrees = Double(k) * 45
      let known = Angle(degrees: degrees + 1.5 * boat.gauss())
      let field = boat.field(onHeading: degrees)
      try headings.enter(known, .heading(DeviationModel.compassHeading(ofField: field)))
      try fields.enter(known, .field(field))
    }
    for result in [try headings.fit(), try fields.fit()] {
      let table = try #require(result.table)
      for degrees in stride(from: 0.0, to: 360, by: 15) {
        let compass = DeviationModel.compassHeading(ofField: boat.field(onHeading: degrees))
        let reported = compass + table.deviation(forCompassHeading: compass)
        let error = abs((reported - Angle(degrees: degrees)).wrappedToHalfTurn.degrees)
        let row = table.rows[Int(bounded: compass.degrees / 15 + 0.5) % 24]
        let sigma = try #require(row.sigma)
        #expect(error < 4 * sigma.degrees)
      }
    }
  }
}
