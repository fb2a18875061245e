/// Finds the program that listens at a TCP port of this machine.
package enum PortOwner {
  /// Searches the kernel's lists; other users' programs are found by root only.
  /// - Parameters:
  ///   - port: The port.
  ///   - processes: The folder used as `/proc`.
  /// - Returns: Name and number, such as `gpsd (pid 412)`; nil where it is not found.
  /// - Source: proc(5), `/proc/net/tcp`: fields local address, state (0A is listening) and inode; `/proc/PID/fd`.
  package static func name(of port: Int, processes: String = "/proc") -> String? {
    let sockets = ["tcp", "tcp6"].flatMap { inodes(of: port, in: "\(processes)/net/\($0)") }
    guard !sockets.isEmpty else { return nil }
    let links = Set(sockets.map { "socket:[\($0)]" })
    for process in SystemFiles.numbered("", in: processes) {
      let folder = "\(processes)/\(process)/fd"
      guard
        SystemFiles.names(in: folder).contains(where: { name in
          SystemFiles.linkName(of: "\(folder)/\(name)").map(links.contains) ?? false
        })
      else { continue }
      return self.name(ofProcess: process, processes: processes)
    }
    return nil
  }

  /// The name and number of a process, such as `gpsd (pid 412)`.
  package static func name(
    ofProcess process: some CustomStringConvertible, processes: String = "/proc"
  ) -> String {
    let name = SystemFiles.line(of: "\(processes)/\(process)/comm") ?? "a program"
    return "\(name) (pid \(process))"
  }

  private static func inodes(of port: Int, in path: String) -> [Substring] {
    let text = SystemFiles.text(of: path) ?? ""
    return text.split(separator: "\n").dropFirst().compactMap { line in
      let fields = line.split(separator: " ")
      guard fields.count > 9, fields[3] == "0A",
        let local = fields[1].split(separator: ":").last, Int(local, radix: 16) == port
      else { return nil }
      return fields[9]
    }
  }
}
