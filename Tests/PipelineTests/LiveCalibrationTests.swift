import Dispatch
import Formats
import Pipeline
import Quantities
import Simulation
import Storage
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(30))) struct LiveCalibrationTests {
  private let folder: TemporaryFolder
  private let fits = DispatchQueue(label: "fits")

  init() throws { folder = try TemporaryFolder() }

  /// An archive in a folder of its own.
  private func archive() -> CalibrationArchive {
    CalibrationArchive(
      store: ProfileStore(directory: folder.path),
      identity: ProfileIdentity(sensor: SensorIdentity(part: "X1"), board: "bench"))
  }

  private func kept(_ archive: CalibrationArchive) throws -> CalibrationProfile? {
    try archive.store.current(for: archive.identity).stored?.profile
  }

  private func pipeline(
    _ archive: CalibrationArchive?, _ broadcast: Broadcast
  ) -> (Pipeline, LiveCalibration) {
    var configuration = PipelineConfiguration()
    let calibration = LiveCalibration(
      &configuration, archive: archive, broadcast: broadcast, queue: fits)
    return (Pipeline(configuration: configuration), calibration)
  }

  private func rows() throws -> WorldRows {
    WorldRows(
      world: try SimulatedWorld(
        scenario: .calibrationByHand, seed: 7,
        startUTC: UTCTime(nanosecondsSince1970: 1_780_000_000_000_000_000)))
  }

  @Test(
    "a session's calibration is used by the running pipeline and saved, with a known accuracy")
  func session() throws {
    let (archive, broadcast) = (archive(), Broadcast())
    var (pipeline, calibration) = pipeline(archive, broadcast)
    var rows = try rows()
    calibration.begin()
    #expect(calibration.standing == .collecting(progress: 0))
    var (second, largest) = (0.0, 0.0)
    var isCalibrated = false
    while !isCalibrated, second < 240, let row = try rows.next() {
      broadcast.publish(row)
      pipeline.process(row)
      guard row.timestamp.seconds(since: Timestamp(nanoseconds: 0)) > second + 3 else { continue }
      second += 3
      // Samples arrive faster here than from a board.
      fits.sync {}
      switch calibration.standing {
      case .collecting(let progress):
        if progress < 1 { #expect(pipeline.estimate.headingAccuracy == nil) }
        largest = max(largest, progress)
      case .calibrated: isCalibrated = true
      case .uncalibrated: Issue.record("the session has ended without a calibration")
      }
    }
    try #require(isCalibrated, "after \(second) s the progress was \(largest)")
    #expect(largest > 0)
    let profile = try #require(try kept(archive))
    #expect(profile.conditions.origin == .guided)
    #expect(profile.result.quality == .good)
    for _ in 0..<2_000 {
      guard let row = try rows.next() else { break }
      pipeline.process(row)
    }
    #expect(pipeline.estimate.calibration == .good)
    // A heading that is kept over the change has the accuracy of the field before for some time
    // more.
    #expect((pipeline.estimate.headingAccuracy?.degrees ?? 180) < 20)
  }

  @Test("a calibration that is set is used and saved as a new generation; a reset saves nothing")
  func setting() throws {
    let (archive, broadcast) = (archive(), Broadcast())
    var (pipeline, calibration) = pipeline(archive, broadcast)
    var rows = try rows()
    func feed() throws {
      for _ in 0..<1_000 {
        guard let row = try rows.next() else { break }
        pipeline.process(row)
      }
    }
    for offset in [5.0, 6.0] {
      let new = MagnetometerCalibration(
        softIron: .identity, hardIron: MagneticField(microtesla: SIMD3(offset, 0, 0)),
        quality: .fair)
      try calibration.use(CalibrationInUse(new, residualMicrotesla: 0.7))
      try feed()
      #expect(pipeline.estimate.calibration == .fair)
    }
    #expect(pipeline.estimate.headingAccuracy != nil)
    #expect(calibration.standing == .calibrated(residualMicrotesla: 0.7))
    let history = try archive.store.history(for: archive.identity).stored
    #expect(history.map { $0.profile.result.hardIronMicrotesla.x } == [6, 5])
    calibration.reset()
    try feed()
    #expect(pipeline.estimate.calibration == .uncalibrated)
    #expect(pipeline.estimate.headingAccuracy == nil)
    #expect(calibration.standing == .uncalibrated)
    #expect(try kept(archive)?.result.hardIronMicrotesla.x == 6)
  }

  @Test("a calibration without an inverse is refused, and the previous one stays in use")
  func unusable() {
    let broadcast = Broadcast()
    let (_, calibration) = pipeline(nil, broadcast)
    let flat = MagnetometerCalibration(
      softIron: Matrix3(diagonal: SIMD3(1, 1, 0)), hardIron: MagneticField(components: .zero),
      quality: .good)
    #expect(throws: CalibrationFault.self) { try calibration.use(CalibrationInUse(flat)) }
    #expect(calibration.inUse == nil)
    #expect(calibration.nextGiven()?.choice == nil)
  }

  @Test("a cancelled session adds no more samples and changes nothing")
  func cancelled() throws {
    let broadcast = Broadcast()
    let (_, calibration) = pipeline(nil, broadcast)
    calibration.begin()
    calibration.cancel()
    var rows = try rows()
    for _ in 0..<500 { if let row = try rows.next() { broadcast.publish(row) } }
    #expect(calibration.standing == .uncalibrated)
    #expect(calibration.inUse == nil)
  }
}
