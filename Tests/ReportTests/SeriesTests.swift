import Quantities
import RealModule
import Report
import TestSupport
import Testing

@Suite("What an analysis keeps of a series", .timeLimit(.minutes(30)))
struct SeriesTests {
  @Test("a long series has at most its capacity of intervals, and no extreme is lost")
  func decimated() throws {
    var series = DecimatedSeries(capacity: 100)
    var (low, high) = (0.0, 0.0)
    for k in 0..<100_000 {
      let value = k == 77_777 ? 50 : k == 33_333 ? -40 : Double.sin(Double(k) / 500)
      (low, high) = (min(low, value), max(high, value))
      series.add(value, at: Double(k) * 0.005)
    }
    #expect((40...100).contains(series.intervals.count), "\(series.intervals.count)")
    #expect(series.range == low...high && high == 50)
    let line = try #require(series.lines.first)
    #expect(series.lines.count == 1)
    #expect(zip(line, line.dropFirst()).allSatisfy { $0.x <= $1.x })
    // The extremes stand where they were, to the length of an interval.
    let peak = try #require(line.first { $0.y == 50 })
    #expect(abs(peak.x - 77_777 * 0.005) < 500.0 / 40)
  }

  @Test("a line ends where values are missing, and at a gap")
  func interrupted() {
    var series = DecimatedSeries()
    for k in 0..<50 { series.add(1, at: Double(k)) }
    series.interrupt()
    for k in 50..<100 { series.add(2, at: Double(k)) }
    for k in 0..<50 { series.add(3, at: 500 + Double(k)) }
    #expect(series.lines.map { $0.map(\.y).min() } == [1, 2, 3])
    #expect(series.lines.map { $0.first?.x } == [0, 50, 500])
  }

  @Test("the least value before the greatest is drawn before it")
  func order() {
    var series = DecimatedSeries(capacity: 2)
    // After 7 s the intervals are 4.1 s long.
    for (k, value) in [5.0, 1, 9, 5, 5, 9, 1, 5].enumerated() { series.add(value, at: Double(k)) }
    #expect(series.lines.joined().map(\.y) == [1, 9, 9, 1])
  }

  @Test("an angle is continuous through north")
  func continuous() {
    var angle = ContinuousAngle()
    let values = [350, 359, 2, 10, 355, 340, 165, 350].map { angle.next($0) }
    #expect(values == [350, 359, 362, 370, 355, 340, 165, -10])
    #expect(angle.nearest(5) == 5)
  }

  @Test("quantiles are those of the values by weight, also beyond the first classes")
  func quantiles() throws {
    var histogram = WeightedHistogram(0...10, width: 0.01)
    for k in 0..<1000 { histogram.add(Double(k) / 100) }
    #expect(abs(try #require(histogram.quantile(0.9)) - 9) < 0.02)
    histogram.add(5, weight: 9000)
    #expect(abs(try #require(histogram.quantile(0.9)) - 5) < 0.02)
    #expect(abs(try #require(histogram.share(below: 5)) - 0.05) < 0.001)
    for _ in 0..<90_000 { histogram.add(-35) }
    #expect(abs(try #require(histogram.median) + 35) < 0.1)
    #expect(histogram.range == -35...9.99)
    #expect(WeightedHistogram(0...1, width: 0.1).median == nil)
  }

  @Test("spans are counted, also beyond those that are drawn")
  func spans() {
    var list = SpanList()
    for k in 0..<1000 { list.add(k % 4 == 1 || k % 4 == 2 && k > 900, at: Double(k)) }
    list.end(at: 1000)
    #expect(list.count == 250)
    #expect(list.spans.count <= 100)
    #expect(list.longest.map { $0.upperBound - $0.lowerBound } == 2)
  }
}

@Suite("The intervals of a sensor", .timeLimit(.minutes(30)))
struct SensorIntervalsTests {
  private func intervals(_ times: [Double]) -> SensorIntervals {
    var intervals = SensorIntervals()
    for time in times {
      intervals.add(
        Timestamp(nanoseconds: UInt64(bounded: time * 1e9)), start: Timestamp(nanoseconds: 0))
    }
    return intervals
  }

  @Test("rate, jitter and gaps are those of the samples")
  func figures() throws {
    // 100 a second, alternately 0.2 ms early and late; 30 samples are missing after 4 s.
    var times: [Double] = []
    for k in 0..<1000 where k < 400 || k >= 430 {
      times.append(Double(k) * 0.01 + (k % 2 == 0 ? 0 : 0.000_2))
    }
    let found = intervals(times)
    #expect(abs(try #require(found.median) - 0.01) < 0.000_3)
    #expect(abs(try #require(found.jitter) - 0.000_2) < 0.000_002)
    #expect(found.gaps.count == 1)
    #expect(abs(found.gaps.seconds - 0.31) < 0.001)
    let longest = try #require(found.longest)
    #expect(abs(longest.seconds - 0.31) < 0.001 && abs(longest.from - 3.99) < 0.001)
    #expect(abs(try #require(found.rate) - 969 / 9.9902) < 0.01)
  }

  @Test("repeated times and steps back are counted, and are no intervals")
  func disordered() {
    let found = intervals([1, 2, 2, 3, 2.5, 4])
    #expect(found.disordered == 2)
    #expect(found.longest?.seconds == 1)
    #expect(intervals([1]).median == nil && intervals([1]).rate == nil)
  }
}

@Suite("The Allan deviation", .timeLimit(.minutes(30)))
struct AllanDeviationTests {
  private static let interval = 0.01

  private func points(_ samples: [Double]) -> [AllanDeviation.Point] {
    var allan = AllanDeviation()
    for (k, sample) in samples.enumerated() {
      allan.add(SIMD3(sample, 2 * sample, 0), after: k == 0 ? nil : Self.interval)
    }
    return allan.points
  }

  private func noise(_ count: Int) -> [Double] {
    var random = SeededGenerator(seed: 7)
    // The sum of twelve is nearly normal with a variance of 1.
    return (0..<count).map { _ in
      (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0..<1, using: &random) }
    }
  }

  @Test("white noise falls with the root of the averaging time")
  func white() throws {
    let points = points(noise(65_536))
    for point in points where point.count > 200 {
      let expected = (Self.interval / point.seconds).squareRoot()
      #expect(abs(point.deviation.x / expected - 1) < 0.12, "\(point)")
      #expect(abs(point.deviation.y / point.deviation.x - 2) < 1e-9)
      #expect(point.deviation.z == 0)
    }
    #expect(points.count > 10)
    #expect(abs(points[3].seconds - 0.08) < 1e-9)
  }

  @Test("a random walk rises with the root of the averaging time")
  func randomWalk() {
    var sum = 0.0
    let points = points(
      noise(65_536).map { step in
        sum += step
        return sum
      })
    // K² τ / 3 with K² = 1 / interval for steps of 1.
    for point in points where point.count > 200 && point.seconds > 0.1 {
      let expected = (point.seconds / Self.interval / 3).squareRoot()
      #expect(abs(point.deviation.x / expected - 1) < 0.2, "\(point)")
    }
  }

  @Test("a step between two rests is no noise")
  func interrupted() {
    var allan = AllanDeviation()
    for rest in 0..<2 {
      for k in 0..<64 { allan.add(SIMD3(Double(rest) * 100, 0, 0), after: k == 0 ? nil : 0.1) }
      allan.interrupt()
    }
    #expect(allan.points.count == 5)
    #expect(allan.points.allSatisfy { $0.deviation.x == 0 })
    #expect(abs(allan.duration - 12.6) < 1e-9)
  }
}
