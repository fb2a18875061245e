import Configuration
import CoreLocation
import LocationHost
import Pipeline
import Quantities
import Recording
import ScriptedSource
import Testing

@Suite(.timeLimit(.minutes(30))) struct HeadingCalibrationTests {
  private let calibrator = ScriptedCalibrator()
  private let bench: Bench

  init() { bench = Bench(publisher: ScriptedPublisher(calibrator: calibrator)) }

  private var good: CalibrationInUse {
    CalibrationInUse(
      MagnetometerCalibration(
        softIron: Matrix3(diagonal: SIMD3(1, 2, 0.5)),
        hardIron: MagneticField(microtesla: SIMD3(10, -20, 30)), quality: .good,
        predictedHeadingError: Angle(degrees: 1.5)),
      residualMicrotesla: 0.25)
  }

  @Test("a session reports its progress and ends with the residual")
  func session() async throws {
    let (manager, _) = bench.manager()
    let calibration = manager.headingCalibration
    var states = calibration.states.makeAsyncIterator()
    #expect(await states.next() == .uncalibrated)
    try await calibration.begin()
    #expect(await states.next() == .collecting(progress: 0))
    calibrator.advance(to: 0.5)
    #expect(await states.next() == .collecting(progress: 0.5))
    calibrator.finish(good)
    #expect(await states.next() == .calibrated(residual: 0.25))
    let parameters = await calibration.parameters
    #expect(parameters.hardIron == SIMD3(10, -20, 30))
    #expect(parameters.softIron == [SIMD3(1, 0, 0), SIMD3(0, 2, 0), SIMD3(0, 0, 0.5)])
    #expect(abs((parameters.predictedHeadingError ?? 0) - 1.5) < 1e-12)
  }

  @Test("a late listener receives the current state, and a slow one only the newest")
  func lateAndSlow() async throws {
    let (manager, _) = bench.manager()
    var early = manager.headingCalibration.states.makeAsyncIterator()
    try await manager.headingCalibration.begin()
    for share in [0.1, 0.2, 0.3] { calibrator.advance(to: share) }
    var late = bench.manager().0.headingCalibration.states.makeAsyncIterator()
    #expect(await late.next() == .collecting(progress: 0.3))
    #expect(await early.next() == .collecting(progress: 0.3))
  }

  @Test("the sensors stay in use while a session runs, and no longer")
  func holding() async throws {
    let (manager, _) = bench.manager()
    try await manager.headingCalibration.begin()
    bench.clock.advance(by: 2 * OnDemandSource.lookSeconds)
    #expect(bench.services.isOpen)
    calibrator.finish(good)
    #expect(!bench.services.isOpen)
    try await manager.headingCalibration.begin()
    #expect(bench.services.isOpen)
    await manager.headingCalibration.cancel()
    bench.waitUntilIdle()
    #expect(!calibrator.isCollecting)
    #expect(!bench.services.isOpen)
  }

  @Test("a second beginning changes nothing, and a reset leaves the session running from nothing")
  func again() async throws {
    let calibration = bench.manager().0.headingCalibration
    try await calibration.begin()
    calibrator.advance(to: 0.4)
    try await calibration.begin()
    #expect(calibrator.sessionCount == 1)
    #expect(calibrator.standing == .collecting(progress: 0.4))
    await calibration.reset()
    bench.waitUntilIdle()
    #expect(calibrator.standing == .collecting(progress: 0))
  }

  @Test("without a source or a magnetometer no session begins, and the error names the cause")
  func impossible() async {
    let none = Bench(failure: .noSensors(searched: [])).manager().0.headingCalibration
    #expect(await failure(none) == .denied)
    let bare = Bench(publisher: ScriptedPublisher(hasMagnetometer: false))
    let calibration = bare.manager().0.headingCalibration
    #expect(await failure(calibration) == .headingFailure)
    #expect(!bare.services.isOpen)
    var states = none.states.makeAsyncIterator()
    #expect(await states.next() == .uncalibrated)
    #expect(await none.parameters == CLMagnetometerCalibration())
  }

  @Test("a session that the policy refuses is an error with the remedy, and releases the sensors")
  func refusedByPolicy() async {
    var policy = Policy()
    policy.defaultCalibration = false
    let bench = Bench(publisher: ScriptedPublisher(calibrator: calibrator), policy: policy)
    let calibration = bench.manager().0.headingCalibration
    do {
      try await calibration.begin()
      Issue.record("it was begun")
    } catch {
      #expect((error as? CLError)?.code == .denied)
      #expect(error.localizedDescription.contains("add 'calibration: grant'"))
    }
    do {
      try await calibration.use(CLMagnetometerCalibration())
      Issue.record("it was used")
    } catch {
      #expect(error.localizedDescription.contains("add 'calibration: grant'"))
    }
    bench.waitUntilIdle()
    #expect(calibrator.sessionCount == 0 && calibrator.inUse == nil)
    bench.clock.advance(by: 2 * OnDemandSource.lookSeconds)
    #expect(!bench.services.isOpen)
  }

  /// The error of the beginning of a session; nil for none.
  private func failure(_ calibration: CLHeadingCalibration) async -> CLError.Code? {
    do { try await calibration.begin() } catch { return (error as? CLError)?.code }
    return nil
  }

  @Test("parameters that are set are in use, with assumed quality where no error is given")
  func setting() async throws {
    let calibration = bench.manager().0.headingCalibration
    await calibration.set(CLMagnetometerCalibration(hardIron: SIMD3(1, 2, 3)))
    #expect(await calibration.parameters.hardIron == SIMD3(1, 2, 3))
    #expect(calibrator.inUse?.calibration.quality == .assumed)
    #expect(calibrator.standing == .calibrated(residualMicrotesla: nil))
    let level = CLMagnetometerCalibration(
      predictedHeadingError: 20, predictedLevelError: 4, use: .level)
    await calibration.set(level)
    #expect(await calibration.parameters.use == .level)
    #expect(calibrator.inUse?.calibration.quality == .fair)
    let poor = CLMagnetometerCalibration(residual: 2, predictedHeadingError: 20)
    try await calibration.use(poor)
    #expect(calibrator.standing == .uncalibrated)
    #expect(await calibration.parameters.residual == 2)
  }

  @Test("parameters that cannot be used or stored are an error with the reason")
  func refused() async {
    let calibration = bench.manager().0.headingCalibration
    func reason(_ p: CLMagnetometerCalibration, _ c: CLHeadingCalibration) async -> String? {
      do { try await c.use(p) } catch { return error.localizedDescription }
      return nil
    }
    #expect(
      await reason(CLMagnetometerCalibration(softIron: []), calibration)?.contains("3 rows") == true
    )
    #expect(calibrator.inUse == nil)
    let full = ScriptedCalibrator(refusal: .notKept("no space left"))
    let other = Bench(publisher: ScriptedPublisher(calibrator: full)).manager().0
    let said = await reason(CLMagnetometerCalibration(), other.headingCalibration)
    #expect(said?.contains("no space left") == true)
  }

  @Test("parameters are coded with the keys of a calibration file")
  func coding() throws {
    let file = """
      {"format": "lodestar-calibration", "softIron": [[1, 0.1, 0], [0.1, 1.2, 0], [0, 0, 0.9]],
       "hardIron": [4, 5, 6], "quality": "good", "residual_uT": 0.5, "predictedHeadingError_deg": 2}
      """
    let read = try JSONDecoder().decode(CLMagnetometerCalibration.self, from: Data(file.utf8))
    #expect(read.softIron[1] == SIMD3(0.1, 1.2, 0))
    #expect(read.hardIron == SIMD3(4, 5, 6))
    #expect((read.residual, read.predictedHeadingError) == (0.5, 2))
    let again = try JSONDecoder().decode(
      CLMagnetometerCalibration.self, from: JSONEncoder().encode(read))
    #expect(again == read)
  }
}

