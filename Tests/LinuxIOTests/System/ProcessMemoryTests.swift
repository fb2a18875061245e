import Foundation
import LinuxIO
import Testing

@Suite("The memory of this process", .timeLimit(.minutes(30)))
struct ProcessMemoryTests {
  /// The resident memory of files, KiB.
  private func residentFiles() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssFile:") })
    return try #require(Int(line.split(separator: " ").dropLast().last ?? ""))
  }

  @Test("code that is not in use leaves the resident memory, and the program goes on")
  func release() throws {
    let before = try residentFiles()
    let released = ProcessMemory.releaseCode()
    let after = try residentFiles()
    // Swift's libraries alone have more.
    #expect(released > 1 << 20)
    #expect(after < before, "\(before) KiB, then \(after) KiB")
    // Code and constants are mapped again: of this program, of Swift and of Foundation.
    #expect([3, 1, 2].sorted().map { "\($0)" }.joined() == "123")
    #expect(String(format: "%.2f", 1.5) == "1.50")
    #expect(try JSONDecoder().decode([Int].self, from: Data("[1,2]".utf8)) == [1, 2])
  }
}
