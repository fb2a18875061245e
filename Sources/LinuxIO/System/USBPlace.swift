#if canImport(Glibc)
  import Glibc
#endif

/// The port that a USB device is plugged into: an adapter that is plugged in again may have another
/// number, but is in the same place.
/// - Source: Linux, Documentation/ABI/testing/sysfs-bus-usb: an interface is
///   `BUS-PORT[.PORT...]:CONFIGURATION.INTERFACE`.
package struct USBPlace: Equatable, Sendable {
  /// The interface's folder.
  private let folder: String
  /// The device's name without its number: `ttyUSB`.
  private let kind: String
  private let system: String
  private let devices: String

  /// The place of a device; nil for one that is not on USB.
  /// - Parameters:
  ///   - path: Its file, or a symbolic link to it.
  ///   - system: The folder used as `/sys`.
  ///   - devices: The folder used as `/dev`.
  package init?(of path: String, system: String = "/sys", devices: String = "/dev") {
    let name = SystemFiles.resolved(path).fileName
    guard let folder = Self.folder(of: name, system: system) else { return nil }
    (self.folder, self.system, self.devices) = (folder, system, devices)
    kind = String(name.reversed().drop { $0.isNumber }.reversed())
  }

  /// The file of the device of the same kind that is in this place now; nil for none.
  package var path: String? {
    SystemFiles.numbered(kind, in: devices)
      .first { Self.folder(of: $0, system: system) == folder }
      .map { "\(devices)/\($0)" }
  }

  private static func folder(of name: String, system: String) -> String? {
    let kind = name.hasPrefix("i2c-") ? "i2c-dev" : "tty"
    let entry = "\(system)/class/\(kind)/\(name)"
    guard access(entry, F_OK) == 0 else { return nil }
    let parts = SystemFiles.resolved(entry).split(separator: "/", omittingEmptySubsequences: false)
    guard let interface = parts.lastIndex(where: isInterface) else { return nil }
    return parts[...interface].joined(separator: "/")
  }

  /// Whether a name is that of an interface, such as `1-1.4:1.0`.
  private static func isInterface(_ name: Substring) -> Bool {
    let halves = name.split(separator: ":", omittingEmptySubsequences: false)
    guard halves.count == 2 else { return false }
    let port = halves[0].split(separator: "-", omittingEmptySubsequences: false)
    return port.count == 2 && isNumbers(port[0]) && isNumbers(port[1]) && isNumbers(halves[1])
  }

  private static func isNumbers(_ text: Substring) -> Bool {
    text.split(separator: ".", omittingEmptySubsequences: false)
      .allSatisfy { !$0.isEmpty && SystemFiles.number($0) != nil }
  }
}

/// Which file a path names: a device that is removed and added again has another one.
struct FileIdentity: Equatable {
  private let numbers: [UInt64]

  /// The identity of an open file; nil if it cannot be read.
  init?(of file: Int32) {
    var status = stat()
    guard fstat(file, &status) == 0 else { return nil }
    self.init(status)
  }

  /// The identity of the file at a path; nil if there is none.
  init?(of path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    numbers = [UInt64(status.st_dev), UInt64(status.st_ino), UInt64(status.st_rdev)]
  }
}
