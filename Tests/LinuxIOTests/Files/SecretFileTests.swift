import Foundation
import LinuxIO
import TestSupport
import Testing

@Suite("A file with a secret", .timeLimit(.minutes(30)))
struct SecretFileTests {
  @Test("is refused where other users can read or change it, also behind a link")
  func modes() throws {
    let folder = try TemporaryFolder()
    let (path, link) = (folder.path + "/secret", folder.path + "/link")
    try Data("word\n".utf8).write(to: URL(fileURLWithPath: path))
    #expect(symlink(path, link) == 0)
    for (mode, isRefused) in [(0o600, false), (0o640, false), (0o604, true), (0o602, true)] {
      #expect(chmod(path, mode_t(mode)) == 0)
      for name in [path, link] {
        do throws(FileFault) {
          let text = try LinuxFiles().secret(of: name)
          #expect(text == "word\n" && !isRefused)
        } catch {
          #expect(isRefused && error.code == EPERM && error.reason.contains("chmod o= \(name)"))
        }
      }
    }
  }
}
