import Foundation
import HostProtocol
import LinuxIO
import Monitoring
import Quantities
import TestSupport

extension Attack {
  /// A full disk: commands are executed and reported as not stored, and everything is stored once
  /// there is room.
  static let disk = Attack(
    name: "disk", what: "a full disk below the state folder, then room again", needsRoot: true,
    start: { program, _ in
      try AttackedDaemon(
        program,
        disk: "mount -t tmpfs -o size=1m tmpfs $disk && head -c 900000 /dev/zero > $disk/filler")
    }
  ) { daemon, _ in
    let connection = try Connection(daemon, "org.example.disk")
    connection.send([.listen(true)])
    var (stored, refused) = (0, 0)
    for n in 0..<10 {
      connection.send([.monitor(id: UInt64(n), .startRegion(.polygon("\(n)", corners: 200)))])
      let answer = try connection.line(with: "\"done\"") ?? ""
      if answer.contains("notKept"), answer.contains("No space left on device") { refused += 1 }
      if !answer.contains("code") { stored += 1 }
    }
    var faults = refused == 0 ? ["no command was reported as not stored"] : []
    // The whole state is stored with the next command.
    try FileManager.default.removeItem(atPath: daemon.fillerPath)
    connection.send([.monitor(id: 100, .stopRegion(identifier: "9"))])
    let answer = try connection.line(with: "\"id\":100") ?? ""
    if answer.contains("notKept") { faults.append("still not stored: \(answer)") }
    return Finding(
      text: "\(stored) commands stored, \(refused) reported as not stored", faults: faults)
  }

  /// A full disk while the daemon and programs record and many clients store calibrations and
  /// regions.
  static let fullDisk = Attack(
    name: "full disk",
    what: "a full disk during five recordings and the calibrations of 20 clients, then room again",
    needsRoot: true,
    start: { program, _ in
      try AttackedDaemon(
        program, disk: "mount -t tmpfs -o size=8m tmpfs $disk",
        configuration: "recording: $disk/recording\nrecording-reserve: 0\n")
    }
  ) { daemon, isLong in
    let clients = try (0..<20).map { try Connection(daemon, "org.example.disk\($0 % 8)") }
    var (faults, texts): ([String], [String]) = ([], [])
    for round in 0..<(isLong ? 10 : 1) {
      let recorders = try (0..<4).map {
        try DiskRecorder(daemon, "\(daemon.diskPath)/round\(round)-\($0).mcap")
      }
      let before = try store(clients, 4 * round)
      faults += before.filter(\.isRefused).map { "refused with room: \($0)" }
      for recorder in recorders where !recorder.hasBegun(within: 20) {
        faults.append("a recording has not begun: \(recorder.errors)")
      }
      try daemon.fillDisk()
      let begin = MonotonicClock.now
      while recorders.contains(where: \.isRunning) || !daemon.log.contains("recording ended") {
        guard MonotonicClock.now.seconds(since: begin) < 60 else {
          return Finding(text: "", faults: faults + ["a recording goes on with a full disk"])
        }
        Thread.sleep(forTimeInterval: 0.1)
      }
      for recorder in recorders { faults += recorder.faultsAtFullDisk }
      // One after the other: where the disk is full to the last byte nothing is stored.
      var refused = 0
      for (number, client) in clients.enumerated() {
        try daemon.fillDisk()
        let files = try StateFiles(daemon)
        let answers = try store([client], 4 * round + 1, from: number)
        let after = try StateFiles(daemon)
        faults += answers.flatMap(\.faults)
        refused += answers.count(where: \.isRefused)
        if answers.allSatisfy(\.isRefused) { faults += after.changes(from: files) }
      }
      if refused < 20 { faults.append("only \(refused) of 40 were refused") }
      // All at once: a daemon that cannot store a journal removes the journal's number, whose room
      // is enough for others.
      try daemon.fillDisk()
      let files = try StateFiles(daemon)
      let full = try store(clients, 4 * round + 2)
      let after = try StateFiles(daemon)
      faults += full.flatMap(\.faults)
      let accepted = full.filter { !$0.isRefused }
      let generations = after.newestGeneration - files.newestGeneration
      if generations != accepted.count(where: { $0.region == nil }) {
        faults.append("\(generations) new calibrations of \(accepted.count) accepted requests")
      }
      faults += accepted.compactMap(\.region).filter { !after.hasRegion($0) }
        .map { "the accepted region '\($0)' is not stored" }
      try FileManager.default.removeItem(atPath: daemon.fillerPath)
      let again = try store(clients, 4 * round + 3)
      faults += again.filter(\.isRefused).map { "refused with room again: \($0)" }
      let present = try StateFiles(daemon)
      faults += present.partial.map { "\($0) is partial" }
      // Whatever was executed is stored now.
      faults += (full + again).compactMap(\.region).filter { !present.hasRegion($0) }
        .map { "the region '\($0)' is lost" }
      faults += try recorders.compactMap { try $0.repairFault() }
      for recorder in recorders { unlink(daemon.visibleDiskPath + "/" + recorder.name) }
      texts.append(
        "\(before.count) stored, \(refused) of 40 refused, at once "
          + "\(full.count(where: \.isRefused)) of 40, then \(again.count) stored")
    }
    return Finding(text: texts.last ?? "", faults: faults)
  }

