import Quantities
import RealModule

/// The headings of a level board in 36 cells of ten degrees.
enum HeadingCells {
  static var count: Int { 36 }
  /// A wider gap in the headings was not covered, radians.
  static var widestGap: Double { 25 * .pi / 180 }

  /// Limits the weight of each cell.
  static func weigh(
    _ samples: [EllipsoidSample], centre: SIMD3<Double>, axis: PlaneFit.Axis
  ) -> [EllipsoidSample] {
    let cells = samples.map { sample -> Int in
      let turn = (angle(sample.field - centre, axis) / (2 * .pi) + 0.5) * Double(count)
      return min(count - 1, max(0, Int(bounded: turn)))
    }
    return DirectionCells.weigh(samples, cells: cells, count: count)
  }

  /// The arc of headings that the undistorted field covered.
  static func arc(
    _ samples: [EllipsoidSample], _ state: EllipsoidState, axis: PlaneFit.Axis
  ) -> Angle {
    guard let inverse = state.shape.inverse else { return .zero }
    let angles = samples.map { angle(inverse * ($0.field - state.offset), axis) }.sorted()
    guard let last = angles.last else { return .zero }
    var arc = 2 * Double.pi
    var before = last - 2 * .pi
    for a in angles {
      if a - before > widestGap { arc -= a - before }
      before = a
    }
    return Angle(radians: max(0, arc))
  }

  private static func angle(_ v: SIMD3<Double>, _ axis: PlaneFit.Axis) -> Double {
    let (a, b) = ((axis.rawValue + 1) % 3, (axis.rawValue + 2) % 3)
    return Double.atan2(y: v[b], x: v[a])
  }
}
