import Foundation
import LinuxIO
import Quantities
import Storage
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

@Suite("The profile store", .timeLimit(.minutes(30)))
struct ProfileStoreTests {
  private let folder: TemporaryFolder
  private let store: ProfileStore
  private let me = Fixtures.identity

  init() throws {
    folder = try TemporaryFolder()
    store = ProfileStore(directory: folder.path + "/a/b", keptGenerations: 3)
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: store.folder(for: me)).sorted()
  }

  private func error(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "no error"
    } catch {
      return "\(error)"
    }
  }

  @Test("the last stored profile is current and unchanged")
  func saveAndRead() throws {
    let nothing = try store.current(for: me)
    #expect(nothing.stored == nil && nothing.refusals.isEmpty)
    try store.save(Fixtures.small(hardIron: 1))
    let saved = try store.save(Fixtures.small(hardIron: 2))
    let current = try store.current(for: me)
    #expect(current.stored?.profile == saved.profile && current.stored?.path == saved.path)
    #expect(current.stored?.profile.result.hardIronMicrotesla.x == 2)
    #expect(try store.history(for: me).stored.map(\.profile.generation) == [2, 1])
    #expect(saved.path.hasSuffix("/00000002.json"))
  }

  @Test("each sensor on each board has its own profiles, and the identities are listed")
  func identities() throws {
    var elsewhere = me
    elsewhere.board = "sense-hat"
    for identity in [me, Fixtures.other, elsewhere] { try store.save(Fixtures.small(identity)) }
    #expect(try store.history(for: me).stored.count == 1)
    #expect(Set(try store.identities()) == [me, Fixtures.other, elsewhere])
    #expect(me.folderName != elsewhere.folderName)
    #expect(me.folderName.hasPrefix("sense-hat-lis3mdl-i2c-1-0x1e-"))
  }

  @Test(
    "a serial number identifies a sensor on another bus, and distinguishes it from another on the same bus"
  )
  func serial() {
    var (a, b) = (me, me)
    (a.sensor.serial, b.sensor.serial) = ("1", "1")
    b.sensor.bus = "i2c-6"
    #expect(a.matches(b) && a.folderName == b.folderName)
    b.sensor = a.sensor
    b.sensor.serial = "2"
    #expect(!a.matches(b) && a.folderName != b.folderName)
  }

  @Test("a name cannot escape from the folder")
  func hostileNames() throws {
    var identity = me
    identity.board = "../../" + String(repeating: "ü/", count: 200)
    let saved = try store.save(Fixtures.small(identity))
    #expect(saved.path.hasPrefix(store.directory + "/------"))
    #expect(try store.current(for: identity).stored?.profile.identity.board == identity.board)
  }

  @Test("another sensor's profile is refused with both names, and the previous one is used")
  func foreign() throws {
    let own = try store.save(Fixtures.small())
    let other = try store.save(Fixtures.small(Fixtures.other))
    try FileManager.default.copyItem(
      atPath: other.path, toPath: store.folder(for: me) + "/00000009.json")
    let current = try store.current(for: me)
    #expect(current.stored?.profile == own.profile)
    let line = try #require(current.refusals.first).description
    #expect(
      line.contains("MMC5983MA on i2c-3 at 0x30") && line.contains("LIS3MDL on i2c-1 at 0x1e"))
    #expect(
      error { try store.import(from: other.path, for: me, made: Fixtures.made) }.contains(
        "MMC5983MA"))
    let taken = try store.import(
      from: other.path, for: me, made: Fixtures.made, mayBeForeign: true)
    #expect(taken.profile.identity == me && taken.profile.generation == 10)
  }

  @Test(
    "a newer version's profile is refused by its number, the one before is used, and it is kept")
  func newerVersion() throws {
    let own = try store.save(Fixtures.small())
    let newer = try Fixtures.forged(own.profile.json, "\"version\": 1", "\"version\": 2")
    let path = store.folder(for: me) + "/00000002.json"
    try Data(newer).write(to: URL(fileURLWithPath: path))
    let current = try store.current(for: me)
    #expect(current.stored?.profile == own.profile)
    #expect(current.refusals.first?.fault == .newerVersion(found: 2, known: 1))
    for _ in 0..<6 { try store.save(Fixtures.small()) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(newer))
  }

  @Test("the last generations are kept, and the newest good one in addition")
  func pruning() throws {
    try store.save(Fixtures.small(quality: .good))
    try store.save(Fixtures.small(quality: .good))
    for _ in 0..<5 { try store.save(Fixtures.small(quality: .fair)) }
    #expect(
      try names() == [".lock", "00000002.json", "00000005.json", "00000006.json", "00000007.json"])
    try store.save(Fixtures.small(quality: .good))
    #expect(try names() == [".lock", "00000006.json", "00000007.json", "00000008.json"])
  }

  @Test("files of a killed writer are removed; other files are not touched")
  func leftovers() throws {
    try store.save(Fixtures.small())
    let folder = store.folder(for: me)
    for name in [
      ".00000002.json.new", ".00000001.json.new", "notes.txt", "1.json",
      "99999999999999999999.json",
    ] {
      try Data("x".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
    }
    #expect(try store.save(Fixtures.small()).profile.generation == 2)
    #expect(
      try names()
        == [
          ".lock", "00000001.json", "00000002.json", "1.json", "99999999999999999999.json",
          "notes.txt",
        ])
  }

  @Test("a rollback makes a new generation, so that it can be undone")
  func rollback() throws {
    for n in 1...3 { try store.save(Fixtures.small(hardIron: Double(n))) }
    let back = try store.rollback(to: 1, for: me)
    #expect(back.profile.generation == 4 && back.profile.restoredFrom == 1)
    #expect(try store.current(for: me).stored?.profile.result.hardIronMicrotesla.x == 1)
    #expect(try store.current(for: me).stored?.profile.made == Fixtures.made)
    #expect(try store.save(back.profile).profile.restoredFrom == nil)
    let undone = try store.rollback(to: 3, for: me)
    #expect(undone.profile.generation == 6 && undone.profile.restoredFrom == 3)
    #expect(try store.current(for: me).stored?.profile.result.hardIronMicrotesla.x == 3)
    #expect(
      error { try store.rollback(to: 77, for: me) } == "there is no generation 77 of "
        + "\(me); there are 6, 5, 4")
    #expect(error { try store.rollback(to: 1, for: Fixtures.other) }.contains("calibrate first"))
  }

  @Test("an exported profile is imported unchanged; a plain calibration has the origin imported")
  func exportImport() throws {
    var full = Fixtures.full()
    full.identity = me
    let saved = try store.save(full)
    let path = folder.path + "/out.json"
    try store.export(to: path, for: me)
    try store.export(to: path, generation: 1, for: me)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(saved.profile.json.utf8))
    var again = try store.import(from: path, for: me, made: Fixtures.made).profile
    #expect(again.generation == 2)
    again.generation = 1
    #expect(again == saved.profile)
    let taken = try withFile(full.result.json) {
      try store.import(from: $0, for: me, made: Fixtures.made).profile
    }
    #expect(taken.conditions.origin == .imported && taken.result == full.result)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == [
        "a", "out.json",
      ])
  }

  @Test("a profile edited by hand is imported on request, with a new checksum")
  func editedByHand() throws {
    let text = Fixtures.small().json.replacingOccurrences(of: "12.5", with: "12.25")
    try withFile(text) { path in
      let line = error { try store.import(from: path, for: me, made: Fixtures.made) }
      #expect(line.hasPrefix(path) && line.contains("--unchecked"))
      try store.import(from: path, for: me, made: Fixtures.made, isChecked: false)
    }
    #expect(try store.current(for: me).stored?.profile.result.hardIronMicrotesla.x == 12.25)
  }

  @Test("an invalid profile is not stored")
  func notSane() throws {
    let good = try store.save(Fixtures.small())
    for hardIron in [Double.nan, .infinity, 1e6] {
      #expect(error { try store.save(Fixtures.small(hardIron: hardIron)) }.contains("'hardIron'"))
    }
    var asymmetric = Fixtures.small()
    asymmetric.fit.covariance = Fixtures.covariance()
    asymmetric.fit.covariance?[3, 4] = -1
    #expect(error { try store.save(asymmetric) }.contains("distortionCovariance"))
    #expect(try store.history(for: me).stored.map(\.profile) == [good.profile])
  }

  @Test("an impossible folder is reported with the reason and the remedy")
  func faults() throws {
    let (path, line) = try withFile("") { path in
      (path, error { try ProfileStore(directory: path + "/x").save(Fixtures.small()) })
    }
    #expect(line.hasPrefix(path) && line.contains("Not a directory; create its folder"))
    #expect(
      error { try ProfileStore(directory: "/proc/x").save(Fixtures.small()) }.hasPrefix(
        "/proc/x: cannot create"))
  }

  @Test("a lock that another program holds for too long is reported")
  func busy() throws {
    try store.save(Fixtures.small())
    let impatient = ProfileStore(directory: store.directory, lockTimeout: 0, files: LinuxFiles())
    let path = store.folder(for: me) + "/.lock"
    let lock = try #require(try LinuxFiles().lock(path))
    let line = error { try impatient.save(Fixtures.small()) }
    #expect(line == "\(path): another program has held the lock for 0 s; end it and try again")
    LinuxFiles().unlock(lock)
    #expect(try impatient.save(Fixtures.small()).profile.generation == 2)
  }

  @Test(
    "a missing permission is reported with the remedy, and stored files stay",
    .enabled(if: geteuid() != 0, "root may do everything"))
  func permission() throws {
    let saved = try store.save(Fixtures.small())
    let folder = store.folder(for: me)
    #expect(chmod(folder, 0o500) == 0)
    defer { chmod(folder, 0o700) }
    let line = error { try store.save(Fixtures.small()) }
    #expect(line.contains("Permission denied") && line.contains("LODESTAR_STATE"))
    #expect(try store.current(for: me).stored?.profile == saved.profile)
  }

  @Test("the default folder is that of the state, and without a place the error names the variable")
  func place() throws {
    #expect(
      try ProfileStore.standardDirectory(environment: ["LODESTAR_STATE": "/data"])
        == "/data/calibration")
    #expect(
      try ProfileStore.standardDirectory(environment: ["STATE_DIRECTORY": "/var/lib/other"])
        == "/var/lib/other/calibration")
    #expect("\(ProfileStoreError.noPlace)".contains("LODESTAR_STATE"))
  }

  @Test(
    "what root stores in the state of another user belongs to that user",
    .enabled(if: geteuid() == 0, "only root may give files away"))
  func owner() throws {
    #expect(chown(folder.path, 4711, 4712) == 0)
    let state = folder.path + "/state/calibration"
    let saved = try ProfileStore(directory: state).save(Fixtures.small())
    for path in [
      folder.path + "/state", state, saved.path.parentFolder, saved.path,
      saved.path.parentFolder + "/.lock",
    ] {
      var status = stat()
      #expect(stat(path, &status) == 0 && status.st_uid == 4711 && status.st_gid == 4712, "\(path)")
    }
    // Root's own folder stays root's, also below another user's.
    #expect(mkdir(folder.path + "/own", 0o755) == 0)
    let own = try ProfileStore(directory: folder.path + "/own").save(Fixtures.small())
    var status = stat()
    #expect(stat(own.path, &status) == 0 && status.st_uid == 0)
  }
}
