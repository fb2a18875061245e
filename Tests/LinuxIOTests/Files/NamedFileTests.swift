import Foundation
import LinuxIO
import Testing

@Suite("Reading a file that a user names", .timeLimit(.minutes(30)))
struct NamedFileTests {
  private func file(_ bytes: [UInt8]) throws -> String {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())").path
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  private func fault(_ body: () throws -> Void) -> FileFault? {
    do { try body() } catch let fault as FileFault { return fault } catch { Issue.record(error) }
    return nil
  }

  @Test("ends at its limit with the limit in the message, also for a device without an end")
  func limit() throws {
    let path = try file([1, 2, 3])
    defer { unlink(path) }
    let whole = try LinuxFiles(largestBytes: 3).content(of: path)
    #expect(whole == [1, 2, 3])
    for (path, limit) in [(path, 2), ("/dev/zero", 100_000)] {
      let fault = fault { _ = try LinuxFiles(largestBytes: limit).content(of: path) }
      #expect(fault?.code == EFBIG)
      #expect(
        fault?.description
          == "\(path): cannot read: larger than \(limit) bytes, the limit for a file of this kind")
    }
  }

  @Test("ends where nobody writes to a pipe")
  func silentPipe() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())").path
    #expect(mkfifo(path, 0o600) == 0)
    defer { unlink(path) }
    let fault = fault { _ = try LinuxFiles(silenceMilliseconds: 50).content(of: path) }
    #expect(fault?.code == ETIMEDOUT)
  }

  @Test("reads a pipe to its end")
  func pipe() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())").path
    #expect(mkfifo(path, 0o600) == 0)
    defer { unlink(path) }
    let bytes = [UInt8](repeating: 7, count: 100_000)
    let writer = Thread {
      do {
        let files = LinuxFiles()
        let file = try files.append(path)
        try files.write(bytes, to: file, path: path)
        files.close(file)
      } catch {
        Issue.record(error)
      }
    }
    writer.start()
    let read = try LinuxFiles().content(ofInput: path)
    #expect(read == bytes)
  }

  @Test("names the first line that is not UTF-8")
  func encoding() throws {
    let good = try file(Array("ä\nb".utf8))
    let bad = try file(Array("ä\nb\n".utf8) + [0xC3, 0x28, 0x0A, 0xFF])
    defer { for path in [good, bad] { unlink(path) } }
    let text = try LinuxFiles().text(of: good)
    #expect(text == "ä\nb")
    let fault = fault { _ = try LinuxFiles().text(of: bad) }
    #expect(fault?.code == EILSEQ && fault?.reason == "not UTF-8 text, line 3")
  }

  @Test("writes at the end of a file, and reports a full disk by the system's message")
  func append() throws {
    let path = try file([1])
    defer { unlink(path) }
    let files = LinuxFiles()
    let end = try files.append(path)
    try files.write([2, 3], to: end, path: path)
    files.close(end)
    let content = try files.content(of: path)
    #expect(content == [1, 2, 3])
    let full = try files.append("/dev/full")
    let fault = fault { try files.write([1], to: full, path: "/dev/full") }
    files.close(full)
    #expect(
      fault?.description
        == "/dev/full: cannot write: No space left on device; free some space on that file system")
  }

  @Test("removes a folder with its files, and a missing one without a fault")
  func folder() throws {
    let files = LinuxFiles()
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())").path
    try files.makeFolders(folder)
    try files.replace(folder + "/a", with: [1])
    try files.removeFolder(folder)
    #expect(!FileManager.default.fileExists(atPath: folder))
    try files.removeFolder(folder)
  }
}
