import ArgumentParser
import CalibrationFit
import Configuration
import FoundationEssentials
import JSON
import LinuxIO
import Pipeline
import Quantities
import Storage

/// `lodestar calibrate mount`: the orientation of the magnetometer relative to the inertial unit,
/// and of the board relative to the bow.
struct CalibrateMountCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mount",
    abstract: "Find the magnetometer's axes and the board's yaw relative to the bow.",
    discussion: """
      Turn the board freely, with tilts of more than 30 degrees: level motion is not sufficient. From a \
      recording of a drive with course and speed it also finds the board's yaw relative to the bow. With \
      --board FILE the result is written into the board file after confirmation.
      """)

  @OptionGroup var feed: RowFeed

  @OptionGroup var place: PlaceOptions

  @Flag(help: "Write the result into the board file without confirmation.")
  var yes = false

  @Option(help: "Lines of text, or one JSON object.")
  var format: CalibrateFitCommand.SummaryFormat = .text

  func run() throws {
    var observations = BoardObservations()
    let prior = try place.prior()
    if prior.isPlaceKnown { observations.expect(prior.field) }
    let client = try feed.daemon()
    var drive = try Drive(feed.board, mounting: client?.publisher.mounting)
    let board = try feed.run(client) { row in
      observations.add(row)
      drive.add(row)
    }.board
    if case .axes(let quantity, let axes, _)? = observations.verdicts.fault, quantity != .field {
      return try report(quantity, axes, into: board)
    }
    let finding: MountFinding
    do throws(CalibrationFitError) {
      finding = try observations.mount(prior: prior)
    } catch {
      return try answerWithoutGyroscope(error, observations.verdicts, board)
    }
    try report(finding, drive.yaw)
    guard let path = feed.board.path, let board else { return }
    try write(
      finding.isAccepted ? finding.mount : nil, isCertain: place.isKnown, drive.yaw, into: board,
      at: path)
  }

  private func report(_ finding: MountFinding, _ yaw: BoardYaw?) throws {
    let out = OutputStream()
    let words = SensorMount(finding.mount)?.description ?? "\(finding.mount)"
    switch format {
    case .json:
      try out.line(
        JSONWriter.record(at: SystemClock.civilTime) { json in
          json.add("mount", words)
          json.add("accepted", finding.isAccepted)
          json.add("mirrored", finding.mount.isMirrored)
          json.add("gap", finding.gap, decimals: 1)
          json.add("boardYaw_deg", yaw?.angle.degrees, decimals: 2)
          json.add("boardYawSigma_deg", yaw?.sigma.degrees, decimals: 2)
        })
    case .text:
      try out.line(
        finding.isAccepted
          ? "the magnetometer's x, y, z point \(words), where the inertial unit's point forward, left, up "
            + "(gap \(OutcomeText.rounded(finding.gap, 0)))"
          : "the motion does not determine the magnetometer's axes (gap "
            + "\(OutcomeText.rounded(finding.gap, 0)), 15 is needed): turn the board freely for 20 s, with "
            + "tilts of more than 30 degrees")
      if finding.isAccepted, finding.mount.isMirrored {
        try out.line(
          "  these axes are mirrored: a left-handed chip, or a driver or a description at fault; the board file may say so"
        )
      }
      if let yaw {
        try out.line(
          "by course the board is turned \(OutcomeText.rounded(yaw.angle.degrees, 1)) degrees against the "
            + "bow, sigma \(OutcomeText.rounded(yaw.sigma.degrees, 1))")
      }
    }
    try out.close()
    guard !finding.isAccepted, yaw == nil else { return }
    throw Failure.input("\(feed.input.map { "\($0): " } ?? "")the mount is not known")
  }

  /// The axes by field and gravity alone, of a board without a gyroscope.
  private struct Axes {
    var mount: SignedAxes
    var isMirrorOpen: Bool

    /// nil where they are not proven.
    init?(_ verdicts: InputVerdicts, isPlaceKnown: Bool) {
      switch (verdicts.field, verdicts.fault) {
      case (_, .axes(.field, let axes, let isOpen)?): (mount, isMirrorOpen) = (axes, isOpen)
      case (.proven, nil): (mount, isMirrorOpen) = (.identity, !isPlaceKnown)
      default: return nil
      }
    }
  }

  /// The mount by field and gravity alone; throws the error where they do not determine it, or the
  /// board has a gyroscope.
  private func answerWithoutGyroscope(
    _ error: CalibrationFitError, _ verdicts: InputVerdicts, _ board: Board?
  ) throws {
    guard case .tooFewSamples = error, let axes = Axes(verdicts, isPlaceKnown: place.isKnown)
    else {
      throw Failure.input("\(feed.input.map { "\($0): " } ?? "")\(error)")
    }
    try report(axes)
    guard let path = feed.board.path, let board else { return }
    try write(axes.mount, isCertain: !axes.isMirrorOpen, nil, into: board, at: path)
  }

  /// Of a gyroscope or an accelerometer, whose axes the magnetometer's cannot be found before.
  private func report(
    _ quantity: SampleQuantity, _ axes: SignedAxes, into board: Board?
  ) throws {
    let out = OutputStream()
    switch format {
    case .json:
      try out.line(
        JSONWriter.record(at: SystemClock.civilTime) { json in
          json.add("sensor", quantity.sensor)
          json.add("mount", SensorMount(axes)?.description ?? "\(axes)")
          json.add("accepted", true)
          json.add("mirrored", axes.isMirrored)
        })
    case .text:
      try out.line(
        "the \(quantity.sensor)'s x, y, z point \(SensorMount(axes)?.description ?? "\(axes)"), where those of the "
          + "other sensors say forward, left, up; correct it first, then find the magnetometer's mount again"
      )
    }
    try out.close()
    guard let path = feed.board.path, let board else { return }
    try write(axes, of: quantity, isCertain: true, nil, into: board, at: path)
  }

  private func report(_ axes: Axes) throws {
    let out = OutputStream()
    switch format {
    case .json:
      try out.line(
        JSONWriter.record(at: SystemClock.civilTime) { json in
          json.add("mount", SensorMount(axes.mount)?.description ?? "\(axes.mount)")
          json.add("accepted", true)
          json.add("mirrored", axes.mount.isMirrored)
          json.add("mirrorImageFits", axes.isMirrorOpen)
        })
    case .text:
      let words = SensorMount(axes.mount)?.description ?? "\(axes.mount)"
      let opposite = SensorMount(axes.mount.opposite)?.description ?? "\(axes.mount.opposite)"
      try out.line(
        "by field and gravity, without a gyroscope, the magnetometer's x, y, z point \(words)"
          + (axes.isMirrorOpen
            ? ", or the mirror image, \(opposite); with the place (--location) one of them is left"
            : "") + ", where the accelerometer's point forward, left, up")
    }
    try out.close()
  }

  private func write(
    _ mount: SignedAxes?, of quantity: SampleQuantity = .field, isCertain: Bool, _ yaw: BoardYaw?,
    into board: Board, at path: String
  ) throws {
    var changed = board
    if let mount, mount != .identity {
      guard isCertain else {
        throw Failure.usage(
          "\(path): not written: without the place the mirror image fits as well; give --location or "
            + "--field-down")
      }
      guard changed.turn(quantity, by: mount) else {
        throw Failure.board(
          "\(path): not written: a board file cannot express a change of a mount by angles")
      }
      changed.axes = .proven
    }
    if let yaw {
      changed.trim.heading = (changed.trim.heading + yaw.angle).wrappedToHalfTurn.inHundredths
    }
    guard changed != board else { return }
    guard try changed.write(to: path, isYes: yes) else { return }
    guard let mount, mount != .identity else { return }
    StandardError.say("the sensor's axes have changed; calibrate again")
  }
}

