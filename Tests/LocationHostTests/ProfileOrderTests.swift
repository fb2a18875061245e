import Board
import Configuration
import Foundation
import HostClient
import HostProtocol
import LinuxIO
import LocationHost
import Pipeline
import Quantities
import ScriptedSource
import Servers
import Storage
import TestSupport
import Testing

/// A daemon whose source stores calibrations.
private final class ProfileRig {
  static let identity = ProfileIdentity(
    sensor: SensorIdentity(part: "LIS3MDL", bus: "/dev/i2c-1", address: 0x1C), board: "test board")

  let archive: CalibrationArchive
  let live: LiveCalibration
  let rig: ServiceRig
  private let folder: TemporaryFolder

  init(policy: String = "") throws {
    folder = try TemporaryFolder()
    archive = CalibrationArchive(
      store: ProfileStore(directory: folder.path + "/calibration"), identity: Self.identity)
    var configuration = PipelineConfiguration()
    live = LiveCalibration(&configuration, archive: archive, broadcast: Broadcast())
    rig = try ServiceRig(ScriptedPublisher(calibrator: live), policy: policy)
  }

  var path: String { archive.store.directory }

  /// The hard irons of the stored generations, newest first.
  func stored() throws -> [Double] {
    try archive.store.history(for: Self.identity).stored.map {
      $0.profile.result.hardIronMicrotesla.x
    }
  }

  static func plain(_ x: Double) -> ProfileContent {
    ProfileContent(
      text:
        "{\"softIron\":[[1,0,0],[0,1,0],[0,0,1]],\"hardIron\":[\(x),-20,5],\"quality\":\"good\"}",
      name: "plain.json")
  }
}

@Suite("Stored calibrations through the daemon", .timeLimit(.minutes(30)))
struct ProfileOrderTests {
  /// The refusal of a request; nil where it was executed.
  private func refusal(_ client: HostClient, _ order: ProfileOrder) -> HostFault? {
    do throws(HostError) {
      _ = try client.profiles(order)
      return nil
    } catch {
      guard case .refused(let fault) = error else {
        Issue.record("\(error)")
        return nil
      }
      return fault
    }
  }

