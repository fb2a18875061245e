import CalibrationFit
import Chips
import Configuration
import Pipeline
import Quantities
import RealModule

/// The board's mount on the body: by gravity at rest, and by the course while it moves straight
/// ahead.
enum MountRule {
  /// Half of a right angle: nearer to other axis words than to those of the board file.
  private static let largest = 45.0
  /// From which on a level board's lean, or a difference from the course, is worth a trim, degrees.
  private static let worthTrim = 5.0
  /// Fewest fixes for a mean.
  private static let fewestFixes = 15
  /// Time on each side of a fix in which the attitude is averaged, s: a step of a walk.
  private static let averaging = 0.5

  /// By gravity.
  static func byGravity(_ data: CheckData, _ outcome: inout CheckOutcome) -> [CheckFinding] {
    var force = Spread()
    for row in data.rows(data.rest) {
      if let value = row.inertial?.specificForce?.components { force.add(value) }
    }
    guard let up = force.mean.normalized, force.count > 1 else { return [] }
    guard data.board.mount != .automatic else {
      outcome.notes.append("the board file has 'mount: auto': the mount is not judged")
      return []
    }
    guard data.isMountStated else {
      outcome.notes.append(
        "not shown by this recording: how the board is mounted; give --board or --mount for the mount to be judged"
      )
      return []
    }
    // A recording may contain a rest in another place than the usual one.
    guard !data.isRecording || isUsual(up, data) else { return [] }
    let inBody = data.board.mounting.rotate(up)
    let lean = Angle(radians: .acos(min(1, max(-1, -inBody.z)))).degrees
    outcome.add("lean of the board at rest", lean, 1, "degrees")
    if lean > largest {
      let axes = ["x", "y", "z"]
      let up3 = [up.x, up.y, up.z]
      let index = (0..<3).max { abs(up3[$0]) < abs(up3[$1]) } ?? 2
      let direction = up3[index] > 0 ? "up" : "down"
      let example = MountFinder.mount(up: up).map {
        ", such as mount: {x: \($0.x.rawValue), y: \($0.y.rawValue), z: \($0.z.rawValue)}"
      }
      return [
        CheckFinding(
          .wrongMount, on: "board", "it is mounted otherwise than its file states",
          figure:
            "gravity is \(CheckFigures.fixed(lean, 0)) degrees away from down: the board's \(axes[index]) points \(direction)",
          remedy: "set 'mount' in the board file\(example ?? "")")
      ]
    }
    if lean > worthTrim {
      outcome.notes.append(
        "the board leaned by \(CheckFigures.fixed(lean, 1)) degrees where it was laid down: if that is its place, set 'trim' "
          + "in the board file")
    }
    return []
  }

  /// Whether an upward direction is within 45 degrees of that of the whole recording.
  private static func isUsual(_ up: SIMD3<Double>, _ data: CheckData) -> Bool {
    var force = Spread()
    for row in data.rows {
      if let value = row.inertial?.specificForce?.components { force.add(value) }
    }
    guard let mean = force.mean.normalized else { return false }
    return mean.dot(up) > Double.cos(Angle(degrees: largest).radians)
  }

  /// By course, with the field of the fit: a stored calibration is not needed.
  static func byCourse(
    _ data: CheckData, _ mount: MountFinding, _ outcome: inout CheckOutcome
  ) -> [CheckFinding] {
    guard let span = data.spans[.walk], data.isMountStated else { return [] }
    let distortion = mount.solution.estimate.distortion
    guard let undone = distortion.shape.inverse, let declination = data.declination else {
      return []
    }
    let rows = data.rows((span.from, span.to.advanced(bySeconds: averaging)))
    var sum = SIMD2<Double>.zero
    var count = 0
    for fix in rows.compactMap(\.fix) {
      guard let course = fix.course, (fix.speedMetresPerSecond ?? 0) >= CheckGuide.leastSpeed
      else { continue }
      var (force, field) = (Spread(), Spread())
      for row in rows where abs(row.timestamp.seconds(since: fix.timestamp)) <= averaging {
        if let value = row.inertial?.specificForce?.components { force.add(value) }
        if let value = row.field?.field.components { field.add(value) }
      }
      guard let up = force.mean.normalized, field.count > 0 else { continue }
      let down = data.board.mounting.rotate(-up)
      let earth = data.board.mounting.rotate(undone * (field.mean - distortion.offset))
      let east = down.cross(earth)
      let north = east.cross(down)
      guard let e = east.normalized, let n = north.normalized else { continue }
      let heading = Double.atan2(y: e.x, x: n.x) + declination.radians
      let difference = heading - course.radians
      sum += SIMD2(.cos(difference), .sin(difference))
      count += 1
    }
    guard count >= fewestFixes else { return [] }
    let offset = Angle(radians: .atan2(y: sum.y, x: sum.x)).degrees
    outcome.add("heading less course", offset, 1, "degrees")
    if abs(offset) > largest {
      let words = abs(offset) > 135 ? "backward" : offset > 0 ? "right" : "left"
      return [
        CheckFinding(
          .wrongMount, on: "board", "it is mounted otherwise than its file states",
          figure:
            "its heading differs by \(CheckFigures.fixed(offset, 0)) degrees from the course in \(count) fixes",
          remedy:
            "set 'mount' in the board file: what it calls forward points \(words); or repeat it with the bow in front"
        )
      ]
    }
    if abs(offset) > worthTrim {
      outcome.notes.append(
        "heading and course differ by \(CheckFigures.fixed(offset, 1)) degrees: see lodestar calibrate mount and deviation"
      )
    }
    return []
  }
}

extension CheckData {
  /// The declination that the estimates use; nil without a place.
  var declination: Angle? {
    for estimate in estimates.reversed() {
      if let magnetic = estimate.magneticHeading, let heading = estimate.trueHeading {
        return (heading.angle - magnetic.angle).wrappedToHalfTurn
      }
    }
    return nil
  }
}
