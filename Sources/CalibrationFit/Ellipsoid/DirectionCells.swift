import Quantities

/// Weights samples by the number of samples in the same direction.
///
/// Samples a fifth of a second apart have common errors: local field distortion, and errors that
/// are not linear. A hundred at one attitude have the information of a few.
enum DirectionCells {
  /// Maximum total weight of a cell, samples.
  static var most: Double { 2 }

  /// Maximum number of samples used of a cell; more only take time.
  static var mostKept: Int { 8 }

  /// Weights the samples and removes redundant ones. A cell is a direction of the field from a
  /// centre (96 of about 22 degrees) with one of gravity (26 of 45 degrees).
  static func weigh(_ samples: [EllipsoidSample], centre: SIMD3<Double>) -> [EllipsoidSample] {
    weigh(samples, cells: samples.map { cell($0, centre) }, count: fieldCells * gravityCells)
  }

  /// The same with any cells, from 0 to `count`.
  static func weigh(
    _ samples: [EllipsoidSample], cells: [Int], count: Int
  ) -> [EllipsoidSample] {
    var counts = [Int](repeating: 0, count: count)
    for c in cells { counts[c] += 1 }
    var seen = [Int](repeating: 0, count: count)
    var kept: [EllipsoidSample] = []
    for (sample, c) in zip(samples, cells) {
      let share = min(mostKept, counts[c])
      seen[c] += 1
      // Samples are selected evenly in the cell: those at which the whole part of seen * share /
      // count increases.
      guard seen[c] * share / counts[c] > (seen[c] - 1) * share / counts[c] else { continue }
      var weighed = sample
      weighed.weight = min(1, most / Double(share))
      kept.append(weighed)
    }
    return kept
  }

  private static var fieldCells: Int { 96 }
  private static var gravityCells: Int { 27 }

  private static func cell(_ s: EllipsoidSample, _ centre: SIMD3<Double>) -> Int {
    var gravity = 0
    for i in 0..<3 {
      let part = s.down?[i] ?? 0
      gravity = gravity * 3 + (part > 0.5 ? 2 : part < -0.5 ? 0 : 1)
    }
    return fieldCell(s.field - centre) * gravityCells + gravity
  }

  /// The cell on the six faces of a cube, four by four each.
  private static func fieldCell(_ y: SIMD3<Double>) -> Int {
    let size = SIMD3(abs(y.x), abs(y.y), abs(y.z))
    let axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2
    let face = 2 * axis + (y[axis] < 0 ? 1 : 0)
    guard size[axis] > 0 else { return face * 16 }
    func step(_ part: Double) -> Int { min(3, max(0, Int(bounded: (part / size[axis] + 1) * 2))) }
    return face * 16 + step(y[(axis + 1) % 3]) * 4 + step(y[(axis + 2) % 3])
  }
}
