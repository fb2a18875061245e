import Configuration
import LinuxIO
import Quantities

#if canImport(Glibc)
  import Glibc
#endif

/// A machine as the checks see it: its files below a folder, and what no file contains.
package struct Machine: Sendable {
  /// A board file and its content.
  package struct BoardFile: Sendable {
    /// The path of the file.
    package var path: String
    /// The content.
    package var board: Board

    /// Names a board file.
    package init(path: String, board: Board) { (self.path, self.board) = (path, board) }
  }

  /// A device that answers on an I2C bus.
  package struct BusDevice: Equatable, Sendable {
    /// The bus, such as `/dev/i2c-1`.
    package var bus: String
    /// The address, 7 bits.
    package var address: UInt8
    /// The chip's name, or `unknown device`.
    package var name: String

    /// Names a device.
    package init(bus: String, address: UInt8, name: String) {
      (self.bus, self.address, self.name) = (bus, address, name)
    }
  }

  /// The folder that stands for `/`; empty for the running machine.
  package let root: String
  /// What no file contains.
  package let system: any MachineSystem
  /// The board file in use; nil where none is named.
  package var board: BoardFile?
  /// Why the daemon's file or its board file cannot be used; nil where both can.
  package var configurationFault: String?
  /// The devices on the I2C buses; empty where they were not searched.
  package var devices: [BusDevice] = []
  /// What the sensors delivered while they were observed; nil where they were not.
  package var health: LiveHealth?
  /// Who can read the exact place, a line for each way out of the daemon; empty without its file.
  package var placeReaders: [String] = []
  /// The CAN interface of the daemon's NMEA 2000; nil for none.
  package var canInterface: String?
  /// The daemon's state folder.
  package var stateFolder = "/var/lib/lodestar"

  /// Makes a machine whose files are below `root`.
  package init(root: String, system: any MachineSystem) {
    (self.root, self.system) = (root, system)
  }

  /// The running machine.
  package static var attached: Machine { Machine(root: "", system: LinuxSystem()) }

  // MARK: Files

  /// A file's text, at most 64 KiB; nil for a missing one.
  package func text(_ path: String) -> String? { SystemFiles.text(of: root + path) }

  /// The first line of a file.
  func line(_ path: String) -> String? { SystemFiles.line(of: root + path) }

  /// The names in a folder, sorted; empty for a missing one.
  func names(in folder: String) -> [String] { SystemFiles.names(in: root + folder).sorted() }

  /// The names in a folder that consist of a prefix and a number, in the order of the numbers.
  func numbered(_ prefix: String, in folder: String) -> [String] {
    SystemFiles.numbered(prefix, in: root + folder)
  }

  /// True where the file, or the target of the link, exists.
  package func exists(_ path: String) -> Bool { access(root + path, F_OK) == 0 }

  /// The text of a symbolic link; nil for other files.
  func link(_ path: String) -> String? { SystemFiles.linkTarget(of: root + path) }

  /// The file that a path in one folder leads to, through links such as `serial0 -> ttyAMA0`.
  func resolved(_ path: String) -> String {
    var path = path
    // More links than the kernel follows are a loop.
    for _ in 0..<40 {
      guard let target = link(path) else { break }
      path = Self.plain(target.hasPrefix("/") ? target : path.parentFolder + "/" + target)
    }
    return path
  }

  /// An absolute path without `.` and `..`, such as those of the links in `/dev/serial/by-id`.
  private static func plain(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }

  /// A whole number of four bytes, as a device tree stores it.
  /// - Source: Devicetree Specification 0.4, 2.2.4: u32 is big-endian.
  func deviceTreeNumber(_ path: String) -> Int? {
    let bytes: [UInt8]
    do { bytes = try LinuxFiles().content(of: root + path) } catch { return nil }
    guard bytes.count == 4 else { return nil }
    return bytes.reduce(0) { $0 << 8 | Int($1) }
  }

  /// The strings of a device tree's property; empty for a missing one.
  func deviceTreeTexts(_ path: String) -> [String] {
    (text(path) ?? "").split(separator: "\0").map(String.init)
  }

  /// A file of the boot partition of a Raspberry Pi; nil where there is none, and where the
  /// partition is not mounted.
  /// - Source: Raspberry Pi documentation, "The boot folder": `/boot/firmware` since Debian 12,
  ///   earlier `/boot`, where files of the same names then only say that they have moved.
  package func bootFile(_ name: String) -> String? {
    let path = (exists("/boot/firmware") ? "/boot/firmware/" : "/boot/") + name
    return exists(path) ? path : nil
  }

  /// The firmware's configuration as it applies to this model; nil on other machines.
  var bootConfiguration: BootConfiguration? {
    bootFile("config.txt").flatMap { path in
      text(path).map { BootConfiguration($0, path: path, model: model) }
    }
  }

  /// The model by its device tree; nil on machines without one.
  package var model: MachineModel? {
    deviceTreeTexts("/proc/device-tree/model").first.map {
      MachineModel(name: $0, compatible: deviceTreeTexts("/proc/device-tree/compatible"))
    }
  }

  /// True on a Raspberry Pi, also for the files of its card in another machine.
  package var isRaspberryPi: Bool { model.map(\.isRaspberryPi) ?? (bootConfiguration != nil) }

  /// True where systemd runs this machine.
  /// - Source: sd_booted(3).
  package var isRunBySystemd: Bool { exists("/run/systemd/system") }

  /// True in a container, whose clock and devices are those of its host.
  /// - Source: systemd.io, "The Container Interface": systemd writes the file; Docker and Podman
  ///   write the others.
  var isContainer: Bool {
    ["/run/systemd/container", "/.dockerenv", "/run/.containerenv"].contains(where: exists)
  }

  // MARK: Users

  /// Users and groups.
  package var accounts: UserAccounts {
    UserAccounts(passwd: text("/etc/passwd") ?? "", group: text("/etc/group") ?? "")
  }

  /// The person who runs the program, also through sudo; nil for root itself and where unknown.
  package var person: UserAccounts.User? {
    let caller = system.caller
    let accounts = accounts
    let user =
      caller.sudoUser.flatMap { accounts.user($0) }
      ?? accounts.users.first { $0.uid == caller.uid }
    return user?.uid == 0 ? nil : user
  }

  /// True where changes of the machine's files and services are permitted.
  package var isRoot: Bool { system.caller.uid == 0 }

  // MARK: Devices

  /// The first port of a receiver in the board file, with its links resolved; nil for none, and
  /// where all are in the network or on I2C.
  var receiverPort: String? { ownReceiverPorts.first }

  /// The ports of the receivers in the board file, with their links resolved.
  var ownReceiverPorts: [String] {
    (board?.board.receivers ?? []).map(\.port).filter {
      $0.hasPrefix("/dev/") && !Board.isOnBus($0)
    }.map(resolved)
  }

  /// The serial port of the pins 8 and 10 of a Raspberry Pi, whether it is switched on or not.
  package var headerPort: String {
    let target = link("/dev/serial0")
    return target == nil && model?.hasRP1 == true
      ? "/dev/ttyAMA0" : SerialPortNames.header(serial0: target)
  }

  /// True for an on-board UART that the pins 8 and 10 of a Raspberry Pi may lead to.
  static func isOnBoardUART(_ port: String) -> Bool {
    ["/dev/ttyAMA", "/dev/ttyS"].contains { port.hasPrefix($0) }
  }

  /// The serial ports that may have a receiver: the board file's, else the usual ones.
  var receiverPorts: [String] {
    guard ownReceiverPorts.isEmpty else { return ownReceiverPorts }
    if board?.board.receiver != nil { return [] }
    let named = [headerPort, "/dev/gps0"].filter(exists).map(resolved)
    let plugged = names(in: "/dev").filter { $0.hasPrefix("ttyACM") || $0.hasPrefix("ttyUSB") }
    return named + plugged.map { "/dev/\($0)" }.filter { !named.contains($0) }
  }

  /// True while a unit of the system's service manager runs.
  package func isActive(_ unit: String) -> Bool {
    system.run(["systemctl", "is-active", "--quiet", unit])?.status == 0
  }
}
