import Quantities

/// Fixes around one place: their middle, their scatter, and a thinned list of samples.
struct Stay: Codable, Sendable {
  struct Sample: Codable, Sendable {
    var time: UTCTime
    var point: EarthPoint
  }
  /// The most samples; beyond it every second one is removed.
  private static let largestCount = 64
  /// The largest weight of the past, in fixes: the middle follows a slow drift of the receiver.
  private static let memory = 600.0

  private(set) var middle: EarthPoint
  private var weight: Double
  /// Mean square of the distance from the middle, square metres.
  private var scatterSquare = 0.0
  private var accuracySquare: Double
  private(set) var first: UTCTime
  private(set) var last: UTCTime
  private(set) var count = 1
  private var samples: [Sample]
  private var sampleSeconds = 10.0
  /// The time of the newest fix near the middle, not only within the stay's radius.
  private(set) var lastClose: UTCTime
  /// True where the stay began before the first fix.
  var isFromStart: Bool

  init(_ fix: MonitoredFix, isFromStart: Bool) {
    middle = fix.point
    weight = Self.weight(fix)
    accuracySquare = fix.accuracy * fix.accuracy
    (first, last, lastClose) = (fix.fix.time, fix.fix.time, fix.fix.time)
    samples = [Sample(time: fix.fix.time, point: fix.point)]
    self.isFromStart = isFromStart
  }

  private static func weight(_ fix: MonitoredFix) -> Double {
    let metres = max(5, fix.accuracy)
    return 1 / (metres * metres)
  }

  mutating func add(_ fix: MonitoredFix) {
    let new = Self.weight(fix)
    let share = new / (weight + new)
    let offset = fix.point.vector - middle.vector
    middle.vector += offset * share
    // Not limited by the newest fix: one poor fix would make the next good ones move the middle.
    weight = weight * (1 - 1 / Self.memory) + new
    let step = max(share, 1 / Self.memory)
    scatterSquare += ((offset * offset).sum() - scatterSquare) * step
    accuracySquare += (fix.accuracy * fix.accuracy - accuracySquare) * step
    last = fix.fix.time
    count += 1
    if isClose(fix.point) { lastClose = fix.fix.time }
    if let sample = samples.last, fix.fix.time.seconds(since: sample.time) >= sampleSeconds {
      samples.append(Sample(time: fix.fix.time, point: fix.point))
      if samples.count > Self.largestCount {
        samples = samples.enumerated().filter { $0.offset % 2 == 0 }.map { $0.element }
        sampleSeconds *= 2
      }
    }
  }

  /// Moves times in the future to now.
  mutating func clockWasSet(to time: UTCTime) {
    (last, lastClose) = (min(last, time), min(lastClose, time))
  }

  var seconds: Double { last.seconds(since: first) }

  /// The radius that held 68 % of the fixes, metres.
  var scatterMetres: Double { (1.14 * scatterSquare).squareRoot() }

  /// The radius that holds the middle with 68 % probability: errors of one place do not average
  /// out.
  var accuracyMetres: Double { max(accuracySquare.squareRoot(), scatterMetres) }

  /// The distance of a fix from the middle, metres.
  func distance(of fix: MonitoredFix) -> Double { middle.distance(to: fix.point) }

  /// Near the middle: well within the stay's radius.
  private func isClose(_ point: EarthPoint) -> Bool {
    middle.distance(to: point) <= max(40, 1.5 * accuracyMetres)
  }

  /// The arrival: the time of the first sample near the middle.
  var arrival: UTCTime { samples.first { isClose($0.point) }?.time ?? first }

  /// The last part of the samples that is within a radius of their end, without the approach.
  ///
  /// One sample outside is an outlier; two in a row belong to the approach.
  func settled(within metres: Double) -> Stay {
    let tail = samples.suffix(max(1, samples.count / 3))
    let end = EarthPoint(vector: Self.mean(tail))
    var start = samples.count - 1
    var strays = 0
    for index in samples.indices.reversed() {
      if end.distance(to: samples[index].point) <= max(metres, 2 * accuracySquare.squareRoot()) {
        (start, strays) = (index, 0)
      } else {
        strays += 1
        if strays > 1 { break }
      }
    }
    guard start > 0 else { return self }
    var stay = self
    stay.samples = Array(samples[start...])
    stay.first = samples[start].time
    // A poor first fix is no approach.
    if stay.first.seconds(since: first) > 60 { stay.isFromStart = false }
    stay.middle = EarthPoint(vector: Self.mean(stay.samples[...]))
    let square = stay.samples.reduce(0) {
      let offset = $1.point.vector - stay.middle.vector
      return $0 + (offset * offset).sum()
    }
    stay.scatterSquare = square / Double(stay.samples.count)
    return stay
  }

  private static func mean(_ part: ArraySlice<Sample>) -> SIMD3<Double> {
    part.reduce(SIMD3<Double>.zero) { $0 + $1.point.vector } / Double(part.count)
  }
}
