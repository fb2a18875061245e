import CalibrationFit
import Foundation
import Quantities
import Testing

@Suite("Prediction of the heading error", .timeLimit(.minutes(30)))
struct HeadingErrorPredictionTests {
  private let earth = EarthField(horizontal: 20, down: 40)

  private func estimate(
    _ distortion: FieldDistortion = .none, _ covariance: DistortionCovariance
  ) -> DistortionEstimate {
    DistortionEstimate(
      method: .forward, distortion: distortion, covariance: covariance, earthField: earth,
      residualMicrotesla: 1, inlierShare: 1, observationCount: 100)
  }

  private func attitude(
    _ vector: SIMD3<Double>
  ) -> (down: SIMD3<Double>, north: SIMD3<Double>) {
    let rows = Rotation<BodyFrame, MagneticEarthFrame>(rotationVector: vector).rows
    return (rows.2, rows.0)
  }

  @Test("an exact calibration still has an error of one degree")
  func floor() throws {
    let prediction = try #require(
      HeadingErrorPrediction(estimate(.none, DistortionCovariance())))
    #expect(HeadingErrorPrediction.floor.degrees == 1)
    #expect(
      abs(prediction.worst(about: SIMD3(0, 0, 1)) - HeadingErrorPrediction.floor.radians) < 1e-12)
  }

  @Test("an uncertain offset turns heading by its share of the level field")
  func offset() throws {
    var covariance = DistortionCovariance()
    for i in 9..<12 { covariance[i, i] = 4 }
    let prediction = try #require(HeadingErrorPrediction(estimate(.none, covariance)))
    let floor = HeadingErrorPrediction.floor.radians
    let expected = (0.1 * 0.1 + floor * floor).squareRoot()
    for vector in [SIMD3(0.0, 0, 0), SIMD3(0, 0, 2), SIMD3(1, 0, 0.3), SIMD3(2, -1, 1)] {
      let (down, north) = attitude(vector)
      #expect(abs(prediction.sigma(down: down, north: north) - expected) < 1e-12)
    }
  }

  @Test("the prediction equals the heading error of a wrong calibration")
  func jacobian() throws {
    var random = NumberSequence(seed: 5)
    for seed in 1...20 as ClosedRange<UInt64> {
      let truth = SimulatedBoard(seed: seed).distortion
      // The same calibration with twelve small errors, and a covariance of exactly these.
      let errors = (0..<12).map { i in random.normal() * (i < 9 ? 1e-5 : 4e-4) }
      var wrong = truth
      for i in 0..<9 { wrong.shape[i / 3, i % 3] += errors[i] }
      for i in 0..<3 { wrong.offset[i] += errors[9 + i] }
      var covariance = DistortionCovariance()
      let scale = 1e4
      for i in 0..<12 {
        for j in 0..<12 { covariance[i, j] = errors[i] * errors[j] * scale * scale }
      }
      let prediction = try #require(HeadingErrorPrediction(estimate(truth, covariance)))
      let inverse = try #require(wrong.shape.inverse)
      for _ in 0..<10 {
        let (down, north) = attitude(random.direction() * random.uniform(0, 3))
        let v: SIMD3<Double> = north * earth.horizontal + down * earth.down
        let measured = truth.shape * v + truth.offset
        let calibrated = inverse * (measured - wrong.offset)
        let east = down.cross(north)
        let off = abs(atan2(calibrated.dot(east), calibrated.dot(north))) * scale
        let floor = HeadingErrorPrediction.floor.radians
        let predicted = prediction.sigma(down: down, north: north)
        let squares = off * off + floor * floor
        let expected = min(Double.pi, squares.squareRoot())
        #expect(abs(predicted - expected) < 0.01 * expected, "\(predicted) \(expected)")
      }
    }
  }

  @Test(
    "the worst of an attitude is no less than any heading's, and of a tilt no less than level's")
  func worst() throws {
    let board = SimulatedBoard(seed: 6)
    let found = try ForwardFit().fit(board.observations(.level, seconds: 20)).estimate
    let prediction = try #require(HeadingErrorPrediction(found))
    let level = prediction.worst(down: SIMD3(0, 0, 1), bins: 72)
    for k in 0..<72 {
      let (down, north) = attitude(SIMD3(0, 0, Double(k) * .pi / 36))
      #expect(prediction.sigma(down: down, north: north) <= level + 1e-9)
    }
    let about = prediction.worst(about: SIMD3(0, 0, 1))
    #expect(about >= prediction.worst(down: SIMD3(0, 0, 1)))
    #expect(prediction.worst(about: SIMD3(0, 0, 1), tilt: Angle(degrees: 10)) < about)
    #expect(about > 2 * level)
    var random = NumberSequence(seed: 7)
    for _ in 0..<200 {
      let lean = try #require(SIMD3(random.normal(), random.normal(), 0).normalized)
      let tilted = FieldWorld.matrix(lean * random.uniform(0, 0.78)) * SIMD3(0, 0, 1)
      #expect(prediction.worst(down: tilted) < 1.05 * about)
    }
  }

  @Test("a fully uncertain calibration predicts half a turn, the maximum")
  func capped() throws {
    var covariance = DistortionCovariance()
    for i in 0..<12 { covariance[i, i] = 1e9 }
    let prediction = try #require(HeadingErrorPrediction(estimate(.none, covariance)))
    #expect(prediction.worst(about: SIMD3(0, 0, 1)) == .pi)
  }

  @Test("a shape without inverse and a field without a level part have no prediction")
  func refused() {
    let flat = FieldDistortion(shape: Matrix3(diagonal: SIMD3(1, 1, 0)), offset: .zero)
    #expect(HeadingErrorPrediction(estimate(flat, DistortionCovariance())) == nil)
    var pole = estimate(.none, DistortionCovariance())
    pole.earthField.horizontal = 0.9
    #expect(HeadingErrorPrediction(pole) == nil)
  }

  @Test("a covariance is 144 finite numbers with variances that are not negative")
  func covariance() throws {
    var numbers = [Double](repeating: 0, count: 144)
    numbers[1] = 5
    let covariance = try #require(DistortionCovariance(elements: numbers))
    #expect(covariance[0, 1] == 5 && covariance[1, 0] == 0 && covariance.elements == numbers)
    #expect(DistortionCovariance(elements: Array(numbers.dropLast())) == nil)
    numbers[1] = .nan
    #expect(DistortionCovariance(elements: numbers) == nil)
    numbers[1] = 0
    numbers[143] = -1e-9
    #expect(DistortionCovariance(elements: numbers) == nil)
  }
}
