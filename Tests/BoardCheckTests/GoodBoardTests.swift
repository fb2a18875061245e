import BoardCheck
import Configuration
import Quantities
import Simulation
import TestSupport
import Testing

@Suite("Good boards", .timeLimit(.minutes(30)))
struct GoodBoardTests {
  private static let seeds = CheckedBoard.seeds(atMost: 5)

  /// Changes of the good board that are no fault.
  enum Variant: String, CaseIterable {
    case quiet, noisy, uncalibrated, noMagnetometer, noReceiver, noBarometer, noPosition
    case southern, equator, slow, fast, longWalk, shakingHand

    var board: CheckedBoard {
      var check = CheckedBoard()
      switch self {
      case .quiet: check.scenario.multiplyNoise(by: 1.0 / 3)
      case .noisy: check.scenario.multiplyNoise(by: 3)
      case .uncalibrated:
        check.scenario.magnetometer = .uncalibrated
        check.calibration = .none
      case .noMagnetometer: check.board.sensors.removeAll { $0.chip.quantity == .field }
      case .noReceiver: check.board.receiver = nil
      case .noBarometer: check.board.sensors.removeAll { $0.chip.quantity == .pressure }
      case .noPosition:
        check.scenario.receiver?.outages = [TimeSpan(fromSeconds: 0, toSeconds: 1000)]
      case .southern:
        check.scenario.origin = GeodeticPosition(latitudeDegrees: -41.3, longitudeDegrees: 174.8)
      case .equator:
        check.scenario.origin = GeodeticPosition(latitudeDegrees: 1.3, longitudeDegrees: 103.8)
      case .slow: check.board.sensors[0].settings.rateHertz = 50
      case .fast: check.board.sensors[0].settings.rateHertz = 500
      case .shakingHand: check.scenario.shake()
      case .longWalk: check.scenario.receiver?.timeToFirstFixSeconds = 85
      }
      return check
    }

    /// A word of each note that the result must have.
    var notes: [String] {
      switch self {
      case .uncalibrated: ["not calibrated"]
      case .noMagnetometer: ["no magnetometer", "'walk' left out"]
      case .noReceiver: ["no receiver"]
      case .noBarometer: ["no barometer"]
      case .noPosition: ["'walk' left out", "no position"]
      default: []
      }
    }
  }

  @Test("a good board passes whatever its noise, place and parts are", arguments: Variant.allCases)
  func variant(_ variant: Variant) throws {
    for seed in Self.seeds {
      let outcome = try variant.board.outcome(seed: seed)
      #expect(outcome.isPassed, "seed \(seed): \(outcome.findings.map(\.text)) \(outcome.steps)")
      for word in variant.notes {
        #expect(outcome.notes.contains { $0.contains(word) }, "\(word): \(outcome.notes)")
      }
    }
  }

  private static let files = [
    "sense-hat", "gy-91", "gy-87", "gy-87-qmc5883l", "gy-80", "gy-85", "gy-86", "gy-271-bmp280",
    "gy-271-hmc5883l-bmp280", "gps-puck-qmc5883l", "gps-puck-hmc5883l", "gy-511-bmp280",
    "gy-521-lis3mdl-ms5611", "simulated", "adafruit-lsm6dsox-lis3mdl", "icm-20948",
    "adafruit-lsm6dsox-lis3mdl-bmp390", "adafruit-icm-20948-dps310", "waveshare-sense-hat-b",
  ]

  @Test("every board of Boards passes", arguments: Self.files)
  func file(_ name: String) throws {
    var check = CheckedBoard()
    check.board = try Board(
      path: SharedData.repository.appendingPathComponent("Boards/\(name).yaml").path)
    let outcome = try check.outcome(seed: 3)
    #expect(outcome.isPassed, "\(outcome.findings.map(\.text)) \(outcome.notes) \(outcome.steps)")
  }

  @Test("for a board without a gyroscope a note says that its axes are not judged")
  func withoutGyroscope() throws {
    var check = CheckedBoard()
    check.board = try Board(
      path: SharedData.repository.appendingPathComponent("Boards/gy-511-bmp280.yaml").path)
    let outcome = try check.outcome(seed: 1)
    #expect(outcome.notes.contains { $0.contains("no gyroscope") }, "\(outcome.notes)")
  }

  @Test("a board that is never moved does not pass")
  func unmoved() throws {
    var check = CheckedBoard()
    check.scenario = .tableTop
    let outcome = try check.outcome(seed: 1)
    #expect(outcome.findings.map(\.kind) == [.incomplete, .incomplete], "\(outcome.findings)")
  }
}

extension Scenario {
  fileprivate mutating func multiplyNoise(by factor: Double) {
    inertialUnit?.gyroscope.noiseDensity *= factor
    inertialUnit?.accelerometer.noiseDensity *= factor
    magnetometer?.noiseMicrotesla *= factor
    receiver?.velocityNoise *= factor
  }
}
