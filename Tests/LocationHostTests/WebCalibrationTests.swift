import Foundation
import HostClient
import LinuxIO
import LocationHost
import Pipeline
import Quantities
import ScriptedSource
import Servers
import TestSupport
import Testing

extension WebCalibration {
  fileprivate func begin(by token: String, for use: CalibrationUse? = nil) async -> Refusal? {
    await withCheckedContinuation { done in
      begin(by: token, for: use) { done.resume(returning: $0) }
    }
  }

  fileprivate func cancel() async -> Refusal? {
    await withCheckedContinuation { done in cancel { done.resume(returning: $0) } }
  }

  fileprivate func save() async -> Refusal? {
    await withCheckedContinuation { done in save { done.resume(returning: $0) } }
  }
}

@Suite("The calibration over HTTP", .timeLimit(.minutes(30)))
struct WebCalibrationTests {
  /// The messages to pages.
  private final class Pages: Sendable {
    private let messages = Locked<[String]>([])
    var all: [String] { messages.withLock { $0 } }
    func add(_ message: [UInt8]) {
      messages.withLock { $0.append(String(decoding: message, as: UTF8.self)) }
    }
  }

  private let calibrator = ScriptedCalibrator()
  private let pages = Pages()
  private let rig: ServiceRig
  private let client: HostClient
  private let calibration: WebCalibration

  init() throws {
    rig = try ServiceRig(ScriptedPublisher(calibrator: calibrator))
    client = try rig.client()
    calibration = WebCalibration(client, rig.logged.log) { [pages] in pages.add($0) }
  }

  private func begin() async {
    #expect(await calibration.begin(by: "phone") == nil)
    #expect(
      eventually {
        calibration.owner == "phone" && pages.all.contains { $0.contains("collecting") }
      })
  }

  @Test("a session reports its predicted error, and once that it is saved")
  func saved() async throws {
    await begin()
    calibrator.advance(to: 0.5)
    #expect(eventually { pages.all.contains { $0.contains(#""predictedHeadingError":6.00"#) } })
    #expect(await calibration.save()?.reason.contains("not sufficient") == true)
    calibrator.advance(to: 1)
    #expect(eventually { pages.all.contains { $0.contains(#""coverage":1.000"#) } })
    calibrator.finish(
      CalibrationInUse(
        MagnetometerCalibration(
          softIron: .identity, hardIron: MagneticField(microtesla: SIMD3(9, 0, 0)), quality: .good,
          predictedHeadingError: Angle(degrees: 2.5))))
    #expect(eventually { pages.all.contains { $0.contains(#""state":"saved""#) } })
    let saved = pages.all.filter { $0.contains("saved") }
    #expect(
      saved.count == 1 && saved[0].contains(#""quality":"good","predictedHeadingError":2.50"#))
    #expect(await calibration.save() == nil && calibration.owner == nil)
  }

  @Test("a fair calibration for level use is offered for saving, and is saved by its user")
  func levelUse() async throws {
    #expect(await calibration.begin(by: "phone", for: .level) == nil)
    #expect(eventually { pages.all.contains { $0.contains(#""use":"level""#) } })
    calibrator.advance(to: 0.4)
    #expect(eventually { pages.all.contains { $0.contains(#""coverage":0.400"#) } })
    #expect(!pages.all.contains { $0.contains("ready") })
    // 3.2 degrees while level.
    calibrator.advance(to: 3 / 3.2)
    #expect(
      eventually {
        pages.all.contains {
          $0.contains(#""state":"ready""#) && $0.contains(#""predictedHeadingError":3.20"#)
        }
      })
    calibrator.prepare(
      CalibrationInUse(
        MagnetometerCalibration(
          softIron: .identity, hardIron: MagneticField(microtesla: SIMD3(9, 0, 0)), quality: .fair,
          predictedHeadingError: Angle(degrees: 11.6), predictedLevelError: Angle(degrees: 3.2),
          use: .level)))
    #expect(await calibration.save() == nil)
    #expect(eventually { pages.all.contains { $0.contains(#""state":"saved""#) } })
    let saved = pages.all.filter { $0.contains("saved") }
    #expect(
      saved.count == 1
        && saved[0].contains(#""quality":"fair","predictedHeadingError":3.20,"use":"level""#))
  }

  @Test("a session continues while the device that began it is absent for less than three minutes")
  func absence() async throws {
    await begin()
    let now = MonotonicClock.now.nanoseconds
    let earlier = { (seconds: Double) in
      Timestamp(nanoseconds: now - min(now, UInt64(nanosecondsIn: seconds)))
    }
    calibration.endIfAbsent(lastSeen: earlier(WebCalibration.absence - 30), isRevoked: false)
    #expect(calibration.owner == "phone" && calibrator.isCollecting)
    calibration.endIfAbsent(lastSeen: earlier(WebCalibration.absence + 30), isRevoked: false)
    #expect(eventually { !calibrator.isCollecting })
    #expect(
      eventually {
        pages.all.contains { $0.contains(#""state":"failed""#) && $0.contains("3 minutes") }
      })
    #expect(rig.logged.all.filter { $0.contains("the calibration was ended") }.count == 1)
  }

  @Test("a session ends with the token of its user")
  func revoked() async throws {
    await begin()
    calibration.endIfAbsent(lastSeen: MonotonicClock.now, isRevoked: true)
    #expect(eventually { !calibrator.isCollecting })
    #expect(eventually { pages.all.contains { $0.contains("revoked") } })
  }

  @Test("a cancelled session is idle, and there is nothing to cancel or to save after it")
  func cancelled() async throws {
    await begin()
    #expect(await calibration.cancel() == nil)
    #expect(eventually { !calibrator.isCollecting && pages.all.last?.contains("idle") == true })
    #expect(await calibration.cancel()?.reason == "no calibration is running")
    #expect(await calibration.save()?.reason == "no calibration is running")
  }

  @Test("the policy's refusal is one, with its reason")
  func policy() async throws {
    try rig.setPolicy("calibration: deny\n")
    rig.daemon.reload()
    let refusal = await calibration.begin(by: "phone")
    #expect(
      refusal?.isForbidden == true && calibration.owner == nil, "\(String(describing: refusal))")
  }
}
