import Board
import CalibrationFit
import Chips
import Configuration
import Formats
import Foundation
import Pipeline
import Quantities
import Simulation
import TestSupport
import Testing

/// What the pipeline and the fits do with sensors that physics contradicts.
@Suite("Contradicted sensors", .timeLimit(.minutes(30)))
struct InputProofUseTests {
  private static let mirrored = Matrix3(diagonal: SIMD3(-1, 1, 1))

  /// Rows of a board in a hand.
  private func rows(
    _ scenario: Scenario = .handheldTumbling, seconds: Double = 90, hasGyroscope: Bool = true,
    _ change: (inout SensorSamples) -> Void = { _ in }
  ) throws -> (rows: [SensorSamples], world: SimulatedWorld) {
    let start = try #require(UTCTime(year: 2026, month: 6, day: 1, hour: 12))
    let world = try SimulatedWorld(scenario: scenario, seed: 5, startUTC: start)
    var source = WorldRows(world: world)
    var rows: [SensorSamples] = []
    while var row = try source.next(), row.timestamp.seconds < seconds {
      if !hasGyroscope { row.inertial?.angularRate = nil }
      change(&row)
      rows.append(row)
    }
    return (rows, world)
  }

  private func mirror(_ row: inout SensorSamples) {
    row.multiply(.field, by: Self.mirrored)
  }

  private func pipeline(_ axes: Board.AxesClaim) -> Pipeline {
    var configuration = PipelineConfiguration()
    configuration.calibration = .assumed
    configuration.board.axes = axes
    return Pipeline(configuration: configuration)
  }

  @Test(
    "of a mirrored magnetometer 95 % of the headings lie within what is stated, at every moment",
    arguments: [true, false])
  func mirroredBoard(hasGyroscope: Bool) throws {
    let (rows, world) = try rows(hasGyroscope: hasGyroscope) { mirror(&$0) }
    var pipeline = pipeline(.stated)
    var (inside, all) = (0, 0)
    for row in rows {
      pipeline.process(row)
      let estimate = pipeline.estimate
      guard row.field != nil, let heading = estimate.magneticHeading,
        let stated = estimate.headingAccuracy
      else { continue }
      let truth = world.truth(at: row.timestamp).magneticHeading
      all += 1
      if abs((heading.angle - truth.angle).wrappedToHalfTurn.degrees) <= stated.degrees {
        inside += 1
      }
    }
    #expect(all > 500 && Double(inside) >= 0.95 * Double(all), "\(inside) of \(all)")
    let fault = pipeline.estimate.inputs?.fault
    #expect(fault?.quantity == .field, "\(String(describing: fault))")
    #expect(pipeline.estimate.headingAccuracy?.degrees == 180)
  }

  @Test("'axes: proven' corrects a mirrored magnetometer and an accelerometer in g")
  func corrected() throws {
    let (rows, world) = try rows { row in
      mirror(&row)
      row.multiply(.force, by: Matrix3.identity * (1 / 9.806_65))
    }
    var pipeline = pipeline(.proven)
    for row in rows { pipeline.process(row) }
    let estimate = pipeline.estimate
    #expect(estimate.inputs?.fault == nil && estimate.inputs?.field == .proven)
    let truth = world.truth(at: estimate.timestamp).magneticAttitude
    let error = try #require(estimate.attitude) * truth.inverse
    #expect(error.angle.degrees < 5, "\(error.angle.degrees)°")
    #expect(try #require(estimate.headingAccuracy).degrees < 30)
  }

