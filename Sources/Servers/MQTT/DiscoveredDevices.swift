import LinuxIO
import LocationHost

/// The devices of which Home Assistant has entities, in a file of the state folder: those that have
/// left the board file must be removed by name.
package struct DiscoveredDevices: Sendable {
  private static let file = "mqtt-devices"
  /// Limit of the stored keys: a board has a few devices.
  private static let most = 256

  private let folder: String
  private let log: HostLog

  /// Makes the list of a state folder.
  package init(folder: String, log: HostLog) { (self.folder, self.log) = (folder, log) }

  /// Adds the present devices.
  /// - Returns: The keys of earlier devices that are not among them.
  package func update(_ present: [String]) -> [String] {
    let path = folder + "/" + Self.file
    do throws(FileFault) {
      let known =
        try LinuxFiles().stored(
          at: path, { log.warning("mqtt: \($0)") },
          { $0.split(separator: "\n").map(String.init) }) ?? []
      let removed = known.filter { !present.contains($0) }
      let all = (present + removed).prefix(Self.most)
      if Array(all) != known {
        try LinuxFiles().replace(path, with: Array(all.map { $0 + "\n" }.joined().utf8))
      }
      return removed
    } catch {
      log.warning(
        "mqtt: devices that have left the board file stay in Home Assistant: \(error); delete them there"
      )
      return []
    }
  }
}
