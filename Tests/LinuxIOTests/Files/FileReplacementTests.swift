import Foundation
import LinuxIO
import Testing

@Suite("The replacement of a file", .timeLimit(.minutes(30)))
struct FileReplacementTests {
  private let files = LinuxFiles()

  /// Runs `body` in a new folder.
  private func inFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())").path
    try files.makeFolders(folder + "/deep")
    defer {
      do { try FileManager.default.removeItem(atPath: folder) } catch { Issue.record(error) }
    }
    try body(folder + "/deep")
  }

  private func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  @Test("gives the new content and mode, and replaces the temporary file of a killed process")
  func replacement() throws {
    try inFolder { folder in
      let path = folder + "/file"
      try files.replace(path, with: [1])
      try Data([9, 9]).write(to: URL(fileURLWithPath: folder + "/.file.new"))
      var wasRenamed = false
      try files.replace(path, with: [2, 3], mode: 0o600, didRename: { wasRenamed = true })
      let (content, names) = (try files.content(of: path), try files.names(in: folder))
      #expect(content == [2, 3] && names == ["file"] && wasRenamed)
      let mode = try mode(path)
      #expect(mode == 0o600)
    }
  }

  @Test("is excluded by a lock, which does not follow a symbolic link")
  func lock() throws {
    try inFolder { folder in
      let path = folder + "/lock"
      let first = try #require(try files.lock(path))
      let second = try files.lock(path)
      #expect(second == nil)
      files.unlock(first)
      let link = folder + "/link"
      try FileManager.default.createSymbolicLink(
        atPath: link, withDestinationPath: folder + "/elsewhere")
      #expect(throws: FileFault(action: "open", path: link, code: ELOOP)) {
        try files.lock(link)
      }
      let names = try files.names(in: folder)
      #expect(Set(names) == ["lock", "link"])
    }
  }

  @Test("that fails leaves the old content and no temporary file, and names path and reason")
  func fault() throws {
    try inFolder { folder in
      // A folder cannot be replaced by a file.
      let path = folder + "/taken"
      try files.makeFolders(path)
      #expect(
        throws: FileFault(action: "rename a file to this name", path: path, code: EISDIR)
      ) { try files.replace(path, with: [1]) }
      let names = try files.names(in: folder)
      #expect(names == ["taken"])
      let absent = folder + "/no/file"
      #expect(throws: FileFault(action: "create", path: absent, code: ENOENT)) {
        try files.replace(absent, with: [1])
      }
    }
  }
}
