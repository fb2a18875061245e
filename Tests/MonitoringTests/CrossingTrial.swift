import Foundation
import Monitoring
import Quantities
import TestSupport

/// Random circles on a recorded track and beside it: the reported crossings against those of the record.
struct CrossingTrial: Sendable {
  var radiusMetres: Double
  /// Between two fixes, seconds; 0: all that were recorded.
  var intervalSeconds = 0.0
  /// One sigma of each axis of an added error with a correlation of two minutes, metres.
  var addedSigma = 0.0
  /// Whether the fixes have the receiver's speed and course.
  var hasVelocity = true
  var circles = 20
  var seed: UInt64 = 1

  /// The crossings of all circles.
  struct Score: CustomStringConvertible, Sendable {
    /// Clear crossings of the record.
    var expected = 0
    /// Of these, reported once; reported again; not reported.
    var (found, doubled, missed) = (0, 0, 0)
    /// Reported where the record crosses the boundary, but not clearly.
    var grazing = 0
    /// Reported where the record does not cross the boundary.
    var wrong = 0
    /// The reported times less the true ones, and the delay of the reports, seconds.
    var (errors, delays): ([Double], [Double]) = ([], [])

    static func + (a: Score, b: Score) -> Score {
      var sum = a
      sum.expected += b.expected
      sum.found += b.found
      sum.doubled += b.doubled
      sum.missed += b.missed
      sum.grazing += b.grazing
      sum.wrong += b.wrong
      sum.errors += b.errors
      sum.delays += b.delays
      return sum
    }

    static func percentile(_ values: [Double], _ share: Double) -> Double {
      let sorted = values.map { abs($0) }.sorted()
      return sorted.isEmpty ? 0 : sorted[Int(bounded: Double(sorted.count - 1) * share)]
    }

    var description: String {
      func text(_ values: [Double]) -> String {
        String(
          format: "%.1f/%.1f", Self.percentile(values, 0.5), Self.percentile(values, 0.95))
      }
      return "expected \(expected) found \(found) missed \(missed) doubled \(doubled) "
        + "grazing \(grazing) wrong \(wrong), time error \(text(errors)) s, "
        + "delay \(text(delays)) s (50/95 %)"
    }
  }

  /// The farthest circles are passed at this distance, metres.
  private static let besideMetres = 100.0

  private struct Crossing {
    var isEntry: Bool
    var time: UTCTime
  }

  /// East and north of the first fix, metres: a flat earth is enough for circles of some hundred.
  private struct Plane {
    let origin: GeodeticPosition
    let metresEast: Double

    init(_ origin: GeodeticPosition) {
      self.origin = origin
      metresEast = 111_320 * cos(origin.latitude.radians)
    }

    func metres(_ place: GeodeticPosition) -> SIMD2<Double> {
      SIMD2(
        (place.longitude.degrees - origin.longitude.degrees) * metresEast,
        (place.latitude.degrees - origin.latitude.degrees) * 111_200)
    }

    func place(_ metres: SIMD2<Double>) -> GeodeticPosition {
      GeodeticPosition(
        latitudeDegrees: origin.latitude.degrees + metres.y / 111_200,
        longitudeDegrees: origin.longitude.degrees + metres.x / metresEast)
    }
  }

  func run(_ track: RecordedTrack, _ tuning: MonitoringConfiguration) -> Score {
    var generator = SeededGenerator(seed: seed)
    let local = track.fixes.enumerated().map { index, fix in
      // The plane follows the drive.
      Plane(track.fixes[index / 600 * 600].position)
    }
    let centers = (0..<circles).map { _ -> GeodeticPosition in
      let index = Int.random(in: track.fixes.indices, using: &generator)
      let angle = Double.random(in: 0..<(2 * .pi), using: &generator)
      let share = Double.random(in: 0..<1, using: &generator).squareRoot()
      let away = (radiusMetres + Self.besideMetres) * share
      let plane = local[index]
      return plane.place(
        plane.metres(track.fixes[index].position) + SIMD2(cos(angle), sin(angle)) * away)
    }
    var configuration = tuning
    configuration.conditionLimit = circles
    configuration.pendingLimit = 1_000_000
    configuration.budget.pendingBytes = .max
    configuration.budget.registeredBytes = .max
    var monitor = ApplicationMonitor(configuration: configuration)
    for (number, center) in centers.enumerated() {
      monitor.perform(
        .startRegion(
          MonitoredRegion(
            identifier: "\(number)", condition: .circle(center: center, radiusMetres: radiusMetres))
        ), at: track.fixes[0].time)
    }
    var reported = [[Crossing]](repeating: [], count: circles)
    var delays = [[Double]](repeating: [], count: circles)
    let given = given(track, &generator)
    for fix in given {
      monitor.process(fix)
      for event in monitor.pending {
        switch event.kind {
        case .entered(let region), .exited(let region):
          guard let number = Int(region.identifier), let since = event.since else { break }
          let isEntry = if case .entered = event.kind { true } else { false }
          reported[number].append(Crossing(isEntry: isEntry, time: since))
          delays[number].append(event.time.seconds(since: since))
        default: break
        }
        monitor.perform(.acknowledge(sequence: event.sequence), at: event.time)
      }
    }
    return centers.indices.reduce(Score()) { sum, number in
      var truth = truth(track, centers[number])
      // Two fixes on each side decide; the record has them only away from its ends.
      let known = given.dropFirst().dropLast(2)
      truth.clear.removeAll { crossing in
        !known.contains { $0.time <= crossing.time } || !known.contains { $0.time >= crossing.time }
      }
      var score = compare(reported[number], truth)
      score.delays = delays[number]
      return sum + score
    }
  }

