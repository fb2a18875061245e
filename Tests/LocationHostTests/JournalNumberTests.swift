import Foundation
import LinuxIO
import LocationHost
import TestSupport
import Testing

@Suite("The number of an application's journal", .timeLimit(.minutes(30)))
struct JournalNumberTests {
  @Test(
    "is named and kept where it is damaged", arguments: [Data("7x".utf8), Data([0xFF]), Data()])
  func damaged(_ content: Data) throws {
    let folder = try TemporaryFolder()
    let path = "/monitoring/\(getuid())/org.example.app/number"
    try folder.write(content, path)
    let lines = Locked<[String]>([])
    let log = HostLog { _, text in lines.withLock { $0.append(text) } }
    let journals = StoredMonitoring(stateFolder: folder.path, isLive: true, log: log)
    let key = try #require(journals.applications().first)
    let number = journals.journal(of: key)
    #expect(journals.journal(of: key) == number)
    #expect(FileManager.default.contents(atPath: folder.path + path + ".damaged") == content)
    let text = lines.withLock { $0 }.joined(separator: "\n")
    #expect(text.contains("number is damaged") && text.contains("number.damaged"), "\(text)")
  }
}
