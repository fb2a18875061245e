import Foundation
import LinuxIO
import LocationHost
import Monitoring
import Quantities
import ScriptedSource
import Servers
import TestSupport
import Testing

/// File operations of which one fails.
private final class FaultyFiles: FileOperations, @unchecked Sendable {
  private let files = LinuxFiles()
  private let lock = NSLock()
  private var code: Int32?
  private let failing: String

  /// - Parameters:
  ///   - failing: The operation: folder, lock or check.
  ///   - code: Its error.
  init(_ failing: String, _ code: Int32) { (self.failing, self.code) = (failing, code) }

  func repair() { lock.withLock { code = nil } }

  private func step(_ name: String, _ path: String) throws(FileFault) {
    let code = lock.withLock { name == failing ? self.code : nil }
    if let code { throw FileFault(action: "write to", path: path, code: code) }
  }

  func names(in folder: String) throws(FileFault) -> [String] { try files.names(in: folder) }
  func content(of path: String) throws(FileFault) -> [UInt8] { try files.content(of: path) }
  func makeFolder(_ path: String, mode: UInt32) throws(FileFault) {
    try step("folder", path)
    try files.makeFolder(path, mode: mode)
  }
  func checkFolder(_ path: String) throws(FileFault) {
    try step("check", path)
    try files.checkFolder(path)
  }
  func create(_ path: String, mode: UInt32) throws(FileFault) -> Int32 {
    try files.create(path, mode: mode)
  }
  func write(_ bytes: [UInt8], to file: Int32, path: String) throws(FileFault) {
    try files.write(bytes, to: file, path: path)
  }
  func sync(_ file: Int32, path: String) throws(FileFault) { try files.sync(file, path: path) }
  func close(_ file: Int32) { files.close(file) }
  func rename(_ old: String, to new: String) throws(FileFault) { try files.rename(old, to: new) }
  func remove(_ path: String) throws(FileFault) { try files.remove(path) }
  func syncFolder(_ path: String) throws(FileFault) { try files.syncFolder(path) }
  func lock(_ path: String) throws(FileFault) -> Int32? {
    try step("lock", path)
    return try files.lock(path)
  }
  func unlock(_ file: Int32) { files.unlock(file) }
}

@Suite("A daemon whose state cannot be stored", .timeLimit(.minutes(30)))
struct StateFolderTests {
  private static func warnings(_ rig: ServiceRig) -> [String] {
    rig.logged.all.filter { $0.hasPrefix("<3>") || $0.hasPrefix("<4>") }
  }

  private static func fix(_ second: Double) -> Estimate {
    var fix = Estimate.fix(latitude: 48, longitude: 11, at: second)
    fix.utc = UTCTime(secondsSince1970: 1_700_000_000 + second)
    return fix
  }

