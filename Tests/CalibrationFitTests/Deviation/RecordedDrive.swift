import CalibrationFit
import Foundation
import Quantities
import TestSupport

/// A car drive that a phone recorded once a second, as epochs.
///
/// The phone's mount is unknown: forward is its most level axis. The field is rotated by the mean
/// attitude only, because the phone's iron is stronger than the earth's field (see
/// `DeviationEpoch.levelField`).
struct RecordedDrive {
  private(set) var epochs: [DeviationEpoch] = []

  private struct Row {
    var seconds, course, accuracy, speed: Double
    var field, gravity, rate: SIMD3<Double>
  }

  /// Nil where the recording is absent.
  init?(_ name: String) {
    guard let bytes = SharedData.bytes("data/drives/" + name) else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
    guard let header = lines.first else { return nil }
    let names = header.split(separator: ",").map { String($0) }
    let rows = lines.dropFirst().compactMap { Self.row($0, names) }
    let moving = rows.filter { $0.speed > 3 }.map(\.gravity)
    guard let first = rows.first, let down = Self.median(moving).normalized.map({ -$0 }) else {
      return nil
    }
    let axes = [SIMD3<Double>(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1)].sorted {
      abs($0.dot(down)) < abs($1.dot(down))
    }
    guard let forward = (axes[0] - down * axes[0].dot(down)).normalized else { return nil }
    let right = down.cross(forward)
    for row in rows {
      guard let downNow = row.gravity.normalized.map({ -$0 }) else { continue }
      epochs.append(
        DeviationEpoch(
          timestamp: Timestamp(
            nanoseconds: UInt64(bounded: (row.seconds - first.seconds + 1) * 1e9)),
          levelField: SIMD2(row.field.dot(forward), row.field.dot(right)),
          // 12 degrees west, where all three were driven.
          course: Angle(degrees: row.course + 12),
          courseAccuracy: row.accuracy > 0 ? Angle(degrees: row.accuracy) : nil,
          speedMetresPerSecond: row.speed,
          rateOfTurn: AngularSpeed(radiansPerSecond: row.rate.dot(downNow)),
          tilt: Angle(radians: acos(min(1, max(-1, downNow.dot(down)))))))
    }
  }

  private static func row(_ line: Substring, _ names: [String]) -> Row? {
    let cells = line.split(separator: ",", omittingEmptySubsequences: false)
    func number(_ name: String) -> Double? {
      names.firstIndex(of: name).flatMap { Double(cells[$0]) }
    }
    func vector(_ name: String) -> SIMD3<Double>? {
      guard let x = number(name + "_x"), let y = number(name + "_y"), let z = number(name + "_z")
      else { return nil }
      return SIMD3(x, y, z)
    }
    guard let place = names.firstIndex(of: "time"), let field = vector("mag"),
      let gravity = vector("grav"), let rate = vector("gyro"), let course = number("bearing"),
      let speed = number("speed"), course >= 0, speed >= 0
    else { return nil }
    // 2023-08-09 16:37:45+00:00; none of them lasts over two midnights.
    let parts = cells[place].dropFirst(8).prefix(11).split { $0 == " " || $0 == ":" }
    let time = parts.compactMap { Double($0) }
    guard time.count == 4 else { return nil }
    return Row(
      seconds: ((time[0] * 24 + time[1]) * 60 + time[2]) * 60 + time[3], course: course,
      accuracy: number("bearingAccuracy") ?? 0, speed: speed, field: field, gravity: gravity,
      rate: rate)
  }

  private static func median(_ vectors: [SIMD3<Double>]) -> SIMD3<Double> {
    guard !vectors.isEmpty else { return .zero }
    let middle = vectors.count / 2
    return SIMD3(
      vectors.map(\.x).sorted()[middle], vectors.map(\.y).sorted()[middle],
      vectors.map(\.z).sorted()[middle])
  }
}

/// The errors of a learner's model of a minute ago on headings that differ from the last ones.
struct DriveScore {
  /// Heading less course, degrees, each of one second's field alone.
  private(set) var errors: [Double] = []
  /// The same of the best constant heading, chosen in hindsight.
  private(set) var constantErrors: [Double] = []
  private(set) var candidates = 0
  private(set) var verdicts: [DeviationVerdict] = []

  init(_ drive: RecordedDrive, _ parameters: DeviationLearner.Parameters = .road) {
    var learner = DeviationLearner(parameters)
    var past: [(seconds: Double, course: Angle, model: DeviationModel?)] = []
    var (k, courses) = (0, [Double]())
    for epoch in drive.epochs {
      let verdict = learner.learn(epoch)
      if case .skipped = verdict { continue }
      verdicts.append(verdict)
      let now = epoch.timestamp.seconds
      past.append((now, epoch.course, learner.model))
      while past[k + 1 < past.count ? k + 1 : k].seconds <= now - 60, k + 1 < past.count { k += 1 }
      guard past[k].seconds <= now - 60,
        abs((epoch.course - past[k].course).wrappedToHalfTurn.degrees) > 30
      else { continue }
      candidates += 1
      guard let predicted = past[k].model?.heading(ofField: epoch.levelField) else { continue }
      errors.append((predicted - epoch.course).wrappedToHalfTurn.degrees)
      courses.append(epoch.course.radians)
    }
    let mean = atan2(courses.map { sin($0) }.reduce(0, +), courses.map { cos($0) }.reduce(0, +))
    constantErrors = courses.map { Angle(radians: $0 - mean).wrappedToHalfTurn.degrees }
  }

  static func median(_ errors: [Double]) -> Double {
    errors.isEmpty ? .infinity : errors.map { abs($0) }.sorted()[errors.count / 2]
  }

  static func rms(_ errors: [Double]) -> Double {
    (errors.reduce(0) { $0 + $1 * $1 } / Double(max(1, errors.count))).squareRoot()
  }
}