  /// Stores a calibration and a region for clients at once.
  private static func store(
    _ clients: [Connection], _ round: Int, from first: Int = 0
  ) throws -> [DiskAnswer] {
    let calibration =
      "{\"softIron\": [[1, 0.01, 0], [0.01, 0.98, 0], [0, 0, 1.02]], \"hardIron\": [10, -20.5, 3], "
      + "\"quality\": \"good\", \"predictedHeadingError\": 0.03, \"residualMicrotesla\": 0.4}"
    let content = ProfileContent(text: calibration, name: "c.json", mayBeForeign: true)
    func key(_ number: Int) -> UInt64 { UInt64(1000 * round + 2 * (first + number)) }
    // An application may have twenty regions.
    func region(_ number: Int) -> String { "client \(first + number), round \(round % 4)" }
    for (number, client) in clients.enumerated() {
      client.send([
        .profiles(id: key(number), .store(content)),
        .monitor(id: key(number) + 1, .startRegion(.circle(region(number)))),
      ])
    }
    return try clients.enumerated().flatMap { number, client in
      // The two answers come in any order.
      var answers = [DiskAnswer(region: nil), DiskAnswer(region: region(number))]
      while answers.contains(where: { $0.text == nil }),
        let line = try client.line(with: "\"id\":", within: 30)
      {
        for index in 0...1 {
          let id = "\"id\":\(key(number) + UInt64(index))"
          if line.contains(id + ",") || line.contains(id + "}") { answers[index].text = line }
        }
      }
      return answers
    }
  }

  /// A state folder that cannot be written while the daemon runs.
  static let readOnly = Attack(
    name: "read-only state",
    what: "the disk of the state folder becomes read-only, then writable again", needsRoot: true,
    start: { program, _ in
      try AttackedDaemon(program, disk: "mount -t tmpfs -o size=1m tmpfs $disk")
    }
  ) { daemon, _ in
    let connection = try Connection(daemon, "org.example.disk")
    var faults: [String] = []
    let first = try connection.startRegion(1)
    if first.contains("code") { faults.append("not stored at first: \(first)") }
    // Below another mount: files that are open stay writable, as the lock.
    try daemon.runAtDisk("mount --bind $disk $disk; mount -o remount,bind,ro $disk")
    let refused = try connection.startRegion(2)
    if !refused.contains("notKept") || !refused.contains("Read-only") {
      faults.append("not reported as not stored: \(refused)")
    }
    connection.send([.registrations(id: 9)])
    let known = try connection.line(with: "\"registrations\"") ?? ""
    if !known.contains("\"2\"") { faults.append("not executed: \(known)") }
    try daemon.runAtDisk("mount -o remount,bind,rw $disk")
    let stored = try connection.startRegion(3)
    if stored.contains("code") { faults.append("still not stored: \(stored)") }
    if !daemon.log.contains("Read-only file system") { faults.append("the log has no reason") }
    return Finding(text: "3 commands executed, 1 reported as not stored", faults: faults)
  }

