/// Finds the program that listens at a TCP port of this machine.
package enum PortOwner {
  /// Searches the kernel's lists; other users' programs are found by root only.
  /// - Parameters:
  ///   - port: The port.
  ///   - processes: The folder used as `/proc`.
  /// - Returns: Name and number, such as `gpsd (pid 412)`; nil where it is not found.
  /// - Source: proc(5), `/proc/net/tcp`: fields local address, state (0A is listening) and inode;
  ///   `/proc/PID/fd`.
  package static func name(of port: Int, processes: String = "/proc") -> String? {
    let sockets = ["tcp", "tcp6"].flatMap { inodes(of: port, in: "\(processes)/net/\($0)") }
    guard !sockets.isEmpty else { return nil }
    // The other address of localhost may be this program's.
    let links = Set(sockets.map { "socket:[\($0)]" }).subtracting(ownLinks(processes))
    guard !links.isEmpty else { return nil }
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

  /// The ports at which this process listens (TCP), or from which it sends datagrams.
  package static func ownPorts(datagrams: Bool) -> Set<Int> {
    let links = ownLinks("/proc")
    let lists = datagrams ? ["udp", "udp6"] : ["tcp", "tcp6"]
    let found = lists.flatMap { sockets(in: "/proc/self/net/\($0)", isListening: !datagrams) }
    return Set(found.filter { links.contains("socket:[\($0.inode)]") }.map(\.port))
  }

  /// What the descriptors of this process lead to.
  private static func ownLinks(_ processes: String) -> Set<String> {
    let folder = "\(processes)/self/fd"
    return Set(
      SystemFiles.names(in: folder).compactMap { SystemFiles.linkName(of: "\(folder)/\($0)") })
  }

  private static func inodes(of port: Int, in path: String) -> [Substring] {
    sockets(in: path, isListening: true).filter { $0.port == port }.map(\.inode)
  }

  private static func sockets(
    in path: String, isListening: Bool
  ) -> [(port: Int, inode: Substring)] {
    let text = SystemFiles.text(of: path) ?? ""
    return text.split(separator: "\n").dropFirst().compactMap { line in
      let fields = line.split(separator: " ")
      guard fields.count > 9, !isListening || fields[3] == "0A",
        let local = fields[1].split(separator: ":").last, let port = Int(local, radix: 16)
      else { return nil }
      return (port, fields[9])
    }
  }
}
