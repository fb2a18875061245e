import LinuxIO
import Testing

@Suite("The folder of a path", .timeLimit(.minutes(30)))
struct ParentFolderTests {
  @Test(
    "is found for each form of path",
    arguments: [
      ("/run/lodestar/lodestar.sock", "/run/lodestar"), ("state/s", "state"), ("/s", "/"),
      ("/", "/"), ("s", "."), (".", "."), ("./s", "."), ("", "."),
    ])
  func folder(path: String, folder: String) { #expect(path.parentFolder == folder) }
}