  /// A state folder that cannot be written when the daemon starts.
  static let readOnlyStart = Attack(
    name: "read-only start",
    what: "a start with a read-only state folder, which becomes writable", needsRoot: true,
    start: { program, _ in
      try AttackedDaemon(
        program,
        disk: "mount -t tmpfs -o size=1m tmpfs $disk && mkdir -m 700 $disk/state && "
          + "mount --bind $disk $disk && mount -o remount,bind,ro $disk")
    }
  ) { daemon, _ in
    let connection = try Connection(daemon, "org.example.disk")
    var faults: [String] = []
    if !daemon.log.contains("Read-only") { faults.append("no warning: \(daemon.log.suffix(200))") }
    let refused = try connection.startRegion(1)
    if !refused.contains("Read-only") { faults.append("refused without the reason: \(refused)") }
    try daemon.runAtDisk("mount -o remount,bind,rw $disk")
    let stored = try connection.startRegion(2)
    if stored.contains("code") { faults.append("still not stored: \(stored)") }
    return Finding(text: "1 command refused, then 1 stored", faults: faults)
  }
}

extension Connection {
  /// Starts to monitor a region; returns the answer.
  fileprivate func startRegion(_ number: UInt64) throws -> String {
    send([.monitor(id: number, .startRegion(.circle("\(number)")))])
    return try line(with: "\"id\":\(number)") ?? "no answer"
  }
}

/// The daemon's answer to a request that stores something.
private struct DiskAnswer: CustomStringConvertible {
  /// The name of the region; nil for a calibration.
  let region: String?
  /// The line; nil for none.
  var text: String?

  var isRefused: Bool { text?.contains("\"code\"") ?? true }
  /// A refusal that does not name the disk.
  var faults: [String] {
    let namesDisk =
      text?.contains("notKept") == true && text?.contains("No space left on device") == true
    return isRefused && !namesDisk ? ["a refusal does not name the disk: \(self)"] : []
  }
  var description: String { String((text ?? "no answer").prefix(300)) }
}

/// The files of a daemon's state, by their paths in its folder.
private struct StateFiles {
  private var files: [String: Data] = [:]

