import Board
import CalibrationFit
import Configuration
import Formats
import Foundation
import Pipeline
import Quantities
import Recording
import Simulation
import Storage
import Synchronization
import Testing

@Suite("A recording", .timeLimit(.minutes(30)))
struct RecordingTests {
  /// Collects what a pipeline takes, in its order.
  private final class Collector: PipelineTap {
    let items = Mutex<[RecordedItem]>([])
    let start = Mutex<StartState?>(nil)

    func begin(_ state: StartState) { start.withLock { $0 = state } }
    func record(_ fit: ForwardSolution) { add(.fit(fit)) }
    func record(_ given: GivenCalibration) { add(.given(given)) }
    func record(_ change: OnlineCalibrationEvent) { add(.change(change)) }
    func add(_ item: RecordedItem) { items.withLock { $0.append(item) } }
  }

  /// Runs a fit at once and gives its result some field samples later, as a thread would.
  private final class LateFits: RefitRunner {
    private let state = Mutex<(result: ForwardSolution?, wait: Int)>((nil, 0))

    func begin(_ job: RefitJob) {
      let isFree = state.withLock { $0.wait == 0 && $0.result == nil }
      guard isFree else { return }
      do {
        let result = try job.run()
        state.withLock { $0 = (result, 37) }
      } catch {}
    }

    func nextResult() -> ForwardSolution? {
      state.withLock { state in
        if state.wait > 0 { state.wait -= 1 }
        guard state.wait == 0 else { return nil }
        defer { state.result = nil }
        return state.result
      }
    }
  }

  /// Gives a calibration at one field sample.
  private final class GivenOnce: CalibrationHandOver {
    private let count = Mutex(0)
    let given: GivenCalibration
    let at: Int

    init(_ given: GivenCalibration, at: Int) { (self.given, self.at) = (given, at) }

    func nextGiven() -> GivenCalibration? {
      count.withLock { $0 += 1 } as Void
      return count.withLock { $0 == at ? given : nil }
    }
  }

