import ArgumentParser
import CalibrationFit
import Configuration
import Formats
import FoundationEssentials
import JSON
import LinuxIO
import Quantities
import Storage

/// `lodestar calibrate accelerometer`: gyroscope and accelerometer from periods at rest on all
/// sides.
struct CalibrateInertialCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "accelerometer",
    abstract: "Calibrate accelerometer and gyroscope with the board at rest on its six sides.",
    discussion: """
      Lay the board approximately on each of its six sides, for at least 2 s each. Any rest gives the \
      gyroscope's bias; rests at different temperatures give its temperature coefficient.
      """)

  @OptionGroup var feed: RowFeed

  @Option(help: "The folder of stored calibrations, not those of the running daemon.")
  var store: String?

  @Flag(help: "Store the result with the board's calibration.")
  var keep = false

  @Option(help: "Lines of text, or one JSON object.")
  var format: CalibrateFitCommand.SummaryFormat = .text

  func run() throws {
    var rests = RestCollection()
    var options = ArchiveOptions()
    (options.board, options.store) = (feed.board.board, store)
    let origin = try feed.run(try feed.daemon(), isKept: keep && store == nil) { rests.add($0) }
    try rests.checkUnit()
    let found = InertialOutcome(rests.positions)
    let (bias, accelerometer) = (found.bias, found.accelerometer)
    let out = OutputStream()
    switch format {
    case .text: for line in found.lines { try out.line(line) }
    case .json: try out.line(found.object)
    }
    try out.close()
    guard keep, bias != nil || accelerometer != nil else {
      guard bias != nil || accelerometer != nil else {
        throw Failure.input(
          "no calibration: the board was never at rest for 2 s; put it down on each side")
      }
      return
    }
    let target = try origin.daemon ?? options.archive(of: origin.board)
    try target.keep { profile in
      if let bias { profile.gyroscope = StoredGyroscope(bias) }
      if let accelerometer { profile.accelerometer = StoredAccelerometer(accelerometer) }
    }
    options.warnOfDaemon(target)
  }
}

/// `lodestar calibrate level`: the tilt of the board on the body.
struct CalibrateLevelCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "level",
    abstract: "Measure the tilt of the board on a level body, for the trim in its board file.",
    discussion: """
      The body stands level. With --turned-around the surface may slope: the body rests, is turned by half a \
      turn on the same spot, and rests again; this separates the board's tilt from the slope. With --board \
      FILE the trim is written into the board file after confirmation.
      """)

  @OptionGroup var feed: RowFeed

  @Flag(help: "Two rests, half a turn apart, on a surface that need not be level.")
  var turnedAround = false

  @Flag(help: "Write the trim into the board file without confirmation.")
  var yes = false

  @Option(help: "Lines of text, or one JSON object.")
  var format: CalibrateFitCommand.SummaryFormat = .text

  func run() throws {
    var rests = RestCollection()
    let client = try feed.daemon()
    let board = try feed.run(client) { rests.add($0) }.board
    try rests.checkUnit()
    var mounting = client?.publisher.mounting ?? (board ?? .standard).mounting
    if let mount = feed.board.mount?.mount.rotation { mounting = mount }
    let found = rests.positions.rests.compactMap { rest in rest.force.map { mounting.rotate($0) } }
    let trim: LevelTrim
    do {
      guard let first = found.first, let last = found.last, !turnedAround || found.count > 1 else {
        throw Failure.input(
          turnedAround
            ? "no trim: --turned-around needs two rests of at least 2 s each, half a turn apart"
            : "no trim: the board was never at rest for 2 s; do not move it")
      }
      trim =
        turnedAround
        ? try LevelTrim.turnedAround(first: first, second: last)
        : try LevelTrim.onLevelSurface(force: first)
    } catch let error as InertialFitError {
      throw Failure.input("\(error)")
    }
    let out = OutputStream()
    try out.line(format == .json ? Self.object(trim) : Array(Self.line(trim).utf8))
    try out.close()
    guard let path = feed.board.path, var board else { return }
    let old = Rotation<BodyFrame, BodyFrame>(board.trim)
    let whole = (trim.rotation * old).attitudeAngles
    board.trim = AttitudeAngles(
      heading: whole.heading.wrappedToHalfTurn.inHundredths, pitch: whole.pitch.inHundredths,
      roll: whole.roll.inHundredths)
    _ = try board.write(to: path, isYes: yes)
  }

  private static func line(_ trim: LevelTrim) -> String {
    "the board is tilted: roll \(OutcomeText.rounded(trim.roll.degrees, 2)), pitch "
      + "\(OutcomeText.rounded(trim.pitch.degrees, 2)) degrees, sigma "
      + OutcomeText.rounded(trim.sigma.degrees, 2)
      + (trim.surfaceSlope.map {
        "; the surface slopes by \(OutcomeText.rounded($0.degrees, 2))"
      } ?? "")
  }

  private static func object(_ trim: LevelTrim) -> [UInt8] {
    JSONWriter.record(at: SystemClock.civilTime) { json in
      json.add("roll_deg", trim.roll.degrees, decimals: 3)
      json.add("pitch_deg", trim.pitch.degrees, decimals: 3)
      json.add("sigma_deg", trim.sigma.degrees, decimals: 3)
      json.add("surfaceSlope_deg", trim.surfaceSlope?.degrees, decimals: 3)
    }
  }
}

/// The periods at rest of a board, collected from its samples.
struct RestCollection {
  /// A unit at rest has noise. One that repeats rate and force to the last bit for so many samples,
  /// and so many seconds, measures nothing.
  private static let (frozenSamples, frozenSeconds) = (20, 2.0)

  private(set) var positions = RestPositions()
  private var last: Timestamp?
  private var celsius: Double?
  private var repeated: (value: [SIMD3<Double>], samples: Int, seconds: Double) = ([], 0, 0)
  private var isFrozen = false

  mutating func add(_ row: SensorSamples) {
    celsius = row.pressure?.celsius ?? celsius
    guard let sample = row.inertial, let rate = sample.angularRate?.components else { return }
    let dt = last.map { row.timestamp.seconds(since: $0) } ?? 0
    last = row.timestamp
    let force = sample.specificForce?.components
    positions.update(rate: rate, force: force, celsius: celsius, seconds: dt)
    guard let force, repeated.value == [rate, force] else {
      repeated = (force.map { [rate, $0] } ?? [], 0, 0)
      return
    }
    repeated = (repeated.value, repeated.samples + 1, repeated.seconds + dt)
    isFrozen =
      isFrozen
      || repeated.samples >= Self.frozenSamples && repeated.seconds >= Self.frozenSeconds
  }

  /// Refuses the samples of a unit that has stopped to measure.
  func checkUnit() throws(Failure) {
    guard isFrozen else { return }
    throw .input(
      "no calibration: the unit repeats the same rate and force to the last bit for 2 s, so it is "
        + "frozen; switch it off and on, and see 'lodestar doctor'")
  }
}

extension StoredGyroscope {
  init(_ bias: GyroscopeBias) {
    self.init(
      biasRadiansPerSecond: bias.bias,
      biasSlopeRadiansPerSecondKelvin: bias.slopeState == .known ? bias.slope : nil,
      referenceTemperatureCelsius: bias.referenceCelsius)
  }
}

extension StoredAccelerometer {
  init(_ estimate: AccelerometerEstimate) {
    self.init(
      biasMetresPerSecondSquared: estimate.calibration.bias, matrix: estimate.calibration.shape)
  }
}
