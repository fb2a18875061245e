import Foundation
import LinuxIO
import Quantities
import Synchronization
import TestSupport

#if canImport(Glibc)
  import Glibc
#endif

/// A daemon in a process of its own, usually with the simulated board, with a folder of its own and
/// a watchdog.
final class AttackedDaemon {
  /// The watchdog's timeout, seconds. The daemon notifies it at least twice in that time.
  static let watchdogSeconds = 4.0

  let folder: String
  var socketPath: String { folder + "/s" }
  /// The path of `lodestar`.
  let program: String
  /// The daemon's clock; nil for this machine's.
  let clock: ShiftedClock?
  /// On a full disk: a file that fills it.
  var fillerPath: String { visibleDiskPath + "/filler" }
  /// The ports of its servers; 0 for none.
  struct Ports {
    var gpsd = 0
    var nmea = 0
    var http = 0
  }
  let ports: Ports
  /// The servers that the daemon uses.
  let peers: [HostilePeer]
  /// The receiver and the compass of a daemon whose devices are pseudo-terminals; else none.
  let devices: [DeviceTerminal]
  /// The folder of its disk, which only it sees where it is mounted.
  var diskPath: String { folder + "/disk" }
  /// The same for this process, while the daemon runs.
  var visibleDiskPath: String { "/proc/\(pid)/root\(diskPath)" }
  /// What must last until the daemon has ended.
  var attachments: [AnyObject] = []
  private let command: (path: String, arguments: [String])
  private let policyPath: String?
  private let notifications: Notifications
  private var process = ChildProcess()
  private var mappedMegabytes = 0.0

  /// The daemon could not be started.
  struct StartFault: Error, CustomStringConvertible { var description: String }

  /// Starts the daemon.
  /// - Parameters:
  ///   - program: The path of `lodestar`.
  ///   - clockLibrary: The built `clock-shift.c`, for a clock of its own.
  ///   - source: The arguments that name its source.
  ///   - mounting: Commands that mount a disk at `$disk` for its state, which needs root; nil for
  ///     an ordinary folder.
  ///   - peers: The servers that it uses.
  ///   - policy: The text of its policy; nil for none.
  ///   - ports: Those of its servers.
  ///   - hasDevices: Whether its source is a receiver and a compass at pseudo-terminals.
  ///   - configuration: The text of its file, where `$disk` and `$folder` are its disk and folder;
  ///     nil for none.
  /// - Throws: Where it does not start.
  init(
    _ program: String, clockLibrary: String? = nil, source: [String] = ["--simulate"],
    disk mounting: String? = nil, peers: [HostilePeer] = [], policy: String? = nil,
    ports: Ports = Ports(), hasDevices: Bool = false, configuration: String? = nil
  ) throws {
    // The length of a Unix socket's path is limited.
    folder = "/tmp/lsa-\(UInt32.random(in: 0...UInt32.max))"
    let disk = folder + "/disk"
    try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
    (self.program, self.peers, self.ports) = (program, peers, ports)
    policyPath = policy == nil ? nil : folder + "/policy.yaml"
    if let policy, let policyPath {
      try Data(policy.utf8).write(to: URL(fileURLWithPath: policyPath))
    }
    var source = source
    devices =
      hasDevices
      ? try [DeviceTerminal.receiver(folder + "/receiver"), .compass(folder + "/compass")] : []
    if hasDevices {
      let board =
        "board: attack\nreceiver: {port: \(folder)/receiver, set-up: no}\n"
        + "compass: {port: \(folder)/compass}\n"
      try Data(board.utf8).write(to: URL(fileURLWithPath: folder + "/board.yaml"))
      source = ["--board", folder + "/board.yaml"]
    }
    var serve =
      ["serve"] + source + [
        "--state", disk + "/state", "--gpsd-port", "\(ports.gpsd)", "--nmea-port", "\(ports.nmea)",
        "--http-port", "\(ports.http)",
      ]
    if let configuration {
      let file = folder + "/serve.yaml"
      let text = configuration.replacing("$disk", with: disk).replacing("$folder", with: folder)
      try Data(text.utf8).write(to: URL(fileURLWithPath: file))
      serve += ["--config", file]
    }
    if let mounting {
      // A mount of its own, which ends with the daemon.
      let script = "disk=\(disk); \(mounting) && exec \"$0\" \"$@\""
      let mount = ["--mount", "--propagation", "private", "sh", "-c", script, program]
      command = ("/usr/bin/unshare", mount + serve)
    } else {
      command = (program, serve)
    }
    let place = folder
    clock = try clockLibrary.map { try ShiftedClock(library: $0, folder: place) }
    notifications = try Notifications(folder + "/n")
    try start()
  }

  deinit {
    if process.isRunning { kill() }
    for peer in peers { peer.end() }
    for device in devices { device.end() }
    do { try FileManager.default.removeItem(atPath: folder) } catch { print("left: \(folder)") }
  }

