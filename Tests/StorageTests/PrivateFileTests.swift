import LinuxIO
import Testing

@Suite("A private file", .timeLimit(.minutes(30)))
struct PrivateFileTests {
  private static let path = "/state/last-fix.json"
  private static let (old, new) = ([UInt8]("old content".utf8), [UInt8]("new".utf8))

  private func disk(seed: UInt64) throws -> SimulatedDisk {
    let disk = SimulatedDisk(seed: seed)
    try disk.makeFolder("/state", mode: 0o700)
    try disk.syncFolder("/")
    try disk.writePrivate(Self.old, to: Self.path)
    return disk
  }

  @Test("is on the medium before it gets its name, and its name before the call returns")
  func order() throws {
    let disk = try disk(seed: 1)
    try disk.writePrivate(Self.new, to: Self.path)
    #expect(
      disk.log.suffix(5) == [
        "create .last-fix.json.new", "write .last-fix.json.new", "sync .last-fix.json.new",
        "rename last-fix.json", "sync folder state",
      ], "\(disk.log)")
  }

  @Test("has the old or the new content after a power cut, the new one once it was written")
  func powerCut() throws {
    for seed in 0..<40 as Range<UInt64> {
      for lasting in 0...7 {
        let disk = try disk(seed: seed)
        disk.powerLastsFor = disk.count + lasting
        var isWritten = true
        do throws(FileFault) {
          try disk.writePrivate(Self.new, to: Self.path)
        } catch {
          isWritten = false
        }
        disk.cutPower()
        let content = try disk.content(of: Self.path)
        #expect(content == Self.new || !isWritten && content == Self.old, "\(seed) \(lasting)")
      }
    }
  }

  @Test("of a full disk is refused with the system's message and leaves the old content")
  func fullDisk() throws {
    let disk = try disk(seed: 2)
    // The folder, the file, then its bytes.
    disk.failure = (disk.count + 2, 28)
    do throws(FileFault) {
      try disk.writePrivate(Self.new, to: Self.path)
      Issue.record("written on a full disk")
    } catch {
      #expect("\(error)".contains("No space left on device"))
    }
    let content = try disk.content(of: Self.path)
    #expect(content == Self.old)
  }
}
