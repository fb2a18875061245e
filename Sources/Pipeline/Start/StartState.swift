import CalibrationFit
import Configuration
import Quantities
import Storage

/// The configuration of a pipeline as a recording keeps it: everything that changes its estimates,
/// to the last bit.
package struct StartState: Sendable {
  /// The configuration, without what belongs to the running program (folders, threads, callbacks).
  package var configuration: PipelineConfiguration
  /// Whether fits of the online calibration ran beside the pipeline, so that their results came at
  /// any time.
  package var hasBackgroundFits: Bool

  /// The version of the JSON.
  private static let version = 1.0

  /// The state of a pipeline that begins.
  package init(_ configuration: PipelineConfiguration) {
    self.configuration = configuration
    hasBackgroundFits = configuration.refitRunner != nil
  }

  /// The state as a JSON object.
  package var json: [UInt8] {
    let c = configuration
    var object = JSONObject()
    object["version"] = .number(Self.version)
    object["board"] = board
    if let scale = c.fullScale {
      var limits = JSONObject()
      limits["rate_rad_s"] = .exact(scale.radiansPerSecond)
      limits["force_m_s2"] = .exact(scale.metresPerSecondSquared)
      limits["field_uT"] = .exact(scale.microtesla)
      object["fullScale"] = .object(limits)
    }
    object["calibration"] = c.calibration.exactJSON
    object["calibrationEstimate"] = c.calibrationEstimate?.exactJSON
    object["onlineCalibration"] = .boolean(c.onlineCalibration)
    object["backgroundFits"] = .boolean(hasBackgroundFits)
    if let load = c.load {
      object["load_uT"] = .exact(load.fieldPerUnit)
      object["isLoadStored"] = .boolean(load.isStored)
    }
    object["inertialCorrection"] = c.inertialCorrection?.exactJSON
    object["deviation"] = c.keptDeviation?.exactJSON
    object["activity"] = .text(c.activity.rawValue)
    object["start"] = c.utcAtStart.map { .exact($0) }
    object["isStartMachineClock"] = .boolean(c.isStartMachineClock)
    object["qnh_hPa"] = .exact(c.qnhHectopascal)
    object["learntQNH_hPa"] = .exact(c.learntQNH?.hectopascal)
    object["learntQNHSigma_m"] = .exact(c.learntQNH?.sigmaMetres)
    object["learntBaseline_rad"] = c.learntBaseline.map {
      .exact([$0.direction.radians, $0.sigma.radians])
    }
    object["magneticModel"] = .text(c.magneticModel.name)
    object["simulated"] = .boolean(c.isSimulated)
    return JSONValue.object(object).readableBytes
  }

  private var board: JSONValue {
    let board = configuration.board
    var object = JSONObject()
    object["name"] = .text(board.name)
    switch board.mount {
    case .automatic: object["mount"] = .text("auto")
    case .axes(let axes):
      object["mount"] = .array([axes.x, axes.y, axes.z].map { .text($0.rawValue) })
    case .rotation(let angles): object["mount"] = Self.json(angles)
    }
    object["trim_rad"] = Self.json(board.trim)
    if board.axes != .stated { object["axes"] = .text(board.axes.rawValue) }
    if !board.sensors.isEmpty || board.receiver?.baseline.isStated == true {
      object["yaml"] = .text(board.yaml)
    }
    return .object(object)
  }

  private static func json(_ angles: AttitudeAngles) -> JSONValue {
    .exact([angles.heading.radians, angles.pitch.radians, angles.roll.radians])
  }

  // MARK: Reading

  /// Reads a state.
  /// - Throws: The key with its fault.
  package init(json: [UInt8]) throws(StartStateFault) {
    let object: JSONObject
    do throws(ProfileFault) {
      guard case .object(let read) = try JSONValue(json: json) else {
        throw ProfileFault.notProfile("no object")
      }
      object = read
    } catch {
      throw StartStateFault(description: "\(error)")
    }
    let version = try object.required("version", \.double)
    guard version <= Self.version else {
      throw StartStateFault(
        description: "it was written by a newer version of Lodestar: install that version")
    }
    var c = PipelineConfiguration()
    c.board = try Self.board(try object.required("board", \.object))
    if let limits = object["fullScale"]?.object {
      c.fullScale = SensorFullScale(
        radiansPerSecond: limits["rate_rad_s"]?.double,
        metresPerSecondSquared: limits["force_m_s2"]?.double,
        microtesla: limits["field_uT"]?.double)
    }
    c.calibration = try CalibrationChoice(exactly: try object.required("calibration") { $0 })
    if let estimate = object["calibrationEstimate"]?.object {
      c.calibrationEstimate = try DistortionEstimate(exactly: estimate)
    }
    c.onlineCalibration = try object.required("onlineCalibration", \.flag)
    if let field = object["load_uT"]?.vector {
      c.load = LoadCompensation(
        fieldPerUnit: field, isStored: object["isLoadStored"]?.flag ?? false)
    }
    if let correction = object["inertialCorrection"]?.object {
      c.inertialCorrection = try InertialCorrection(exactly: correction)
    }
    if let deviation = object["deviation"]?.object {
      c.keptDeviation = try StoredDeviation(exactly: deviation)
    }
    c.activity = try object.required("activity") { $0.string.flatMap(Activity.init) }
    c.utcAtStart = object["start"]?.utc
    c.isStartMachineClock = try object.required("isStartMachineClock", \.flag)
    c.qnhHectopascal = object["qnh_hPa"]?.double
    if let learnt = object["learntQNH_hPa"]?.double,
      let sigma = object["learntQNHSigma_m"]?.double
    {
      c.learntQNH = LearntQNH(hectopascal: learnt, sigmaMetres: sigma)
    }
    if let learnt = object["learntBaseline_rad"]?.doubles, learnt.count == 2 {
      c.learntBaseline = LearntBaseline(
        direction: Angle(radians: learnt[0]), sigma: Angle(radians: learnt[1]))
    }
    let model = try object.required("magneticModel", \.string)
    guard model == c.magneticModel.name else {
      throw StartStateFault(
        description: "its magnetic model is \(model), this version has \(c.magneticModel.name)")
    }
    c.isSimulated = try object.required("simulated", \.flag)
    c.usesKeptCalibration = false
    configuration = c
    hasBackgroundFits = try object.required("backgroundFits", \.flag)
  }

  private static func board(_ object: JSONObject) throws(StartStateFault) -> Board {
    var board = Board(name: try object.required("name", \.string))
    if let yaml = object["yaml"]?.string {
      do throws(BoardFileError) {
        board = try Board(yaml: yaml, path: "board")
      } catch {
        throw StartStateFault(description: "its board cannot be read: \(error)")
      }
      board.name = try object.required("name", \.string)
    }
    board.mount = try object.required("mount") { value -> Mounting? in
      if value.string == "auto" { return .automatic }
      if let angles = angles(value) { return .rotation(angles) }
      guard case .array(let words) = value, words.count == 3 else { return nil }
      let axes = words.compactMap { $0.string.flatMap(AxisDirection.init) }
      guard axes.count == 3 else { return nil }
      return AxisMount(x: axes[0], y: axes[1], z: axes[2]).map { .axes($0) }
    }
    board.trim = try object.required("trim_rad", angles)
    if let word = object["axes"]?.string {
      board.axes = try object.required("axes") { _ in Board.AxesClaim(rawValue: word) }
    }
    return board
  }

  private static func angles(_ value: JSONValue) -> AttitudeAngles? {
    value.vector.map {
      AttitudeAngles(
        heading: Angle(radians: $0.x), pitch: Angle(radians: $0.y), roll: Angle(radians: $0.z))
    }
  }
}
