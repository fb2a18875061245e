import CFirmware
import CalibrationFit
import EarthModel
import Fusion
import Quantities

/// The heading engine on recorded samples: prints the bit patterns of its results, which another
/// machine's are compared with, and what a step costs.
struct Replay {
  /// Samples between two printed attitudes.
  private static var interval: Int { 500 }
  /// The observations are of so many samples a second, as in `Benchmarks/`.
  private static var observationHertz: Double { 100 }
  /// Hard iron of a third of the field and soft iron of a tenth, which the fits have to find.
  private static var shape: Matrix3 {
    Matrix3(
      rows: SIMD3(1.08, 0.03, -0.02), SIMD3(0.03, 0.97, 0.04), SIMD3(-0.02, 0.04, 0.95))
  }
  private static var offset: SIMD3<Double> { SIMD3(9, -8, 7) }

  private let samples: UnsafeBufferPointer<Float>
  private let hertz: Double

  init(_ samples: UnsafeBufferPointer<Float>, hertz: Double) {
    (self.samples, self.hertz) = (samples, hertz)
  }

  private var count: Int { samples.count / 9 }

  private func vector(_ row: Int, _ column: Int) -> SIMD3<Double> {
    let first = 9 * row + column
    return SIMD3(Double(samples[first]), Double(samples[first + 1]), Double(samples[first + 2]))
  }

  private func timestamp(_ row: Int) -> Timestamp {
    Timestamp(nanoseconds: UInt64(nanosecondsIn: Double(row) / hertz))
  }

  /// Every sample through the filter that the host uses.
  func estimateAttitude() {
    var filter = AttitudeEstimator()
    let mount = AxisMount.standard.rotation
    var blocks = UInt32(0)
    var (total, most) = (UInt64(0), UInt64(0))
    for row in 0..<count {
      let inertial = InertialSample<BodyFrame>(
        timestamp: timestamp(row),
        angularRate: AngularRate(components: mount.rotate(vector(row, 0))),
        specificForce: SpecificForce(components: mount.rotate(vector(row, 3))))
      let field = FieldSample<BodyFrame>(
        timestamp: timestamp(row), field: MagneticField(components: mount.rotate(vector(row, 6))))
      let (begin, blocksBefore) = (firmware_instructions(), firmware_allocations())
      filter.update(inertial)
      filter.update(field)
      let instructions = firmware_instructions() - begin
      blocks += firmware_allocations() - blocksBefore
      total += instructions
      most = max(most, instructions)
      if row % Self.interval == 0 || row == count - 1, let solution = filter.solution {
        report(solution, row)
      }
    }
    cost("filter", total, by: count, most)
    Console.print("# filter blocks " + Console.decimal(UInt64(blocks)))
  }

  private func report(_ solution: AttitudeSolution, _ row: Int) {
    let q = solution.attitude
    Console.print("attitude", row, [q.w, q.v.x, q.v.y, q.v.z])
    Console.print("accuracy", row, [solution.headingAccuracy?.degrees ?? -1])
  }

  /// The trial behind iron, and what the fits find of it.
  func fitCalibration() {
    var orientation = InertialOrientation()
    var observer = FieldObserver()
    var observations: [FieldObservation] = []
    var due = 0.0
    let shape = Self.shape
    for row in 0..<count where Double(row) / hertz >= due {
      due += 1 / Self.observationHertz
      orientation.update(
        InertialSample<SensorFrame>(
          timestamp: timestamp(row), angularRate: AngularRate(components: vector(row, 0)),
          specificForce: SpecificForce(components: vector(row, 3))))
      guard let attitude = orientation.attitude else { continue }
      let observation = observer.add(
        field: shape * vector(row, 6) + Self.offset, at: timestamp(row), attitude: attitude,
        rate: orientation.rate)
      if let observation { observations.append(observation) }
    }
    Console.print("observations " + Console.decimal(UInt64(observations.count)))
    fit("ellipsoid") { () throws(CalibrationFitError) -> DistortionEstimate in
      try EllipsoidFit().solve(observations).estimate
    }
    fit("forward") { () throws(CalibrationFitError) -> DistortionEstimate in
      try ForwardFit(prior: .unknown).fit(observations).estimate
    }
  }

  private func fit(_ name: String, _ solve: () throws(CalibrationFitError) -> DistortionEstimate) {
    let begin = firmware_instructions()
    do throws(CalibrationFitError) {
      let estimate = try solve()
      cost(name, firmware_instructions() - begin, by: 1, 0)
      let (shape, offset) = (estimate.distortion.shape, estimate.distortion.offset)
      Console.print(name, 0, [offset.x, offset.y, offset.z])
      for axis in 0..<3 {
        let column = shape * SIMD3(axis == 0 ? 1 : 0, axis == 1 ? 1 : 0, axis == 2 ? 1 : 0)
        Console.print(name, 1 + axis, [column.x, column.y, column.z])
      }
      Console.print(name, 4, [estimate.residualMicrotesla])
    } catch {
      Console.print("failure: " + name + ": " + error.description)
    }
  }

  /// The official test values of the World Magnetic Model.
  static func computeField(_ table: UnsafeBufferPointer<Double>) {
    let model = MagneticModel.wmm2025
    let rows = table.count / 7
    var (wrong, total) = (0, UInt64(0))
    for row in 0..<rows {
      let values = UnsafeBufferPointer(rebasing: table[7 * row..<7 * row + 7])
      let begin = firmware_instructions()
      do throws(MagneticModelError) {
        let place = GeodeticPosition(
          latitude: Angle(degrees: values[2]), longitude: Angle(degrees: values[3]))
        let elements = try model.elements(
          at: place, ellipsoidalHeightMetres: values[1] * 1000, decimalYear: values[0])
        total += firmware_instructions() - begin
        let declination = elements.declination.degrees
        let inclination = elements.inclination.degrees
        let strength = elements.totalNanotesla
        // The table has two decimals of a degree and six of a nanotesla.
        let isRight =
          abs(declination - values[4]) <= 0.0051 && abs(inclination - values[5]) <= 0.0051
          && abs(strength - values[6]) <= 0.01
        if !isRight { wrong += 1 }
        if row % 10 == 0 { Console.print("field", row, [declination, inclination, strength]) }
      } catch {
        Console.print("failure: field")
      }
    }
    cost("field", total, by: rows, 0)
    Console.print(
      "official " + Console.decimal(UInt64(rows)) + " wrong " + Console.decimal(UInt64(wrong)))
  }

  /// Prints instructions a step and of the longest step.
  private static func cost(_ name: String, _ total: UInt64, by count: Int, _ most: UInt64) {
    guard firmware_resolution() > 0, count > 0 else { return }
    Console.print(
      "# " + name + " instructions " + Console.decimal(total / UInt64(count)) + " most "
        + Console.decimal(most))
  }

  private func cost(_ name: String, _ total: UInt64, by count: Int, _ most: UInt64) {
    Self.cost(name, total, by: count, most)
  }
}