  @Test("it serves, executes commands without storing them, and stores everything once it can")
  func fileInPlace() throws {
    // A file in place of the folder holds for root too.
    let rig = try ServiceRig(policy: "default: ask\n") { configuration in
      #expect(
        FileManager.default.createFile(atPath: configuration.stateFolder, contents: Data("x".utf8)))
    }
    let state = rig.configuration.stateFolder
    let client = try rig.client()
    #expect(client.source.isOpen && client.source.storageFault?.contains(state) == true)
    #expect(client.source.storageFault?.contains("move away the file") == true)
    client.access.request(.whenInUse)
    #expect(eventually { client.access.current.authorization == .whenInUse })
    client.access.request(.always)
    #expect(eventually { client.access.current.authorization == .always })
    let got = Collected<MonitoringEvent>()
    client.monitoring.deliver { got.add($0) }
    client.monitoring.perform(.startVisits)
    client.monitoring.perform(
      .startRegion(
        MonitoredRegion(
          identifier: "home",
          condition: .circle(
            center: GeodeticPosition(latitudeDegrees: 48, longitudeDegrees: 11),
            radiusMetres: 100))))
    #expect(client.monitoring.registrations().regions["home"] != nil)
    #expect(eventually { got.all.contains { $0.kind.isStart } })
    rig.publisher.send(Self.fix(5))
    // Once, with what to do, and no other complaint about the same folder.
    let warnings = Self.warnings(rig)
    #expect(warnings.count == 1, "\(warnings)")
    #expect(warnings.first?.contains("the state is not stored") == true)
    #expect(warnings.first?.contains("serving without it") == true)
    rig.daemon.checkState()
    #expect(Self.warnings(rig).count == 1)
    try FileManager.default.removeItem(atPath: state)
    rig.daemon.checkState()
    #expect(rig.logged.all.contains { $0.contains("the state is stored again in \(state)") })
    #expect(eventually { client.source.storageFault == nil })
    let journal = state + "/monitoring/\(getuid())/org.example.app"
    // An unchanged state is attempted again after 30 s, with the next fix.
    var seconds = 5.0
    #expect(
      eventually(within: 120) {
        seconds += 1
        rig.publisher.send(Self.fix(seconds))
        Thread.sleep(forTimeInterval: 0.5)
        return [0, 1].contains { FileManager.default.fileExists(atPath: "\(journal)/state.\($0)") }
      })
    #expect(eventually { FileManager.default.fileExists(atPath: state + "/last-fix.json") })
    rig.daemon.stop()
    // Another daemon reads the decision and the registrations.
    try rig.restart()
    let next = try rig.client()
    #expect(next.access.current.authorization == .always)
    #expect(next.monitoring.registrations().visits == true)
    #expect(next.monitoring.registrations().regions["home"] != nil)
    #expect(next.lastFix != nil)
    rig.daemon.stop()
  }

  @Test(
    "any fault of the folder itself is a warning with the remedy",
    arguments: [
      ("folder", EROFS, "read-only"), ("lock", EROFS, "mounted"), ("check", ENOSPC, "free some"),
      ("check", EACCES, "chown"), ("folder", EACCES, "chown"), ("check", EIO, "card or disk"),
    ])
  func faults(_ failing: String, _ code: Int32, _ words: String) throws {
    let files = FaultyFiles(failing, code)
    let rig = try ServiceRig(stateFiles: files)
    let client = try rig.client()
    #expect(client.source.storageFault?.contains(String(cString: strerror(code))) == true)
    let warnings = Self.warnings(rig)
    #expect(warnings.count == 1 && warnings.first?.contains(words) == true, "\(warnings)")
    files.repair()
    rig.daemon.checkState()
    #expect(eventually { client.source.storageFault == nil })
    rig.daemon.stop()
  }

  @Test("a part of the state that another user owns is named with the remedy")
  func part() throws {
    let rig = try ServiceRig()
    let client = try rig.client()
    #expect(client.source.storageFault == nil)
    let part = rig.configuration.stateFolder + "/calibration"
    try Data().write(to: URL(fileURLWithPath: part))
    rig.daemon.checkState()
    #expect(eventually { client.source.storageFault?.contains(part) == true })
    try FileManager.default.removeItem(atPath: part)
    rig.daemon.checkState()
    #expect(eventually { client.source.storageFault == nil })
    rig.daemon.stop()
  }

  @Test("a state of another daemon is not used, also where it was not available at the start")
  func taken() throws {
    let files = FaultyFiles("lock", EROFS)
    let rig = try ServiceRig(stateFiles: files)
    let client = try rig.client()
    let lock = try #require(try LinuxFiles().lock(rig.configuration.stateFolder + "/lock"))
    files.repair()
    rig.daemon.checkState()
    #expect(eventually { client.source.storageFault?.contains("another daemon") == true })
    LinuxFiles().unlock(lock)
    rig.daemon.checkState()
    #expect(eventually { client.source.storageFault == nil })
    rig.daemon.stop()
  }
}

extension MonitoringEvent.Kind {
  fileprivate var isStart: Bool { if case .regionStarted = self { true } else { false } }
}
