import Foundation
import LinuxIO
import TestSupport
import Testing

/// Root in a folder of another user, such as the daemon's state.
@Suite(
  "A file of another user's folder", .enabled(if: geteuid() == 0, "needs root"),
  .timeLimit(.minutes(30)))
struct FilePlaceTests {
  private static let user: uid_t = 12_345
  /// Root's, with a file.
  private let roots: TemporaryFolder
  /// The other user's.
  private let others: TemporaryFolder
  private let files = LinuxFiles()
  private var secret: String { roots.path + "/secret" }

  init() throws {
    (roots, others) = (try TemporaryFolder(), try TemporaryFolder())
    try Data("secret of root".utf8).write(to: URL(fileURLWithPath: roots.path + "/secret"))
    #expect(chown(others.path, Self.user, Self.user) == 0)
  }

  private func owner(_ path: String) -> uid_t {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_uid : .max
  }

  private func code(_ body: () throws(FileFault) -> Void) -> Int32 {
    do throws(FileFault) { try body() } catch { return error.code }
    return 0
  }

  @Test("keeps its owner where it is a second name of a file of root")
  func hardLink() throws {
    let path = others.path + "/.lock"
    #expect(link(secret, path) == 0)
    let lock = try #require(try files.lock(path))
    files.unlock(lock)
    #expect(owner(secret) == 0)
    #expect(code { () throws(FileFault) in _ = try files.content(of: path) } == EMLINK)
    #expect(code { () throws(FileFault) in _ = try files.append(path) } == EMLINK)
  }

  @Test("is not reached by a symbolic link of that user")
  func symbolicLink() throws {
    let folder = others.path + "/calibration"
    #expect(symlink(roots.path, folder) == 0)
    #expect(lchown(folder, Self.user, Self.user) == 0)
    let path = folder + "/new"
    #expect(code { () throws(FileFault) in _ = try files.create(path, mode: 0o600) } == ELOOP)
    #expect(code { () throws(FileFault) in _ = try files.lock(path) } == ELOOP)
    #expect(code { () throws(FileFault) in try files.makeFolder(path, mode: 0o700) } == ELOOP)
    #expect(code { () throws(FileFault) in try files.remove(folder + "/secret") } == ELOOP)
    #expect(code { () throws(FileFault) in _ = try files.names(in: folder) } == ELOOP)
    #expect(
      code { () throws(FileFault) in _ = try files.content(of: folder + "/secret") } == ELOOP)
    #expect(
      code { () throws(FileFault) in try files.rename(secret, to: folder + "/other") } == ELOOP)
    #expect(FileManager.default.fileExists(atPath: secret))
    #expect(!FileManager.default.fileExists(atPath: roots.path + "/new"))
  }

  @Test("is followed along a link of root, and belongs to the folder's user")
  func linkOfRoot() throws {
    let folder = roots.path + "/state"
    #expect(symlink(others.path, folder) == 0)
    try files.makeFolder(folder + "/a", mode: 0o700)
    let file = try files.create(folder + "/a/b", mode: 0o600)
    files.close(file)
    #expect(owner(others.path + "/a") == Self.user && owner(others.path + "/a/b") == Self.user)
    #expect(try files.names(in: folder) == ["a"])
    try files.removeFolder(folder + "/a")
    #expect(try files.names(in: folder) == [])
    // A link of root to a file is read.
    #expect(symlink(secret, roots.path + "/link") == 0)
    #expect(try files.text(of: roots.path + "/link") == "secret of root")
    #expect(code { () throws(FileFault) in _ = try files.content(of: folder + "/none") } == ENOENT)
  }
}