  private static func rows(_ board: Board) throws -> SimulatedBoardSamples {
    try SimulatedBoardSamples(
      board, scenario: .calibrationByHand, seed: 3,
      startUTC: try #require(UTCTime(year: 2026, month: 7, day: 1)))
  }

  private static func given() -> GivenCalibration {
    var given = GivenCalibration(
      .fitted(
        MagnetometerCalibration(
          softIron: Matrix3(rows: SIMD3(1.01, 0.001, 0), SIMD3(0.001, 0.99, 0), SIMD3(0, 0, 1)),
          hardIron: MagneticField(microtesla: SIMD3(1.0 / 3, -2, 0.7)), quality: .fair,
          predictedHeadingError: Angle(radians: 0.07))))
    given.parts = GivenCalibration.Parts(
      inertialCorrection: {
        var correction = InertialCorrection()
        correction.rateBias = SIMD3(0.001, -0.002, 1e-9)
        correction.rateSlope = (SIMD3(1e-5, 0, 0), 21.3)
        return correction
      }(), deviation: nil, loadMicroteslaPerUnit: nil)
    return given
  }

  /// Plays the simulated board, and records what a recorder would.
  private static func record(
    _ configuration: PipelineConfiguration, seconds: Double
  ) throws -> (bytes: [UInt8], estimates: Int, kinds: Set<String>) {
    let tap = Collector()
    var configuration = configuration
    configuration.tap = tap
    var pipeline = Pipeline(configuration: configuration)
    var source = try rows(configuration.board)
    var count = 0
    while var row = try source.next(), row.timestamp.seconds < seconds {
      pipeline.complete(&row)
      tap.add(.row(row))
      pipeline.process(row)
      count += 1
      if count % 5 == 0 || row.hasFix { tap.add(.estimate(pipeline.estimate)) }
    }
    let description = RecordingDescription(
      program: "test", board: configuration.board, mounting: configuration.board.mounting,
      start: tap.start.withLock { $0 }, hasPosition: true, offset: 1_000_000, series: "a.mcap")
    var encoder = RecordingEncoder(description, at: 1)
    var (time, estimates, kinds) = (UInt64(1000), 0, Set<String>())
    for item in tap.items.withLock({ $0 }) {
      time += 10
      encoder.add(item, at: time)
      switch item {
      case .estimate: estimates += 1
      case .fit: kinds.insert("fit")
      case .given: kinds.insert("given")
      case .change: kinds.insert("change")
      default: break
      }
    }
    encoder.finish()
    return (encoder.removeBytes(), estimates, kinds)
  }

  /// Replays a recording and counts the estimates that are equal to the last bit.
  private static func replay(
    _ bytes: [UInt8], changing change: (inout SensorSamples) -> Void = { _ in }
  ) throws -> (equal: Int, first: String?) {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).mcap")
    try Data(bytes).write(to: url)
    defer { unlink(url.path) }
    var recording = try OpenedRecording(path: url.path)
    var pipeline = Pipeline(configuration: try #require(recording.exact?.configuration))
    var (equal, first): (Int, String?) = (0, nil)
    while var row = try recording.next() {
      change(&row)
      pipeline.process(row)
      guard let recorded = recording.exact?.estimate else { continue }
      let names = recorded.differences(
        from: EstimateMessage(pipeline.estimate, nanoseconds: 0))
      if names.isEmpty { equal += 1 } else { first = first ?? "\(recorded.clock): \(names)" }
    }
    return (equal, first)
  }

  @Test("with fits beside the pipeline and a given calibration is replayed to the last bit")
  func asynchronous() throws {
    var configuration = PipelineConfiguration()
    configuration.board = .simulated
    configuration.isSimulated = true
    configuration.onlineCalibration = true
    configuration.utcAtStart = UTCTime(year: 2026, month: 7, day: 1)
    configuration.refitRunner = LateFits()
    configuration.handOver = GivenOnce(Self.given(), at: 9000)
    let recorded = try Self.record(configuration, seconds: 150)
    #expect(recorded.kinds == ["fit", "given", "change"])
    let replayed = try Self.replay(recorded.bytes)
    #expect(replayed.equal == recorded.estimates && replayed.first == nil, "\(replayed)")
  }

  @Test("with fits on the pipeline's thread is replayed to the last bit")
  func inline() throws {
    var configuration = PipelineConfiguration()
    configuration.board = .simulated
    configuration.onlineCalibration = true
    configuration.activity = .otherNavigation
    configuration.qnhHectopascal = 1002.3
    let recorded = try Self.record(configuration, seconds: 100)
    let replayed = try Self.replay(recorded.bytes)
    #expect(replayed.equal == recorded.estimates && replayed.first == nil, "\(replayed)")
    // The comparison finds the last bit of one number. (That of a rate of turn is less than the
    // last of an attitude.)
    let changed = try Self.replay(recorded.bytes) { row in
      guard let field = row.field?.field.components, row.timestamp.seconds > 90 else { return }
      row.field?.field = MagneticField(components: SIMD3(field.x.nextUp, field.y, field.z))
    }
    #expect(changed.equal < recorded.estimates && changed.first?.contains("field_x") == true)
    #expect(changed.equal > recorded.estimates / 2)
  }

  @Test("keeps every part of its start to the last bit")
  func startState() throws {
    var c = PipelineConfiguration()
    c.board = .simulated
    c.board.name = "a \"name\""
    c.board.trim = AttitudeAngles(
      heading: Angle(radians: 0.1), pitch: Angle(radians: -1.0 / 3), roll: Angle(radians: 1e-17))
    c.fullScale = SensorFullScale(
      radiansPerSecond: 34.9, metresPerSecondSquared: nil, microtesla: 4900)
    c.calibration = Self.given().choice
    c.inertialCorrection = Self.given().parts?.inertialCorrection
    c.keptDeviation = StoredDeviation(
      model: "road", coefficients: [1.0 / 7, .infinity], covariance: [0.1], coverageDegrees: 270,
      made: UTCTime(nanosecondsSince1970: 1_795_615_385_123_456_789))
    c.activity = .airborne
    c.utcAtStart = UTCTime(nanosecondsSince1970: 1_795_615_385_123_456_789)
    c.qnhHectopascal = 1013.1
    c.onlineCalibration = true
    c.load = LoadCompensation(fieldPerUnit: SIMD3(0.3, 0, -1), isStored: true)
    let json = StartState(c).json
    let read = try StartState(json: json)
    #expect(read.json == json)
    #expect(
      read.configuration.board.trim == c.board.trim && read.configuration.board.name == c.board.name
    )
    #expect(read.configuration.board.sensors == c.board.sensors)
    #expect(read.configuration.calibration == c.calibration)
    #expect(read.configuration.keptDeviation == c.keptDeviation)
    #expect(throws: StartStateFault.self) { try StartState(json: Array("{}".utf8)) }
    #expect(throws: StartStateFault.self) { try StartState(json: Array("nonsense".utf8)) }
  }
}
