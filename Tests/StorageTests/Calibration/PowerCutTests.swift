import Glibc
import LinuxIO
import Quantities
import Storage
import Testing

@Suite("A power cut", .timeLimit(.minutes(30)))
struct PowerCutTests {
  private let me = Fixtures.identity

  /// The newest valid generation, and the newer refused files.
  private func newest(_ store: ProfileStore) throws -> (generation: Int, refused: Int) {
    let current = try store.current(for: me)
    return (current.stored?.profile.generation ?? 0, current.refusals.count)
  }

  @Test(
    "a generation is on the medium before it has its name, and its name before an older one goes")
  func order() throws {
    let disk = SimulatedDisk(seed: 1)
    let store = ProfileStore(directory: "/var/cal", keptGenerations: 1, files: disk)
    try store.save(Fixtures.small())
    let folder = me.folderName
    #expect(
      disk.log == [
        "folder var", "folder cal", "folder \(folder)", "lock .lock", "sync folder cal",
        "sync folder var", "sync folder /", "create .00000001.json.new",
        "write .00000001.json.new", "sync .00000001.json.new", "rename 00000001.json",
        "sync folder \(folder)",
      ])
    let first = disk.log.count
    try store.save(Fixtures.small())
    #expect(
      Array(disk.log[first...]) == [
        "folder \(folder)", "lock .lock", "create .00000002.json.new", "write .00000002.json.new",
        "sync .00000002.json.new", "rename 00000002.json", "sync folder \(folder)",
        "remove 00000001.json",
      ])
  }

  /// Stores a profile; any fault other than `file` fails the test.
  private func save(_ store: ProfileStore) -> Result<SavedProfile, FileFault> {
    do throws(ProfileStoreError) {
      return .success(try store.save(Fixtures.small()))
    } catch {
      if case .file(let fault) = error { return .failure(fault) }
      Issue.record(error)
      return .failure(FileFault(action: "save", path: "/", code: EIO))
    }
  }

  /// Stores on a simulated disk, once for each instant at which its power is cut.
  /// - Returns: The number of lost generations and incomplete files.
  private func losses(seed: UInt64, _ prepare: (SimulatedDisk) -> Void) throws -> Int {
    var losses = 0
    for instant in 0..<24 {
      let disk = SimulatedDisk(seed: seed &* 1000 &+ UInt64(instant))
      prepare(disk)
      let store = ProfileStore(directory: "/var/cal", keptGenerations: 2, files: disk)
      var reported = 0
      // First on an empty disk, then with older generations and the files of the last cut.
      for round in 0..<4 {
        disk.powerLastsFor = instant + round
        var fault: FileFault?
        while fault == nil {
          switch save(store) {
          case .success(let saved): reported = saved.profile.generation
          case .failure(let found): fault = found
          }
        }
        #expect(fault?.code == EIO)
        disk.cutPower()
        let (found, refused) = try newest(store)
        if found < reported || refused > 0 { losses += 1 }
        reported = try store.save(Fixtures.small()).profile.generation
      }
    }
    return losses
  }

  @Test(
    "at any instant loses no stored generation and leaves no incomplete file",
    arguments: 1...4 as ClosedRange<UInt64>)
  func powerCut(seed: UInt64) throws {
    #expect(try losses(seed: seed) { _ in } == 0)
  }

  @Test("on a disk that ignores fsync is detected by the test above")
  func lyingDisk() throws {
    #expect(try losses(seed: 1) { $0.ignoresFileSync = true } > 5)
    #expect(try losses(seed: 1) { $0.ignoresFolderSync = true } > 5)
  }

  @Test(
    "a fault at any step is reported with path and remedy and loses nothing",
    arguments: [ENOSPC, EROFS, EACCES, EIO])
  func faults(code: Int32) throws {
    for step in 0..<14 {
      let disk = SimulatedDisk(seed: UInt64(step))
      let store = ProfileStore(directory: "/var/cal", keptGenerations: 2, files: disk)
      var reported = 0
      for _ in 0..<3 {
        disk.failure = (disk.count + step, code)
        switch save(store) {
        case .success(let saved):
          reported = saved.profile.generation
          // Only the removal of an older one may fail, and this is reported.
          #expect(disk.failure != nil || saved.cleanupFault?.code == code, "step \(step)")
        case .failure(let fault):
          #expect(fault.code == code && fault.path.hasPrefix("/") && fault.remedy != nil)
        }
        disk.failure = nil
        let (found, refused) = try newest(store)
        #expect(found >= reported && refused == 0)
        reported = try store.save(Fixtures.small()).profile.generation
        disk.cutPower()
        #expect(try newest(store).generation >= reported)
      }
    }
  }
}
