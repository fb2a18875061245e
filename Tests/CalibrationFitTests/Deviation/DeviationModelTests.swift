import CalibrationFit
import Quantities
import Testing

@Suite(.timeLimit(.minutes(30))) struct DeviationModelTests {
  /// Soft iron in all four gains, and iron that goes along.
  private let numbers = [22.0, 3, 7, -2, -17, -5]

  private func model(_ numbers: [Double], variances: [Double]) throws -> DeviationModel {
    var stored = numbers + Array(repeating: 0, count: 27)
    for k in 0..<3 {
      stored[6 + 4 * k] = variances[k]
      stored[24 + 4 * k] = variances[k + 3]
    }
    return try #require(DeviationModel(stored: stored))
  }

  @Test("the heading of a predicted field is the original heading", arguments: 0..<24)
  func inverse(k: Int) throws {
    let model = try self.model(numbers, variances: Array(repeating: 0, count: 6))
    let heading = Angle(degrees: Double(k) * 15 + 2)
    let field = model.field(onHeading: heading)
    let reported = try #require(model.heading(ofField: field))
    #expect(abs((reported - heading).wrappedToHalfTurn.degrees) < 1e-9)
    let compass = DeviationModel.compassHeading(ofField: field)
    let found = try #require(model.heading(atCompassHeading: compass))
    #expect(abs((found - heading).wrappedToHalfTurn.degrees) < 1e-9)
  }

  @Test("the predicted error equals the heading error of a wrong coefficient", arguments: 0..<6)
  func gradient(number: Int) throws {
    let size = 1e-4
    var variances = Array(repeating: 0.0, count: 6)
    variances[number] = size * size
    let believed = try model(numbers, variances: variances)
    var shifted = numbers
    shifted[number] += size
    let truth = try model(shifted, variances: variances)
    for degrees in stride(from: 5.0, to: 360, by: 30) {
      let heading = Angle(degrees: degrees)
      let reported = try #require(believed.heading(ofField: truth.field(onHeading: heading)))
      let error = abs((reported - heading).wrappedToHalfTurn.radians)
      let predicted = try #require(believed.predictedError(onHeading: heading)).radians
      #expect(abs(error - predicted) < 1e-3 * size)
    }
  }

  @Test("an uncertain model reports unknown")
  func unknown() throws {
    let model = try self.model(numbers, variances: Array(repeating: 400, count: 6))
    #expect(model.predictedError(onHeading: .zero) == nil)
    #expect(model.worstError == nil)
    let flat = try self.model([20, 0, 0, 20, 0.01, 0], variances: Array(repeating: 0, count: 6))
    #expect(flat.heading(ofField: SIMD2(1, 1)) == nil)
    #expect(flat.predictedError(onHeading: .zero) == nil)
  }

  @Test("with iron of the earth's strength there is a model but no table")
  func limit() throws {
    let none = Array(repeating: 0.0, count: 6)
    let small = try model([20, 0, 19, 0, -20, 0], variances: none)
    #expect(small.heading(atCompassHeading: .zero) != nil)
    let large = try model([20, 0, 21, 0, -20, 0], variances: none)
    #expect(large.heading(atCompassHeading: .zero) == nil)
    #expect(DeviationTable(large) { _ in nil } == nil)
    let field = large.field(onHeading: Angle(degrees: 100))
    let deviation = try #require(large.deviation(ofField: field))
    let magnetic = DeviationModel.compassHeading(ofField: field) + deviation
    #expect(abs((magnetic - Angle(degrees: 100)).wrappedToHalfTurn.degrees) < 1e-9)
  }
}