extension Board {
  /// Turns the axes of a quantity's first sensor by the mount that was found.
  /// - Returns: False without a change if axis words cannot express the result.
  mutating func turn(_ quantity: SampleQuantity, by mount: SignedAxes) -> Bool {
    guard
      let i = sensors.firstIndex(where: { $0.measures(quantity == .field ? .field : .inertia) }),
      case .axes(let old) = sensors[i].mount(of: quantity)
    else { return false }
    // The board file names the axes of the wrong mount: corrected axis = Mᵀ * named axis.
    let standard = AxisMount.standard.rotation
    func word(_ direction: AxisDirection) -> AxisDirection? {
      let called = standard.inverse.rotate(direction.unitVector)
      let turned = standard.rotate(mount.matrix.transposed * called)
      return AxisDirection.allCases.first { ($0.unitVector - turned).length < 0.1 }
    }
    guard let x = word(old.x), let y = word(old.y), let z = word(old.z),
      let new = AxisMount(x: x, y: y, z: z, mayMirror: true)
    else { return false }
    // The other quantities of a chip stay as they are.
    if sensors[i].chip.quantity == .field {
      sensors[i].mount = .axes(new)
    } else {
      sensors[i].mounts[quantity] = .axes(new)
    }
    return true
  }
}

/// Finds the board's yaw relative to the bow from a drive.
private struct Drive {
  private var pipeline: Pipeline

  /// `mounting` is that of the daemon's samples; nil for another source.
  init(_ options: BoardOptions, mounting: Rotation<SensorFrame, BodyFrame>?) throws(Failure) {
    var configuration = PipelineConfiguration()
    if let mounting {
      let turn = mounting * AxisMount.standard.rotation.inverse
      configuration.board.mount = .rotation(turn.attitudeAngles)
    }
    try options.apply(to: &configuration)
    configuration.activity = .automotiveNavigation
    configuration.onlineCalibration = true
    configuration.utcAtStart = DateArgument.now?.utc
    pipeline = Pipeline(configuration: configuration)
  }

  mutating func add(_ row: SensorSamples) { pipeline.process(row) }

  /// nil before half a turn of headings was driven.
  var yaw: BoardYaw? { pipeline.boardYaw }
}