  /// Starts the daemon, again after `end`, and waits until it serves.
  func start() throws {
    process = ChildProcess()
    process.executableURL = URL(fileURLWithPath: command.path)
    process.arguments = command.arguments
    let buses = peers.reduce(into: [:]) { $0.merge($1.environment) { $1 } }
    process.environment = ProcessInfo.processInfo.environment.merging([
      "LODESTAR_SOCKET": socketPath, "LODESTAR_POLICY": policyPath ?? "",
      "NOTIFY_SOCKET": folder + "/n",
      "WATCHDOG_USEC": "\(Int(bounded: Self.watchdogSeconds * 1e6))",
    ]) { $1 }.merging(clock?.environment ?? [:]) { $1 }.merging(buses) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    if !FileManager.default.fileExists(atPath: logPath) {
      try Data().write(to: URL(fileURLWithPath: logPath))
    }
    let errors = try FileHandle(forWritingTo: URL(fileURLWithPath: logPath))
    try errors.seekToEnd()
    process.standardError = errors
    notifications.restart()
    try process.run()
    let begin = MonotonicClock.now
    while MonotonicClock.now.seconds(since: begin) < 20 {
      if notifications.isReady, servesHTTP {
        mappedMegabytes = megabytes(of: "RssFile:")
        return
      }
      guard process.isRunning else { break }
      Thread.sleep(forTimeInterval: 0.01)
    }
    throw StartFault(description: "the daemon did not start: \(log.suffix(500))")
  }

  /// The library listens a moment after the daemon is ready.
  private var servesHTTP: Bool {
    guard ports.http != 0 else { return true }
    do { _ = try Attack.connect(ports.http) } catch { return false }
    return true
  }

  /// Runs commands with the daemon's mounts, where `$disk` is its disk.
  func runAtDisk(_ script: String) throws {
    let shell = ChildProcess()
    shell.executableURL = URL(fileURLWithPath: "/usr/bin/nsenter")
    // The root as well: this process may be in a chroot.
    shell.arguments = [
      "--target", "\(pid)", "--mount", "--root", "sh", "-ec", "disk=\(diskPath); \(script)",
    ]
    try shell.run()
    shell.waitUntilExit()
    guard shell.terminationStatus == 0 else { throw StartFault(description: "failed: \(script)") }
  }

  /// Fills its disk to the last byte, in addition to what fills it.
  func fillDisk() throws {
    try runAtDisk("cat /dev/zero >> $disk/filler 2> /dev/null || true")
  }

  private var logPath: String { folder + "/log" }
  /// What the daemon has logged.
  var log: String {
    String(decoding: FileManager.default.contents(atPath: logPath) ?? Data(), as: UTF8.self)
  }
  var pid: Int32 { process.processIdentifier }
  var isRunning: Bool { process.isRunning }
  /// The longest time between two notifications of the watchdog so far, also the time since the
  /// last, seconds.
  var longestWatchdogGap: Double { notifications.longestGap }

  /// The greatest memory of its own so far, MB: resident memory without the mapped files of the
  /// program and its libraries (those at the start: later the daemon gives them back). How many of
  /// their pages are resident is the kernel's choice.
  var peakMegabytes: Double { megabytes(of: "VmHWM:") - mappedMegabytes }
  /// The present memory of its own, MB.
  var ownMegabytes: Double { megabytes(of: "RssAnon:") }
  /// The present resident memory, MB.
  var megabytes: Double { megabytes(of: "VmRSS:") }
  /// The present number of threads.
  var threads: Double { status("Threads:") ?? .nan }
  /// The present number of open files.
  var files: Int {
    do { return try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd").count } catch
    { return -1 }
  }

  private func megabytes(of key: String) -> Double {
    status(key).map { $0 * 1024 / 1e6 } ?? .nan
  }

  private func status(_ key: String) -> Double? {
    let data = FileManager.default.contents(atPath: "/proc/\(pid)/status") ?? Data()
    let line = String(decoding: data, as: UTF8.self).split(separator: "\n").first {
      $0.hasPrefix(key)
    }
    return line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap {
      Double($0)
    }
  }

  /// Kills the daemon at once.
  func kill() {
    process.send(SIGKILL)
    process.waitUntilExit()
  }

  /// Ends the daemon by SIGTERM.
  /// - Returns: The seconds until it had ended; nil where it did not end within 60 s, and for
  ///   another status than 0.
  func end() -> Double? {
    let begin = MonotonicClock.now
    process.terminate()
    process.wait(atMost: 60)
    let seconds = MonotonicClock.now.seconds(since: begin)
    guard !process.isRunning, process.terminationStatus == 0 else { return nil }
    return seconds
  }
}

/// The notifications that the daemon sends to its service manager.
private final class Notifications: Sendable {
  private struct State {
    var isReady = false
    var lastAlive: Timestamp?
    var longestGap = 0.0
  }
  private let file: Int32
  private let state = Mutex(State())

  init(_ path: String) throws {
    file = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    let address = try UnixAddress(path: path)
    guard address.withPointer({ bind(file, $0, $1) }) == 0 else {
      throw AttackedDaemon.StartFault(description: "\(path): \(String(cString: strerror(errno)))")
    }
    Thread.detachNewThread { [weak self, file] in
      var bytes = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = recv(file, &bytes, bytes.count, 0)
        guard count > 0, let self else { return }
        self.receive(String(decoding: bytes[..<count], as: UTF8.self))
      }
    }
  }

  private func receive(_ text: String) {
    state.withLock { state in
      if text.contains("READY=1") { state.isReady = true }
      guard text.contains("WATCHDOG=1") else { return }
      let now = MonotonicClock.now
      if let last = state.lastAlive {
        state.longestGap = max(state.longestGap, now.seconds(since: last))
      }
      state.lastAlive = now
    }
  }

  func restart() { state.withLock { $0 = State() } }
  var isReady: Bool { state.withLock { $0.isReady } }
  var longestGap: Double {
    state.withLock { state in
      max(state.longestGap, state.lastAlive.map { MonotonicClock.now.seconds(since: $0) } ?? 0)
    }
  }
}
