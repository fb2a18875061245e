import FoundationEssentials
import LinuxIO

/// A Bluetooth adapter in BlueZ's list.
public struct BlueZAdapter: Equatable, Sendable {
  /// Its object path, such as `/org/bluez/hci0`.
  public var path: String
  /// Whether it is switched on.
  public var isPowered: Bool
  /// Whether rfkill blocks it, as reported by BlueZ (5.66 or later) or the kernel.
  public var isBlocked: Bool
  /// Whether the daemon reports every advertisement that matches a pattern.
  public var monitorsPatterns: Bool

  /// Such as `hci0`.
  public var name: String { Self.name(of: path) }

  static func name(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  init?(path: String, interfaces: [String: [String: DBusValue]], blocked: Set<String>) {
    guard let properties = interfaces[BlueZNames.adapter] else { return nil }
    self.path = path
    isPowered = properties["Powered"]?.boolean ?? false
    let isOffBlocked = properties["PowerState"]?.text == "off-blocked"
    isBlocked = isOffBlocked || blocked.contains(Self.name(of: path))
    let types = interfaces[BlueZNames.monitors]?["SupportedMonitorTypes"]?.elements ?? []
    let features = interfaces[BlueZNames.monitors]?["SupportedFeatures"]?.elements ?? []
    // A controller that matches patterns itself reports a device once, not each advertisement.
    let isOffloaded = features.contains { $0.text == "controller-patterns" }
    monitorsPatterns = !isOffloaded && types.contains { $0.text == "or_patterns" }
  }

  /// The adapters, by path.
  static func list(_ objects: ManagedObjects, blocked: Set<String>) -> [BlueZAdapter] {
    objects.objects.compactMap { path, interfaces in
      BlueZAdapter(path: path, interfaces: interfaces, blocked: blocked)
    }.sorted { $0.path < $1.path }
  }

  /// The first adapter that is switched on.
  /// - Throws: Why there is none.
  static func usable(among adapters: [BlueZAdapter]) throws(BeaconError) -> BlueZAdapter {
    if let adapter = adapters.first(where: \.isPowered) { return adapter }
    guard let adapter = adapters.first else { throw BeaconError(.noAdapter) }
    throw BeaconError(adapter.isBlocked ? .blocked(adapter.name) : .poweredOff(adapter.name))
  }
}

/// The kernel's radio switches.
enum RadioSwitches {
  /// The Bluetooth adapters that are blocked, by name.
  /// - Source: Linux, Documentation/ABI/stable/sysfs-class-rfkill: `type`, `soft` and `hard` (1:
  ///   blocked), and `name`, which is the adapter's for Bluetooth.
  static func blockedAdapters(in directory: String = "/sys/class/rfkill") -> Set<String> {
    let files = FileManager.default
    let switches: [String]
    do {
      switches = try files.contentsOfDirectory(atPath: directory)
    } catch {
      // No radio or no sysfs: no adapter is known to be blocked.
      return []
    }
    func read(_ name: String, _ file: String) -> String {
      let bytes = files.contents(atPath: "\(directory)/\(name)/\(file)") ?? Data()
      return String(String(decoding: bytes, as: UTF8.self).trimmed)
    }
    let blocked = switches.filter { name in
      read(name, "type") == "bluetooth" && (read(name, "soft") == "1" || read(name, "hard") == "1")
    }
    return Set(blocked.map { read($0, "name") })
  }
}
