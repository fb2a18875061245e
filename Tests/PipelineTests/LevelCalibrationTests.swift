import CalibrationFit
import Formats
import Foundation
import Pipeline
import Quantities
import Storage
import TestSupport
import Testing

@Suite("Calibrations for level use", .timeLimit(.minutes(30)))
struct LevelCalibrationTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func outcome(_ boat: CirclingBoat, use: CalibrationUse? = nil) throws
    -> CalibrationOutcome
  {
    var observations = BoardObservations()
    for row in boat.rows(seconds: 186) { observations.add(row) }
    return try observations.outcome(prior: .unknown, use: use)
  }

  @Test("three circles are fair for level use, and not for any attitude")
  func quality() throws {
    let level = try outcome(CirclingBoat())
    #expect(level.use == .level && level.quality == .fair && (level.turn?.degrees ?? 0) > 350)
    #expect((3...4).contains(level.predictedLevelError.degrees))
    #expect(level.predictedHeadingError.degrees > 10)
    let stated = try outcome(CirclingBoat(), use: .anyAttitude)
    #expect(stated.quality == .poor || stated.quality == .uncalibrated)
    #expect(stated.predictedLevelError == level.predictedLevelError)
    // A boat that heels by 20 degrees is not level.
    var heeling = CirclingBoat()
    heeling.rollDegrees = 20
    #expect(try outcome(heeling).use == .anyAttitude)
    #expect(try outcome(heeling, use: .level).use == .level)
  }

  @Test(
    "a session for level use is offered for saving, and is used and stored when the user ends it")
  func session() throws {
    let archive = CalibrationArchive(
      store: ProfileStore(directory: folder.path),
      identity: ProfileIdentity(sensor: SensorIdentity(part: "X1"), board: "bench"))
    let broadcast = Broadcast()
    var configuration = PipelineConfiguration()
    // A boat's activity states the use.
    configuration.activity = .otherNavigation
    let fits = DispatchQueue(label: "fits")
    let calibration = LiveCalibration(
      &configuration, archive: archive, broadcast: broadcast, queue: fits)
    #expect(throws: CalibrationFault.self) { try calibration.finish() }
    calibration.begin()
    #expect(calibration.sessionUse == .level)
    for (n, row) in CirclingBoat().rows(seconds: 186).enumerated() {
      broadcast.publish(row)
      // Samples arrive faster here than from a board.
      if n % 500 == 499 { fits.sync {} }
      if n == 500 { #expect(throws: CalibrationFault.self) { try calibration.finish() } }
    }
    fits.sync {}
    guard case .collecting(let progress) = calibration.standing, progress >= 0.5 else {
      Issue.record("\(calibration.standing)")
      return
    }
    // A level turn does not show how the sensor is turned in its case: the session does not end by
    // itself.
    #expect(progress < 1)
    try calibration.finish()
    guard case .calibrated = calibration.standing else {
      Issue.record("\(calibration.standing)")
      return
    }
    let profile = try #require(try archive.store.current(for: archive.identity).stored?.profile)
    #expect(profile.result.quality == .fair && profile.result.use == .level)
    #expect(profile.result.predictedErrorDegrees == profile.result.predictedLevelErrorDegrees)
    #expect(calibration.inUse?.calibration.use == .level)
  }

  @Test("a session that states no use does not end with a level turn, and may be ended by it")
  func unstated() throws {
    let broadcast = Broadcast()
    var configuration = PipelineConfiguration()
    let fits = DispatchQueue(label: "fits")
    let calibration = LiveCalibration(
      &configuration, archive: nil, broadcast: broadcast, queue: fits)
    calibration.begin()
    #expect(calibration.sessionUse == .anyAttitude)
    for (n, row) in CirclingBoat().rows(seconds: 126).enumerated() {
      broadcast.publish(row)
      if n % 500 == 499 { fits.sync {} }
    }
    // The progress is that for any attitude.
    guard case .collecting(let share) = calibration.standing, share < 0.5 else {
      Issue.record("\(calibration.standing)")
      return
    }
    try calibration.finish()
    #expect(calibration.inUse?.calibration.use == .level)
  }

  @Test(
    "the accuracy of a stored level calibration grows with the tilt, with and without its covariance"
  )
  func accuracy() throws {
    let found = try outcome(CirclingBoat())
    let result = try #require(CalibrationResult(found))
    let written = CalibrationFile(result: result, fit: StoredFit(found.estimate))
    let file = try CalibrationFile(json: Array(written.json.utf8))
    #expect(file == written && file.result.use == .level)
    var plain = result
    plain.coverage = nil
    let bare = try CalibrationFile(json: Array(plain.json.utf8))
    #expect(bare.estimate == nil)
    let level = found.predictedLevelError.degrees
    for file in [file, bare] {
      var before = 0.0
      for tilt in [0.0, 15, 30, 45, 70] {
        var boat = CirclingBoat()
        (boat.listDegrees, boat.rollDegrees, boat.circleSeconds) = (tilt, 0, .infinity)
        var configuration = PipelineConfiguration()
        configuration.calibration = .fitted(file.result.calibration)
        configuration.calibrationEstimate = file.estimate
        configuration.onlineCalibration = false
        var pipeline = Pipeline(configuration: configuration)
        for row in boat.rows(seconds: 20) { pipeline.process(row) }
        // 95 %: two sigma.
        let accuracy = try #require(pipeline.estimate.headingAccuracy).degrees
        #expect(accuracy >= before, "\(tilt): \(accuracy) after \(before)")
        if tilt == 0 { #expect(accuracy >= 1.4 * level && accuracy < 5 * level) }
        if tilt >= 15 { #expect(accuracy > 2 * level, "\(tilt): \(accuracy)") }
        if tilt >= 45 { #expect(accuracy > 4 * level, "\(tilt): \(accuracy)") }
        before = accuracy
      }
    }
  }
}
