import Foundation
import LinuxIO
import TestSupport
import Testing

@Suite("A lock file", .timeLimit(.minutes(30)))
struct FileLockTests {
  @Test("is free after unlock, also while a child that was just started has its descriptor")
  func inherited() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/.lock"
    let files = LinuxFiles()
    let first = try #require(try files.lock(path))
    #expect(try files.lock(path) == nil)
    // Between fork and exec a child shares the open file.
    let inherited = dup(first)
    defer { close(inherited) }
    files.unlock(first)
    let second = try #require(try files.lock(path))
    files.unlock(second)
  }
}
