#if canImport(Glibc)
  import Glibc
#endif

/// The control groups of a process.
/// - Source: cgroups(7), `/proc/PID/cgroup`: a line `ID:CONTROLLERS:PATH` for each hierarchy;
///   `0::PATH` is version 2.
package struct ControlGroups: Equatable, Sendable {
  /// The content of `/proc/PID/cgroup`; empty where it is not known.
  package let text: String

  /// The paths of 12 hierarchies of version 1 are shorter, unless someone nests groups without end.
  private static let largestBytes = 65_536

  package init(_ text: String) { self.text = text }

  /// Reads those of a user's process; they are unknown where the number belongs to another user's
  /// process.
  ///
  /// `/proc/PID` is opened once: owner and groups are those of one process, also where the number
  /// is used again meanwhile. What is left: after the process that has connected has ended, another
  /// process of the same user may have its number.
  /// - Source: Linux, fs/proc/base.c, task_dump_owner: `/proc/PID` belongs to the effective user of
  ///   the process.
  package init(pid: Int32, uid: UInt32) {
    self.init(Self.content(pid, uid))
  }

  private static func content(_ pid: Int32, _ uid: UInt32) -> String {
    let folder = open("/proc/\(pid)", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return "" }
    defer { close(folder) }
    var status = stat()
    guard fstat(folder, &status) == 0, status.st_uid == uid else { return "" }
    let file = openat(folder, "cgroup", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while bytes.count < largestBytes {
      let count = read(file, &buffer, buffer.count)
      guard count >= 0 else { return "" }
      if count == 0 { return String(decoding: bytes, as: UTF8.self) }
      bytes += buffer[..<count]
    }
    return ""
  }

  /// The service of the system's service manager that the process belongs to: its group of version
  /// 2 is `/system.slice/NAME.service`, or that below further slices. nil for any other group,
  /// among them those below `/user.slice`, where users make services of any name.
  /// - Source: systemd.slice(5), systemd-escape(1): instances of `a@.service` are in
  ///   `system-a.slice`.
  package var systemService: String? {
    for line in text.split(separator: "\n") where line.hasPrefix("0::/") {
      let path = line.dropFirst("0::/".count).split(
        separator: "/", omittingEmptySubsequences: false)
      guard path.first == "system.slice", path.count > 1, let service = path.last,
        service.hasSuffix(".service"),
        path.dropFirst().dropLast().allSatisfy({ $0.hasSuffix(".slice") })
      else { return nil }
      return String(service)
    }
    return nil
  }
}
