import CalibrationFit
import Quantities
import Testing

@Suite(.timeLimit(.minutes(30))) struct CompassSwingFaultTests {
  private func swing(_ pairs: [(Double, Double)]) throws -> CompassSwing {
    var swing = CompassSwing()
    for (known, compass) in pairs {
      try swing.enter(Angle(degrees: known), .heading(Angle(degrees: compass)))
    }
    return swing
  }

  private func fault(_ pairs: [(Double, Double)]) throws -> CompassSwingError? {
    let swing = try self.swing(pairs)
    do throws(CompassSwingError) {
      _ = try swing.fit()
      return nil
    } catch {
      return error
    }
  }

  @Test("too few headings are rejected with the next heading to enter")
  func tooFew() throws {
    let error = try fault([(0, 2), (90, 91), (180, 179)])
    #expect(error == .tooFewEntries(found: 3, needed: 5, next: Angle(degrees: 270)))
    #expect(error?.description.contains("next 270 degrees") == true)
    #expect(try fault([]) != nil)
  }

  @Test("a gap above a quarter of the turn is rejected and named")
  func gap() throws {
    let error = try fault([(10, 10), (40, 41), (80, 80), (120, 119), (300, 301)])
    #expect(error == .gap(from: Angle(degrees: 120), to: Angle(degrees: 300)))
    #expect(error?.description.contains("between 120 degrees and 300 degrees") == true)
    let next = try swing([(10, 10), (120, 119), (300, 301)]).suggestedHeading
    #expect(abs(next.degrees - 210) < 1e-9)
  }

  @Test("two entries of one heading that disagree are named")
  func contradiction() throws {
    let error = try fault([(0, 0), (72, 70), (144, 144), (216, 214), (288, 288), (73, 95)])
    guard case .contradiction(1, 5, _, let difference) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(abs(difference.degrees - 24) < 1e-9)
    #expect(error?.description.hasPrefix("entries 2 and 6") == true)
  }

  @Test("a compass that turns backwards is reported")
  func backwards() throws {
    let pairs = stride(from: 0.0, to: 360, by: 45).map { ($0, -$0 + 3) }
    #expect(try fault(pairs) == .runsBackwards)
    var boat = SimulatedVehicle(seed: 1)
    boat.offset = .zero
    var fields = CompassSwing()
    for degrees in stride(from: 0.0, to: 360, by: 45) {
      let field = boat.field(onHeading: degrees)
      try fields.enter(Angle(degrees: degrees), .field(SIMD2(field.x, -field.y)))
    }
    #expect(throws: CompassSwingError.runsBackwards) { try fields.fit() }
  }

  @Test("readings without any curve are rejected")
  func inconsistent() throws {
    let offsets = [40.0, -50, 20, -30, 55, -45, 10, -60]
    let pairs = offsets.enumerated().map { (Double($0) * 45, Double($0) * 45 + $1) }
    guard let error = try fault(pairs), case .inconsistent = error else {
      Issue.record("a curve was found")
      return
    }
    #expect(error.description.hasPrefix("the entries fit no deviation curve"))
  }

  @Test("a value that is not finite is not entered")
  func notANumber() throws {
    var swing = CompassSwing()
    #expect(throws: CompassSwingError.notANumber) {
      try swing.enter(Angle(radians: .nan), .heading(.zero))
    }
    #expect(throws: CompassSwingError.notANumber) {
      try swing.enter(.zero, .field(SIMD2(.infinity, 0)))
    }
    #expect(throws: CompassSwingError.noField) { try swing.enter(.zero, .field(.zero)) }
    #expect(swing.entries.isEmpty)
  }

  @Test("an entry can be removed")
  func remove() throws {
    var swing = try self.swing([(0, 1), (90, 91)])
    swing.remove(at: 0)
    swing.remove(at: 7)
    #expect(swing.entries.map(\.heading.degrees) == [90])
  }
}