  /// The fixes of the receiver that the trial simulates.
  private func given(_ track: RecordedTrack, _ generator: inout SeededGenerator) -> [PlaceFix] {
    var fixes: [PlaceFix] = []
    var error = SIMD2<Double>.zero
    var last: UTCTime?
    for fix in track.fixes {
      let step = last.map { fix.time.seconds(since: $0) } ?? 1e9
      guard step >= intervalSeconds - 0.01 else { continue }
      last = fix.time
      var fix = fix
      if !hasVelocity { (fix.speedMetresPerSecond, fix.courseDegrees) = (nil, nil) }
      if addedSigma > 0 {
        let keep = exp(-step / 120)
        let size = addedSigma * (1 - keep * keep).squareRoot()
        error = error * keep + Self.normal(&generator) * size
        let plane = Plane(fix.position)
        fix.position = plane.place(error)
        let own = 1.51 * addedSigma
        fix.horizontalAccuracyMetres =
          (fix.horizontalAccuracyMetres * fix.horizontalAccuracyMetres + own * own).squareRoot()
      }
      fixes.append(fix)
    }
    return fixes
  }

  private static func normal(_ generator: inout SeededGenerator) -> SIMD2<Double> {
    let radius = (-2 * log(Double.random(in: 1e-12..<1, using: &generator))).squareRoot()
    let angle = Double.random(in: 0..<(2 * .pi), using: &generator)
    return SIMD2(cos(angle), sin(angle)) * radius
  }

  /// The clear crossings of the record, and all of them.
  private func truth(
    _ track: RecordedTrack, _ center: GeodeticPosition
  ) -> (clear: [Crossing], all: [Crossing]) {
    let plane = Plane(center)
    let outside = 30 + 2 * addedSigma
    let inside = min(outside, radiusMetres / 2)
    var (clear, all): ([Crossing], [Crossing]) = ([], [])
    var isInside: Bool?
    var before: (distance: Double, time: UTCTime)?
    for fix in track.fixes {
      let offset = plane.metres(fix.position)
      let distance = (offset * offset).sum().squareRoot() - radiusMetres
      if let before, (before.distance < 0) != (distance < 0) {
        let share = before.distance / (before.distance - distance)
        let seconds = fix.time.seconds(since: before.time) * share
        all.append(
          Crossing(isEntry: distance < 0, time: before.time.advanced(bySeconds: seconds)))
      }
      before = (distance, fix.time)
      let side: Bool? = distance < -inside ? true : distance > outside ? false : nil
      guard let side, side != isInside else { continue }
      if isInside != nil, let crossing = all.last(where: { $0.isEntry == side }) {
        clear.append(crossing)
      }
      isInside = side
    }
    return (clear, all)
  }

  /// The greatest difference between a true and a reported time of one crossing, seconds.
  private static let longestError = 60.0

  private func compare(
    _ reported: [Crossing], _ truth: (clear: [Crossing], all: [Crossing])
  ) -> Score {
    var score = Score()
    score.expected = truth.clear.count
    var open = truth.clear
    for crossing in reported {
      func error(_ other: Crossing) -> Double {
        other.isEntry == crossing.isEntry
          ? abs(crossing.time.seconds(since: other.time)) : .infinity
      }
      if let nearest = open.indices.min(by: { error(open[$0]) < error(open[$1]) }),
        error(open[nearest]) <= Self.longestError
      {
        score.found += 1
        score.errors.append(crossing.time.seconds(since: open[nearest].time))
        open.remove(at: nearest)
        continue
      }
      // Another one of the record that was not clear?
      switch truth.all.filter({ error($0) <= Self.longestError }).count {
      case 0:
        score.wrong += 1
      case 1 where truth.clear.contains(where: { error($0) <= Self.longestError }):
        score.doubled += 1
      default: score.grazing += 1
      }
    }
    score.missed = open.count
    return score
  }
}
