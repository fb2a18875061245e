#if canImport(Glibc)
  import Glibc
#endif

/// Finds the system's user of a serial port: the kernel's console or a login. Neither locks the
/// port, so another program can open it, but loses bytes to them.
enum SerialOwner {
  /// Searches the kernel's lists.
  /// - Parameters:
  ///   - path: The port, or a symbolic link to it.
  ///   - processes: The folder used as `/proc`.
  /// - Returns: The user with the remedy in brackets; nil for none.
  static func name(of path: String, processes: String) -> String? {
    let port = SystemFiles.resolved(path)
    let tty = port.fileName
    if isConsole(tty, processes: processes) { return console(tty, processes: processes) }
    var status = stat()
    guard stat(port, &status) == 0, hasLogin(status.st_rdev, processes: processes) else {
      return nil
    }
    return "a login on it (sudo systemctl disable --now serial-getty@\(tty).service)"
  }

  /// Whether a line of `/proc/consoles` starts with the port's name.
  static func isConsole(_ tty: String, processes: String) -> Bool {
    guard let text = SystemFiles.text(of: "\(processes)/consoles") else { return false }
    return text.split(separator: "\n").contains { $0.split(separator: " ").first ?? "" == tty }
  }

  private static func console(_ tty: String, processes: String) -> String {
    let words =
      SystemFiles.text(of: "\(processes)/cmdline")?.split { $0 == " " || $0 == "\n" } ?? []
    let word = words.first { $0 == "console=\(tty)" || $0.hasPrefix("console=\(tty),") }
    return "the serial console (remove \(word ?? "console=\(tty)") from the kernel's command line; "
      + "on a Raspberry Pi by raspi-config, or console=serial0,115200 in "
      + "/boot/firmware/cmdline.txt)"
  }

  /// Whether any process has the device as its controlling terminal, as a getty and a shell have. A
  /// process of another mount namespace, as in a container, has terminals of its own with the same
  /// numbers.
  /// - Source: proc(5), `/proc/PID/stat`, field 7; namespaces(7), `/proc/PID/ns`.
  static func hasLogin(_ device: dev_t, processes: String) -> Bool {
    let major = UInt64(device) >> 8 & 0xFFF
    let minor = UInt64(device) & 0xFF | UInt64(device) >> 12 & 0xFFF00
    let number = minor & 0xFF | major << 8 | (minor & 0xFFF00) << 12
    let own = mountNamespace(of: "self", processes: processes)
    return SystemFiles.numbered("", in: processes).contains { process in
      guard let line = SystemFiles.line(of: "\(processes)/\(process)/stat"),
        // The second field is a name in brackets, which may contain any character.
        let end = line.lastIndex(of: ")")
      else { return false }
      let fields = line[line.index(after: end)...].split(separator: " ")
      guard fields.count > 4, fields[4] == String(number) else { return false }
      // Unreadable for other users' processes: those count.
      guard let own, let other = mountNamespace(of: "\(process)", processes: processes) else {
        return true
      }
      return own == other
    }
  }

  private static func mountNamespace(of process: String, processes: String) -> ino_t? {
    var status = stat()
    return stat("\(processes)/\(process)/ns/mnt", &status) == 0 ? status.st_ino : nil
  }
}