  @Test("a stored calibration is on the disk and in use when the answer arrives, for all clients")
  func store() throws {
    let test = try ProfileRig()
    let (client, other) = (try test.rig.client(), try test.rig.client("org.example.other"))
    #expect(client.source.storesCalibrations == true)
    let empty = try client.profiles(.list(generation: nil))
    #expect(empty.profiles.isEmpty && empty.part == "LIS3MDL" && empty.board == "test board")
    #expect(empty.changeFault == nil)
    let saved = try client.profiles(.store(ProfileRig.plain(12)))
    #expect(try test.stored() == [12])
    #expect(test.live.inUse?.calibration.hardIron.microtesla.x == 12)
    #expect(saved.profiles.count == 1 && saved.profiles[0].path.hasPrefix(test.path))
    #expect(
      eventually {
        other.publisher.calibrator?.inUse?.calibration.hardIron.microtesla.x == 12
      })
    _ = try client.profiles(.store(ProfileRig.plain(30)))
    let back = try client.profiles(.rollback(generation: 1))
    #expect(try test.stored() == [12, 30, 12])
    #expect(test.live.inUse?.calibration.hardIron.microtesla.x == 12)
    #expect(back.profiles[0].path.hasSuffix("00000003.json"))
    // The profiles are complete: exported and imported again they are the same.
    let list = try other.profiles(.list(generation: nil))
    let profiles = try list.profiles.map { try CalibrationProfile(json: Array($0.text.utf8)) }
    #expect(profiles.map(\.generation) == [3, 2, 1] && profiles[0].restoredFrom == 1)
    #expect(try other.profiles(.list(generation: 2)).profiles == [list.profiles[1]])
    test.rig.daemon.stop()
  }

  @Test("the pipeline takes gyroscope, deviation and load of a stored calibration at once")
  func handedOver() throws {
    let test = try ProfileRig()
    let client = try test.rig.client()
    _ = try client.profiles(.store(ProfileRig.plain(12)))
    _ = test.live.nextGiven()
    var profile = try #require(try test.archive.store.current(for: ProfileRig.identity).stored)
      .profile
    profile.loads = [StoredLoad(load: "motor", unit: "A", fieldMicroteslaPerUnit: SIMD3(1, 2, 3))]
    profile.gyroscope = StoredGyroscope(biasRadiansPerSecond: SIMD3(0.1, 0, 0))
    _ = try client.profiles(
      .store(ProfileContent(text: profile.json, name: "edited", after: 1)))
    let given = try #require(test.live.nextGiven())
    #expect(given.parts?.loadMicroteslaPerUnit == SIMD3(1, 2, 3))
    #expect(given.parts?.inertialCorrection?.rateBias == SIMD3(0.1, 0, 0))
    let stored = try test.archive.store.current(for: ProfileRig.identity).stored
    #expect(stored?.profile.generation == 2)
    test.rig.daemon.stop()
  }

  @Test("a calibration made from an earlier one is refused after another was stored")
  func outdated() throws {
    let test = try ProfileRig()
    let client = try test.rig.client()
    for x in [1.0, 2] { _ = try client.profiles(.store(ProfileRig.plain(x))) }
    var content = ProfileRig.plain(3)
    content.after = 1
    let fault = refusal(client, .store(content))
    #expect(fault?.message.contains("calibration 2 was stored meanwhile") == true)
    content.after = 2
    #expect(refusal(client, .store(content)) == nil)
    #expect(try test.stored() == [3, 2, 1])
    test.rig.daemon.stop()
  }

  @Test(
    "damaged, foreign and unknown calibrations are refused with the reason, and nothing changes")
  func refused() throws {
    let test = try ProfileRig()
    let client = try test.rig.client()
    _ = try client.profiles(.store(ProfileRig.plain(1)))
    var foreign = CalibrationProfile(
      made: UTCTime(nanosecondsSince1970: 1_795_278_750_000_000_000),
      identity: ProfileIdentity(sensor: SensorIdentity(part: "AK8963"), board: "other"),
      conditions: CalibrationConditions(origin: .guided),
      result: CalibrationResult(
        softIron: .identity, hardIronMicrotesla: SIMD3(9, 0, 0), quality: .good))
    foreign.generation = 4
    let cases: [(ProfileOrder, String)] = [
      (.store(ProfileContent(text: foreign.json, name: "f.json")), "belongs to AK8963"),
      (
        .store(
          ProfileContent(
            text: foreign.json.replacingOccurrences(of: "9", with: "8"), name: "f.json")),
        "f.json: not used: it is damaged"
      ),
      (.store(ProfileContent(text: "x\u{1B}", name: "g\u{1B}")), "not valid JSON"),
      (.rollback(generation: 77), "no generation 77"),
    ]
    for (order, reason) in cases {
      let fault = refusal(client, order)
      #expect(fault?.message.contains(reason) == true, "\(fault.map { "\($0)" } ?? "stored")")
    }
    var given = ProfileContent(text: foreign.json, name: "f.json")
    given.mayBeForeign = true
    #expect(refusal(client, .store(given)) == nil)
    #expect(try test.stored() == [9, 1])
    test.rig.daemon.stop()
  }

  @Test("without the permission to calibrate nothing changes; reading needs full accuracy")
  func permission() throws {
    let test = try ProfileRig(
      policy: """
        calibration: deny
        applications:
          org.example.granted: {calibration: grant}
          org.example.area: {accuracy: reduced, calibration: grant}
        """)
    let denied = try test.rig.client()
    for order in [ProfileOrder.store(ProfileRig.plain(1)), .rollback(generation: 1)] {
      let fault = refusal(denied, order)
      #expect(fault?.code == .access && fault?.message.contains("calibration refused") == true)
    }
    let list = try denied.profiles(.list(generation: nil))
    #expect(list.changeFault?.contains("calibration refused") == true)
    let area = try test.rig.client("org.example.area")
    #expect(refusal(area, .list(generation: nil))?.code == .access)
    #expect(try test.stored().isEmpty)
    // A name that is granted counts only for clients that are bound to it.
    let claimed = try test.rig.client("org.example.granted")
    let fault = refusal(claimed, .store(ProfileRig.plain(1)))
    #expect(try test.stored() == (fault == nil ? [1] : []))
    test.rig.daemon.stop()
  }

  @Test("a calibration beyond a message's limit is refused by the client, a long list is cut")
  func bounds() throws {
    let test = try ProfileRig()
    let client = try test.rig.client()
    var content = ProfileRig.plain(1)
    content.text += String(repeating: " ", count: LineLimit.request)
    #expect(refusal(client, .store(content))?.code == .tooLong)
    #expect(client.isConnected)
    // Large files come into the folder by other means.
    let padding = String(repeating: "x", count: 200_000)
    for x in 0..<8 {
      var profile = CalibrationProfile(
        made: UTCTime(nanosecondsSince1970: 1_795_278_750_000_000_000),
        identity: ProfileRig.identity, conditions: CalibrationConditions(origin: .imported),
        result: CalibrationResult(
          softIron: .identity, hardIronMicrotesla: SIMD3(Double(x), 0, 0), quality: .good))
      profile.conditions.activity = padding
      try test.archive.store.save(profile)
    }
    let list = try client.profiles(.list(generation: nil))
    #expect(list.profiles.reduce(0) { $0 + $1.text.utf8.count } < 512 << 10)
    #expect(list.profiles.count == 2)
    #expect(list.refusals.last?.contains("6 older calibrations are not shown") == true)
    let first = try #require(try client.profiles(.list(generation: 1)).profiles.first)
    #expect(try CalibrationProfile(json: Array(first.text.utf8)).generation == 1)
    test.rig.daemon.stop()
  }

  @Test("a source without stored calibrations, and none at all, are refused with the reason")
  func absent() throws {
    let scripted = try ServiceRig(ScriptedPublisher(calibrator: ScriptedCalibrator()))
    let client = try scripted.client()
    #expect(client.source.storesCalibrations == false)
    #expect(refusal(client, .list(generation: nil))?.code == .noSensor)
    scripted.daemon.stop()
    var configuration = PipelineConfiguration()
    let live = LiveCalibration(&configuration, archive: nil, broadcast: Broadcast())
    let rig = try ServiceRig(ScriptedPublisher(calibrator: live))
    let other = try rig.client()
    let fault = refusal(other, .store(ProfileRig.plain(1)))
    #expect(fault?.message.contains("stores no calibrations") == true)
    rig.daemon.stop()
  }

  @Test("a folder that cannot be written refuses a calibration, and the one in use stays in use")
  func unwritable() throws {
    let test = try ProfileRig()
    let client = try test.rig.client()
    _ = try client.profiles(.store(ProfileRig.plain(1)))
    let files = FileManager.default
    try files.moveItem(atPath: test.path, toPath: test.path + ".away")
    // Holds for root too.
    try Data().write(to: URL(fileURLWithPath: test.path))
    let fault = refusal(client, .store(ProfileRig.plain(2)))
    #expect(fault?.code == .notKept && fault?.message.contains("Not a directory") == true)
    #expect(test.live.inUse?.calibration.hardIron.microtesla.x == 1)
    // The daemon's own calibration is in use and stored later.
    let remote = try #require(client.publisher.calibrator)
    let made = CalibrationInUse(
      MagnetometerCalibration(
        softIron: .identity, hardIron: MagneticField(microtesla: SIMD3(3, 0, 0)), quality: .good))
    #expect(throws: CalibrationFault.self) { try remote.use(made) }
    #expect(eventually { client.source.storageFault?.contains("Not a directory") == true })
    try files.removeItem(atPath: test.path)
    try files.moveItem(atPath: test.path + ".away", toPath: test.path)
    test.rig.daemon.checkState()
    #expect(eventually { client.source.storageFault == nil })
    #expect(try test.stored() == [3, 1])
    test.rig.daemon.stop()
  }

  @Test(
    "a daemon's attached board reads and stores calibrations below the state, and names its bus")
  func attached() throws {
    let state = try TemporaryFolder()
    let compass = Board.Sensor(chip: .lis3mdl)
    let hardware = try EmulatedHardware([compass])
    var configuration = PipelineConfiguration()
    configuration.board = Board(name: "emulated", sensors: [compass])
    configuration.calibrationFolder = StatePlace.calibrations(in: state.path + "/state")
    var serve = ServeConfiguration(
      socketPath: state.path + "/s", stateFolder: state.path + "/state")
    serve.policyFolder = state.path + "/policy"
    let logged = LoggedLines()
    let opening = SourceOpening(isLive: true) { [configuration] () throws(SourceError) in
      OpenedSource(try EstimatePlayer(attached: configuration, hardware: hardware))
    }
    func daemon() throws -> Daemon {
      let daemon = try Daemon(
        opening, configuration: serve, environment: [:], log: logged.log)
      daemon.start()
      return daemon
    }
    func client() throws -> HostClient {
      let client = try HostClient(
        application: "org.example.app", client: "test",
        environment: ["LODESTAR_SOCKET": serve.socketPath])
      #expect(eventually { client.source.isOpen })
      return client
    }
    var running = try daemon()
    var program = try client()
    #expect(program.source.devices == [Board.usualBus])
    #expect(program.source.storesCalibrations == true && program.source.storageFault == nil)
    let saved = try program.profiles(.store(ProfileRig.plain(7)))
    #expect(saved.profiles.first?.path.hasPrefix(state.path + "/state/calibration/") == true)
    // The program receives the chip's samples at its own rate while the daemon uses them.
    let rows = Collected<SensorSamples>()
    let observation = program.publisher.observeRows { rows.add($0) }
    #expect(eventually { rows.all.filter { $0.field != nil }.count > 100 })
    let fields = rows.all.compactMap { $0.field?.timestamp }
    let seconds = try #require(fields.last).seconds(since: try #require(fields.first))
    #expect(Double(fields.count - 1) / seconds > 30)
    observation.cancel()
    running.stop()
    running = try daemon()
    program = try client()
    #expect(
      eventually {
        program.publisher.calibrator?.inUse?.calibration.hardIron.microtesla.x == 7
      })
    running.stop()
    // A folder that cannot be read; a file in its place holds for root too.
    let folder = state.path + "/state/calibration"
    let files = FileManager.default
    try files.moveItem(atPath: folder, toPath: folder + ".away")
    try Data().write(to: URL(fileURLWithPath: folder))
    running = try daemon()
    program = try client()
    #expect(program.source.storageFault?.contains(folder) == true)
    #expect(eventually { logged.all.contains { $0.contains("calibrations are not stored: ") } })
    try files.removeItem(atPath: folder)
    try files.moveItem(atPath: folder + ".away", toPath: folder)
    running.checkState()
    #expect(
      eventually {
        program.publisher.calibrator?.inUse?.calibration.hardIron.microtesla.x == 7
      })
    #expect(eventually { program.source.storageFault == nil })
    running.stop()
  }
}