  init(_ daemon: AttackedDaemon) throws {
    let folder = daemon.visibleDiskPath + "/state"
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
      files[name] = FileManager.default.contents(atPath: folder + "/" + name)
    }
  }

  /// The number of the newest calibration.
  var newestGeneration: Int {
    files.keys.filter { $0.hasPrefix("calibration") && $0.hasSuffix(".json") }
      .compactMap { $0.split(separator: "/").last.flatMap { Int($0.dropLast(5)) } }.max() ?? 0
  }

  /// Whether a journal has a region.
  func hasRegion(_ identifier: String) -> Bool {
    files.contains {
      $0.key.hasPrefix("monitoring")
        && $0.value.firstRange(of: Data("\"\(identifier)\"".utf8)) != nil
    }
  }

  /// The files that are no whole file.
  var partial: [String] {
    files.filter { name, content in
      guard !name.hasSuffix(".new") else { return true }
      guard name.hasPrefix("calibration"), name.hasSuffix(".json") else { return false }
      do { _ = try JSONSerialization.jsonObject(with: content) } catch { return true }
      return false
    }.map(\.key)
  }

  /// What has changed without being a whole newer state of the same journal: the daemon stores each
  /// state that a full disk refused again, and a refused file of another program leaves room. The
  /// number of a journal is removed where the journal cannot be stored.
  func changes(from earlier: StateFiles) -> [String] {
    earlier.files.filter { name, content in
      files[name] != content && !(name.hasSuffix("/number") && files[name] == nil)
        && !isNewerState(name, than: earlier)
    }.map { "\($0.key) has changed on the full disk" }
      + files.filter { name, content in
        earlier.files[name] == nil && !content.isEmpty && !isNewerState(name, than: earlier)
      }.map { "\($0.key) is new on the full disk" }
  }

  /// Whether a file of a journal is whole, and newer than both files that its journal had.
  private func isNewerState(_ name: String, than earlier: StateFiles) -> Bool {
    guard let slot = Self.slots.first(where: name.hasSuffix), let number = stateNumber(name) else {
      return false
    }
    let journal = name.dropLast(slot.count)
    return number > (Self.slots.compactMap { earlier.stateNumber(journal + $0) }.max() ?? 0)
  }

  private static let slots = ["/state.0", "/state.1"]

  /// The number of a whole state of a journal: `MARK VERSION NUMBER CHECKSUM LENGTH`, then JSON;
  /// nil where it is missing or not whole.
  private func stateNumber(_ name: String) -> Int? {
    guard let parts = files[name]?.split(separator: UInt8(ascii: "\n"), maxSplits: 1),
      parts.count == 2, (try? JSONSerialization.jsonObject(with: parts[1])) != nil
    else { return nil }
    let words = String(decoding: parts[0], as: UTF8.self).split(separator: " ")
    return words.count == 5 && Int(words[4]) == parts[1].count ? Int(words[2]) : nil
  }
}

/// `lodestar record` of the simulated board at a daemon's disk.
private final class DiskRecorder {
  /// The status of a failed output (EX_IOERR).
  private static let outputFailed: Int32 = 74

  let name: String
  private let daemon: AttackedDaemon
  private let path: String
  private let process = ChildProcess()
  private let messages: String

  init(_ daemon: AttackedDaemon, _ path: String) throws {
    (self.daemon, self.path) = (daemon, path)
    name = String(path.dropFirst(daemon.diskPath.count + 1))
    messages = "\(daemon.folder)/\(name)-errors"
    try Data().write(to: URL(fileURLWithPath: messages))
    process.executableURL = URL(fileURLWithPath: "/usr/bin/nsenter")
    process.arguments = [
      "--target", "\(daemon.pid)", "--mount", "--root", daemon.program, "record", "--simulate",
      "--reserve", "0", path,
    ]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: messages))
    try process.run()
  }

  deinit { if process.isRunning { process.terminate() } }

  var isRunning: Bool { process.isRunning }
  var errors: String {
    String(decoding: FileManager.default.contents(atPath: messages) ?? Data(), as: UTF8.self)
  }

  /// Waits until the file has some kilobytes.
  func hasBegun(within seconds: Double) -> Bool {
    let begin = MonotonicClock.now
    var status = stat()
    while stat(daemon.visibleDiskPath + "/" + name, &status) != 0 || status.st_size < 10_000 {
      guard isRunning, MonotonicClock.now.seconds(since: begin) < seconds else { return false }
      Thread.sleep(forTimeInterval: 0.05)
    }
    return true
  }

  /// What is wrong with its end on a full disk.
  var faultsAtFullDisk: [String] {
    process.terminationStatus == Self.outputFailed && errors.contains("No space left on device")
      ? [] : ["\(name): status \(process.terminationStatus): \(errors.suffix(300))"]
  }

  /// Why the file cannot be made whole; nil where it can.
  func repairFault() throws -> String? {
    do {
      try daemon.runAtDisk("'\(daemon.program)' record --repair '\(path)' > /dev/null 2>&1")
      return nil
    } catch {
      return "\(name): it cannot be repaired"
    }
  }
}