@Suite(.timeLimit(.minutes(30))) struct CalibrationDisplayTests {
  private let calibrator = ScriptedCalibrator()
  private let bench: Bench

  init() { bench = Bench(publisher: ScriptedPublisher(calibrator: calibrator)) }

  private func estimate(_ state: CalibrationState, accuracy: Double? = nil, heading: Double = 5)
    -> Estimate
  {
    var estimate = Estimate.heading(heading, accuracy: accuracy)
    estimate.calibration = state
    return estimate
  }

  /// A manager whose delegate has answered the calibration question.
  private func asked(displays: Bool) async throws -> (CLLocationManager, Recorder) {
    let (manager, recorder) = bench.manager()
    recorder.displaysCalibration.withLock { $0 = displays }
    manager.startUpdatingHeading()
    bench.waitUntilIdle()
    bench.publisher.send(estimate(.uncalibrated))
    #expect(try await eventually { recorder.events.contains("calibration?") })
    await drainMainQueue()
    bench.waitUntilIdle()
    return (manager, recorder)
  }

  @Test("a display is a session, which a dismissal ends")
  func dismissed() async throws {
    let (manager, _) = try await asked(displays: true)
    #expect(calibrator.isCollecting)
    manager.dismissHeadingCalibrationDisplay()
    bench.waitUntilIdle()
    #expect(!calibrator.isCollecting)
    #expect(bench.services.isOpen)
  }

  @Test("without a display there is no session")
  func silent() async throws {
    _ = try await asked(displays: false)
    #expect(calibrator.sessionCount == 0)
  }

  @Test("a calibration found during the session ends the display and the session")
  func calibrated() async throws {
    let (manager, _) = try await asked(displays: true)
    bench.publisher.send(estimate(.good, accuracy: 3))
    bench.waitUntilIdle()
    #expect(!manager.session.isCalibrationDisplayed)
    #expect(!calibrator.isCollecting)
  }

  @Test("a session that ends by itself ends the display")
  func finished() async throws {
    let (manager, _) = try await asked(displays: true)
    calibrator.finish(
      CalibrationInUse(
        MagnetometerCalibration(
          softIron: .identity, hardIron: MagneticField(components: .zero), quality: .good)))
    bench.waitUntilIdle()
    #expect(!manager.session.isCalibrationDisplayed)
  }

  @Test("a session that the program has begun continues when the display ends")
  func program() async throws {
    let (manager, _) = try await asked(displays: true)
    try await manager.headingCalibration.begin()
    manager.dismissHeadingCalibrationDisplay()
    bench.waitUntilIdle()
    #expect(calibrator.isCollecting)
    #expect(calibrator.sessionCount == 1)
    manager.stopUpdatingHeading()
    #expect(bench.services.isOpen)
  }

  @Test("stopping headings, or releasing the manager, ends its display")
  func stopped() async throws {
    let (manager, _) = try await asked(displays: true)
    manager.stopUpdatingHeading()
    bench.waitUntilIdle()
    #expect(!calibrator.isCollecting)
    #expect(!bench.services.isOpen)
  }

  @Test("the heading's accuracy is negative while uncalibrated, and then shrinks in degrees")
  func accuracy() async throws {
    let (_, recorder) = try await asked(displays: false)
    #expect(try await eventually { recorder.headings.count == 1 })
    let path: [(state: CalibrationState, accuracy: Double)] = [
      (.poor, 40), (.fair, 12), (.good, 4),
    ]
    for (i, step) in path.enumerated() {
      bench.publisher.send(
        estimate(step.state, accuracy: step.accuracy, heading: Double(10 + 10 * i)))
      #expect(try await eventually { recorder.headings.count == i + 2 })
    }
    let accuracies = recorder.headings.map(\.headingAccuracy)
    #expect((accuracies.first ?? 0) < 0)
    #expect(accuracies.dropFirst().map { $0.rounded() } == [40, 12, 4])
  }
}

extension CLHeadingCalibration {
  /// Sets the parameters from outside the actor.
  fileprivate func set(_ new: CLMagnetometerCalibration) { parameters = new }
}
