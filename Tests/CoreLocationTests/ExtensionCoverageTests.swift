import Board
import Configuration
import CoreLocation
import EarthModel
import Pipeline
import Quantities
import Recording
import Simulation
import TestSupport
import Testing

/// Whether the radius of a confidence contains that share of positions.
@Suite(.timeLimit(.minutes(30))) struct ExtensionCoverageTests {
  private static let confidences = [0.5, 0.68, 0.95, 0.99]

  /// Reproducible normal numbers (Marsaglia and Bray's polar method over SplitMix64).
  private struct Normals {
    private var state: UInt64 = 7

    private mutating func uniform() -> Double {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return Double((z ^ (z >> 31)) >> 11) * 0x1p-53
    }

    mutating func pair() -> (Double, Double) {
      while true {
        let (a, b) = (2 * uniform() - 1, 2 * uniform() - 1)
        let s = a * a + b * b
        guard s > 0, s < 1 else { continue }
        let factor = (-2 * log(s) / s).squareRoot()
        return (a * factor, b * factor)
      }
    }
  }

  @Test(
    "the radius contains its share of errors with a covariance",
    arguments: [(3.0, 3.0, 0.0), (5, 1, 0), (4, 2, 0.8), (6, 0.01, 0)])
  func drawn(east: Double, north: Double, correlation: Double) {
    let covariance = CLCovariance(
      position: .init(
        eastEast: east * east, northNorth: north * north, upUp: 1,
        eastNorth: correlation * east * north))
    let radii = Self.confidences.map { covariance.horizontalRadius(confidence: $0) }
    var inside = [Int](repeating: 0, count: radii.count)
    var normals = Normals()
    let count = 20_000
    for _ in 0..<count {
      let (u, v) = normals.pair()
      let x = east * u
      let y = north * (correlation * u + (1 - correlation * correlation).squareRoot() * v)
      let distance = (x * x + y * y).squareRoot()
      for (place, radius) in radii.enumerated() where distance <= radius { inside[place] += 1 }
    }
    for (place, p) in Self.confidences.enumerated() {
      // Four sigma of the binomial distribution.
      let tolerance = 4 * (p * (1 - p) / Double(count)).squareRoot()
      let share = Double(inside[place]) / Double(count)
      #expect(abs(share - p) < tolerance, "\(share) of \(p)")
    }
  }

  @Test("the radius of a simulated receiver's fixes contains its share of true positions")
  func simulated() throws {
    // In motion: at rest the place is held, and is one trial.
    var scenario = Scenario.levelRover
    // The correlation time of the error is five seconds, so every tenth second is an independent
    // trial.
    scenario.receiver?.driftSeconds = 5
    scenario.durationSeconds = 900
    let board = Board(name: "receiver alone", receiver: Board.Receiver(port: "/dev/serial0"))
    var configuration = PipelineConfiguration()
    (configuration.board, configuration.isSimulated) = (board, true)
    var inside = [Int](repeating: 0, count: Self.confidences.count)
    var count = 0
    for seed in UInt64(1)...16 {
      let start = try #require(UTCTime(year: 2026, month: 6, day: 1, hour: 12))
      var rows = try SimulatedBoardSamples(board, scenario: scenario, seed: seed, startUTC: start)
      let truth = rows.truth
      var pipeline = Pipeline(configuration: configuration)
      var fixes = 0
      while let row = try rows.next() {
        pipeline.process(row)
        guard row.fix?.position != nil else { continue }
        fixes += 1
        guard fixes % 10 == 0 else { continue }
        let estimate = pipeline.estimate
        let values = LocationValues(
          estimate, receivedAt: Date(timeIntervalSince1970: 0), isLive: true)
        let place = CLLocation(try #require(values))
        #expect(place.covariance != nil)
        let real = truth(row.timestamp).position
        let distance = Geodesic.inverse(from: try #require(estimate.position), to: real)
          .distanceMetres
        count += 1
        for (index, p) in Self.confidences.enumerated()
        where distance <= place.horizontalAccuracy(confidence: p) { inside[index] += 1 }
      }
    }
    #expect(count > 1300)
    for (index, p) in Self.confidences.enumerated() {
      let share = Double(inside[index]) / Double(count)
      // Four sigma of the binomial distribution, slightly wider for the remaining correlation.
      let tolerance = 5 * (p * (1 - p) / Double(count)).squareRoot()
      #expect(abs(share - p) < tolerance, "\(share) of \(p)")
    }
  }

  /// Logs of receivers that did not move.
  private static let stillLogs = [
    "neo-m8n", "ublox-neo-m8n", "ublox-neo-m8p", "quectel-L70", "telit-pls83-w",
    "ublox-zed-f9p-rtk", "ublox8-uniqid-monhw", "gp-320fw-2019-04-06-overflow", "rx210",
  ]

  /// The true positions of these receivers are not known. The mean of the fixes replaces them, from
  /// which the fixes deviate less.
  @Test(
    "fixes of recorded receivers at rest stay within the radius, measured from their mean",
    .enabled(if: SharedData.path("data/gnss") != nil, "the reference data is absent"),
    arguments: stillLogs)
  func recorded(name: String) throws {
    let path = try #require(SharedData.path("data/gnss/\(name).log"))
    var recording = try OpenedRecording(path: path)
    var pipeline = Pipeline()
    var places: [CLLocation] = []
    while let row = try recording.next() {
      pipeline.process(row)
      guard row.fix?.position != nil,
        let values = LocationValues(
          pipeline.estimate, receivedAt: Date(timeIntervalSince1970: 0), isLive: false),
        values.horizontalAccuracy >= 0
      else { continue }
      places.append(CLLocation(values))
    }
    #expect(places.count >= 5)
    let count = Double(places.count)
    let mean = CLLocation(
      latitude: places.reduce(0) { $0 + $1.coordinate.latitude } / count,
      longitude: places.reduce(0) { $0 + $1.coordinate.longitude } / count)
    for p in [0.68, 0.95] {
      let inside = places.filter { $0.distance(from: mean) <= $0.horizontalAccuracy(confidence: p) }
      let share = Double(inside.count) / count
      #expect(share >= p, "\(share) of \(p)")
    }
  }
}
