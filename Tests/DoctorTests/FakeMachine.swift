import Configuration
import Doctor
import Foundation
import LinuxIO
import Quantities
import TestSupport

/// A machine whose files are in a temporary folder, and whose programs only record their calls.
final class FakeMachine: Sendable {
  /// What a test sets.
  struct Setting {
    var outcomes: [(prefix: [String], outcome: CommandOutcome)] = []
    var attributes: [String: FileAttributes] = [:]
    var freeBytes: UInt64? = 8 << 30
    var missingLibraries: Set<String> = []
    var missingPrograms: Set<String> = []
    var caller = Caller(uid: 0, groups: [0])
    /// 2026-07-01.
    var utc = UTCTime(nanosecondsSince1970: 1_782_864_000_000_000_000)
    var errorSeconds: Double? = 0.01
    var calls: [[String]] = []
  }

  let folder: TemporaryFolder
  let setting = Locked(Setting())

  /// A machine that systemd runs.
  init() throws {
    folder = try TemporaryFolder()
    try folder.write("", "/run/systemd/system/mark")
  }

  /// The machine for the checks.
  var machine: Machine { Machine(root: folder.path, system: FakeSystem(fake: self)) }

  // MARK: Files

  func write(_ text: String, _ path: String) throws { try folder.write(text, path) }

  func write(_ data: Data, _ path: String) throws { try folder.write(data, path) }

  func link(_ path: String, to target: String) throws {
    let url = URL(fileURLWithPath: folder.path + path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: url.path, withDestinationPath: target)
  }

  func text(_ path: String) throws -> String {
    try String(contentsOfFile: folder.path + path, encoding: .utf8)
  }

  func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: folder.path + path)
  }

  func remove(_ path: String) throws {
    try FileManager.default.removeItem(atPath: folder.path + path)
  }

  /// The files of a Raspberry Pi with an I2C bus at 400 kHz, whose kernel runs.
  func makeRaspberryPi(_ name: String = "Raspberry Pi 4 Model B Rev 1.4", soc: String = "bcm2711")
    throws
  {
    try write("\(name)\0", "/proc/device-tree/model")
    try write("raspberrypi,board\0brcm,\(soc)\0", "/proc/device-tree/compatible")
    try write("[all]\ndtparam=i2c_arm=on\nenable_uart=1\n", "/boot/firmware/config.txt")
    try write("console=tty1 root=PARTUUID=1 rootwait\n", "/boot/firmware/cmdline.txt")
    try write("", "/dev/i2c-1")
    try write(Data([0, 6, 0x1A, 0x80]), "/sys/bus/i2c/devices/i2c-1/of_node/clock-frequency")
    try write("bcm2835 (i2c@7e804000)\n", "/sys/class/i2c-dev/i2c-1/name")
    try write("i2c-dev\n", "/etc/modules-load.d/modules.conf")
    let chip = soc == "bcm2712" ? "raspberrypi,rp1-gpio" : "brcm,bcm2711-gpio"
    try write("\(chip)\0", "/sys/bus/gpio/devices/gpiochip0/of_node/compatible")
    try write("", "/dev/gpiochip0")
    try write("", "/dev/ttyAMA0")
    try link("/dev/serial0", to: soc == "bcm2712" ? "ttyAMA10" : "ttyAMA0")
  }

  /// Users pi and lodestar, groups i2c, gpio, dialout; both users are in all of them.
  func makeUsers(pi: String = "pi", lodestar: String = "lodestar") throws {
    try write(
      "root:x:0:0::/root:/bin/sh\npi:x:1000:1000::/home/pi:/bin/sh\n"
        + "lodestar:x:990:990::/:/usr/sbin/nologin\n", "/etc/passwd")
    try write(
      "root:x:0:\npi:x:1000:\nlodestar:x:990:pi\ni2c:x:994:\(pi),\(lodestar)\n"
        + "gpio:x:993:\(pi),\(lodestar)\ndialout:x:20:\(pi),\(lodestar)\n", "/etc/group")
  }

  // MARK: The system

  /// Programs that begin with these words have the outcome.
  func answer(_ prefix: [String], status: Int32 = 0, _ output: String = "") {
    setting.withLock {
      $0.outcomes.insert((prefix, CommandOutcome(status: status, output: output)), at: 0)
    }
  }

  var calls: [[String]] { setting.withLock { $0.calls } }

  func own(_ path: String, uid: UInt32 = 0, gid: UInt32 = 0, mode: UInt32) {
    setting.withLock {
      $0.attributes[path] = FileAttributes(uid: uid, gid: gid, mode: mode)
    }
  }

  // MARK: Findings

  /// The findings of one topic.
  func findings(_ topic: CheckTopic, _ change: (inout Machine) -> Void = { _ in })
    -> [MachineFinding]
  {
    var machine = machine
    change(&machine)
    return CheckCatalogue.findings(topic, on: machine)
  }

  /// Applies the remedy of a finding.
  func repair(_ finding: MachineFinding) throws -> [String] {
    let repair = Repair(machine)
    return try (finding.remedy?.steps ?? []).compactMap { try repair.apply($0) }
  }
}

/// Gives a machine a board file.
func with(_ board: Board) -> (inout Machine) -> Void {
  { $0.board = .init(path: "/etc/lodestar/boards/test.yaml", board: board) }
}

/// Gives a machine a board file that has only a receiver at a port, with the source of its pulses.
func withReceiver(
  _ port: String = "/dev/serial0", pulse: String? = nil
) -> (inout Machine) -> Void {
  var receiver = Board.Receiver(port: port)
  receiver.pulse = pulse.map { Board.Pulse(source: $0) }
  return with(Board(name: "test", receiver: receiver))
}

private struct FakeSystem: MachineSystem {
  let fake: FakeMachine

  func run(_ command: [String]) -> CommandOutcome? {
    fake.setting.withLock { setting in
      setting.calls.append(command)
      return setting.outcomes.first { command.starts(with: $0.prefix) }?.outcome
    }
  }

  func attributes(of path: String) -> FileAttributes? {
    let own = String(path.dropFirst(fake.folder.path.count))
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    return fake.setting.withLock {
      $0.attributes[own] ?? FileAttributes(uid: 0, gid: 0, mode: 0o666)
    }
  }

  func freeBytes(of path: String) -> UInt64? { fake.setting.withLock { $0.freeBytes } }

  func loads(_ library: String) -> Bool {
    fake.setting.withLock { !$0.missingLibraries.contains(library) }
  }

  func hasProgram(_ name: String) -> Bool {
    fake.setting.withLock { !$0.missingPrograms.contains(name) }
  }

  var caller: Caller { fake.setting.withLock { $0.caller } }

  var clock: (utc: UTCTime, errorSeconds: Double?) {
    fake.setting.withLock { ($0.utc, $0.errorSeconds) }
  }
}
