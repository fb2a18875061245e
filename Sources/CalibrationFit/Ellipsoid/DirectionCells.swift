import Quantities

/// Weighs samples by how often their direction was seen.
///
/// Samples a fifth of a second apart share their errors: the field's unevenness in the room, the
/// distortion that is not linear. A hundred of them at one attitude say no more than a few.
enum DirectionCells {
  /// How many samples' weight a cell can have together.
  static var most: Double { 2 }

  /// How many samples of a cell are looked at; more only take time.
  static var mostKept: Int { 8 }

  /// Weighs the samples and leaves out those that would add nothing. A cell is a direction of the field
  /// seen from a centre (96 of about 22 degrees) together with one of gravity (26 of 45 degrees).
  static func weigh(_ samples: [EllipsoidSample], centre: SIMD3<Double>) -> [EllipsoidSample] {
    weigh(samples, cells: samples.map { cell($0, centre) }, count: fieldCells * gravityCells)
  }

  /// The same with cells of any kind, from 0 to `count`.
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
      // Evenly over the cell's samples: where the whole part of seen * share / count goes up.
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

  /// The cell on a cube's six faces, four by four each.
  private static func fieldCell(_ y: SIMD3<Double>) -> Int {
    let size = SIMD3(abs(y.x), abs(y.y), abs(y.z))
    let axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2
    let face = 2 * axis + (y[axis] < 0 ? 1 : 0)
    guard size[axis] > 0 else { return face * 16 }
    func step(_ part: Double) -> Int { min(3, max(0, Int((part / size[axis] + 1) * 2))) }
    return face * 16 + step(y[(axis + 1) % 3]) * 4 + step(y[(axis + 2) % 3])
  }
}