  @Test(
    "half of gravity is named, and corrected by 'axes: proven' where a look-alike of the chip has it",
    arguments: [ChipModel.lsm6dso, .bmi160])
  func halfScale(chip: ChipModel) throws {
    let (rows, _) = try rows(.tableTop, seconds: 30) { $0.multiply(.force, by: .identity * 0.5) }
    var configuration = PipelineConfiguration()
    configuration.calibration = .assumed
    configuration.board.sensors = [Board.Sensor(chip: chip)]
    for axes in [Board.AxesClaim.stated, .proven] {
      configuration.board.axes = axes
      var pipeline = Pipeline(configuration: configuration)
      for row in rows { pipeline.process(row) }
      let isCorrected = axes == .proven && chip == .lsm6dso
      #expect((pipeline.estimate.inputs?.fault == nil) == isCorrected)
      if !isCorrected { #expect(pipeline.estimate.inputs?.fault?.quantity == .force) }
    }
  }

  @Test("a barometer in another unit gives no altitude")
  func pressure() throws {
    let (rows, _) = try rows(.tableTop, seconds: 20) { row in
      row.fix = nil
      row.pressure?.hectopascal /= 10
    }
    var configuration = PipelineConfiguration()
    configuration.qnhHectopascal = 1013
    var pipeline = Pipeline(configuration: configuration)
    for row in rows { pipeline.process(row) }
    #expect(pipeline.estimate.inputs?.fault?.quantity == .pressure)
    #expect(pipeline.estimate.altitudeMetres == nil)
    // Where it may be corrected, the altitude is that of the true pressure.
    configuration.board.axes = .proven
    var corrected = Pipeline(configuration: configuration)
    for row in rows { corrected.process(row) }
    #expect(corrected.estimate.inputs?.fault == nil)
    #expect(try abs(#require(corrected.estimate.altitudeMetres)) < 1000)
  }

  @Test("a calibration that was fitted to a mirrored field is not applied to the corrected one")
  func correctedCalibration() throws {
    let (rows, world) = try rows { mirror(&$0) }
    var configuration = PipelineConfiguration()
    configuration.board.axes = .proven
    configuration.calibration = .fitted(
      MagnetometerCalibration(
        softIron: .identity, hardIron: MagneticField(microtesla: SIMD3(30, -12, 5)),
        quality: .good))
    var pipeline = Pipeline(configuration: configuration)
    for row in rows { pipeline.process(row) }
    let estimate = pipeline.estimate
    #expect(estimate.inputs?.fault == nil && estimate.calibration == .uncalibrated)
    let truth = world.truth(at: estimate.timestamp).magneticAttitude
    let error = try #require(estimate.attitude) * truth.inverse
    #expect(error.angle.degrees < 5, "\(error.angle.degrees)°")
  }

  @Test("a fit of such samples names the fault")
  func fits() throws {
    for hasGyroscope in [true, false] {
      var observations = BoardObservations()
      for row in try rows(hasGyroscope: hasGyroscope, { mirror(&$0) }).rows {
        observations.add(row)
      }
      var caught: CalibrationFitError?
      do throws(CalibrationFitError) {
        _ = try observations.outcome(prior: .unknown)
      } catch { caught = error }
      guard case .contradicted(.axes(.field, _, _))? = caught else {
        Issue.record("\(String(describing: caught))")
        continue
      }
    }
  }

  @Test("a guided session of such samples says so")
  func guided() throws {
    let session = GuidedCalibration(
      prior: .unknown, mounting: AxisMount.standard.rotation)
    let mirroredRows = try rows { mirror(&$0) }.rows
    for row in mirroredRows { session.add(row) }
    guard case .contradicted(.axes(.field, _, _))? = session.fault else {
      Issue.record("\(String(describing: session.fault))")
      return
    }
  }

  @Test(
    "the field cases name their unit or their axes",
    .enabled(if: SharedData.path("data/cases") != nil, "the reference data is absent"),
    arguments: [
      ("counts", "raw counts"), ("milligauss", "milligauss"), ("gauss", "gauss"),
      ("turn-gauss", "gauss"), ("turn-acc_g", "look like g,"), ("turn-acc_mg", "look like mg,"),
      ("swapxy", "+y,-x,+z"),
    ])
  func cases(name: String, words: String) throws {
    let path = try #require(SharedData.path("data/cases/05-raw-counts/\(name).csv"))
    var reader = try SensorCSVReader(path: path)
    var observations = BoardObservations()
    while let row = try reader.next() { observations.add(row) }
    var message = ""
    do throws(CalibrationFitError) {
      _ = try observations.outcome(prior: .unknown)
    } catch { message = "\(error)" }
    #expect(message.contains(words), "\(message)")
  }

  @Test("a mirrored mount of a board file gives the true field")
  func mirroredMount() throws {
    func yaml(_ axes: String, _ mount: String) -> String {
      """
      board: B
      axes: \(axes)
      sensors:
        - {chip: MPU-6050}
        - {chip: LIS3MDL, mount: \(mount)}
      """
    }
    let start = try #require(UTCTime(year: 2026, month: 6, day: 1, hour: 12))
    func fields(_ text: String) throws -> [SIMD3<Double>] {
      var samples = try SimulatedBoardSamples(
        try Board(yaml: text, path: "b"), scenario: .tableTop, seed: 1, startUTC: start)
      var fields: [SIMD3<Double>] = []
      while fields.count < 50, let row = try samples.next() {
        if let field = row.field?.field.components { fields.append(field) }
      }
      return fields
    }
    let usual = try fields(yaml("stated", "{x: forward, y: left, z: up}"))
    let left = try fields(yaml("proven", "{x: backward, y: left, z: up}"))
    let difference = zip(usual, left).map { ($0 - $1).length }.max() ?? .infinity
    // The chip has counts and noise of its own.
    #expect(difference < 3, "\(difference)")
    var refused: BoardFileError?
    do { _ = try Board(yaml: yaml("stated", "{x: backward, y: left, z: up}"), path: "b") } catch {
      refused = error
    }
    #expect("\(String(describing: refused))".contains("axes: proven"))
    let board = try Board(yaml: yaml("proven", "{x: backward, y: left, z: up}"), path: "b")
    #expect(try Board(yaml: board.yaml, path: "b") == board)
  }

  @Test(
    "a mirrored mount of one quantity of a chip gives true rates and forces",
    arguments: [SampleQuantity.rate, .force])
  func mirroredQuantity(quantity: SampleQuantity) throws {
    let key = quantity == .rate ? "rotation-mount" : "force-mount"
    func yaml(_ axes: String, _ line: String) -> String {
      "board: B\naxes: \(axes)\nsensors:\n  - chip: MPU-6050\n\(line)\n  - chip: LIS3MDL\n"
    }
    let start = try #require(UTCTime(year: 2026, month: 6, day: 1, hour: 12))
    func values(_ text: String) throws -> [SIMD3<Double>] {
      var samples = try SimulatedBoardSamples(
        try Board(yaml: text, path: "b"), scenario: .handheldTumbling, seed: 1, startUTC: start)
      var values: [SIMD3<Double>] = []
      while values.count < 50, let row = try samples.next() {
        let value =
          quantity == .rate
          ? row.inertial?.angularRate?.components : row.inertial?.specificForce?.components
        if let value { values.append(value) }
      }
      return values
    }
    let line = "    \(key): {x: backward, y: left, z: up}"
    let usual = try values(yaml("stated", ""))
    let own = try values(yaml("proven", line))
    let difference = zip(usual, own).map { ($0 - $1).length }.max() ?? .infinity
    #expect(difference < 0.3, "\(difference)")
    let board = try Board(yaml: yaml("proven", line), path: "b")
    #expect(try Board(yaml: board.yaml, path: "b") == board)
    for wrong in [
      yaml("stated", line), yaml("proven", "    field-mount: {x: forward, y: left, z: up}"),
      yaml("proven", "    \(key): auto"), yaml("proven", "    \(key): {x: up, y: up, z: left}"),
    ] {
      #expect(throws: BoardFileError.self) { _ = try Board(yaml: wrong, path: "b") }
    }
  }
}
