import Formats
import FoundationEssentials
import LinuxIO
import LocationHost
import Observers

/// Signal K: the model over HTTP, deltas over WebSockets and as datagrams. No value can be changed.
final class SignalKServer: Server {
  /// The name in the policy, `org.lodestar.signalk`, in messages, and of its keys.
  static let name = "signalk"
  /// The file of the vessel's UUID in the state folder.
  private static let identityFile = "signalk-uuid"

  private let server: StreamServer?
  private let hub: SignalKHub
  private let recovery: Observation?

  /// Makes a server; nil where neither the port nor the datagrams are configured.
  init?(_ settings: SignalKSettings, _ context: ServerContext) throws(ServerFault) {
    guard settings.address.port != nil || settings.destination != nil else { return nil }
    let datagrams: DatagramSocket?
    do throws(NetworkError) {
      datagrams = try settings.destination.map { (address) throws(NetworkError) in
        try DatagramSocket(to: address)
      }
    } catch {
      throw ServerFault(description: "\(Self.name): signalk-udp: \(error)")
    }
    let (vessel, unstored) = Self.vessel(settings, context)
    // The identifier that could not be stored is stored once the state can be.
    recovery = unstored.map { identifier in
      context.health.observe { [log = context.log, folder = context.stateFolder] fault in
        if fault == nil { Self.store(identifier, in: folder, log) }
      }
    }
    hub = SignalKHub(vessel, datagrams, context)
    let service = HTTPService(
      name: Self.name, content: "Signal K",
      handler: SignalKPages(hub, BrowserGuard(names: settings.names)), sockets: hub.sockets,
      announced: (
        ["_signalk-http._tcp", "_signalk-ws._tcp"], vessel.announcement(version: Version.text)
      ))
    server = try service.server(at: settings.address, context)
  }

  var ports: [String: Int] { server?.ports ?? [:] }

  func start() {
    hub.start()
    server?.start()
  }

  func stop() {
    server?.stop()
    hub.stop()
  }

  /// The configured vessel, or one with the UUID of the state folder, which the first start makes;
  /// and that UUID where it could not be stored.
  private static func vessel(
    _ settings: SignalKSettings, _ context: ServerContext
  ) -> (SignalKVessel, unstored: String?) {
    if let vessel = settings.mmsi.flatMap(SignalKVessel.init(mmsi:)) { return (vessel, nil) }
    let path = "\(context.stateFolder)/\(identityFile)"
    do throws(FileFault) {
      let known = try LinuxFiles().stored(
        at: path, { context.log.warning("\(name): \($0)") },
        { UUID(uuidString: String($0.prefix { !$0.isNewline })) })
      if let known { return (SignalKVessel(uuid: known.uuidString), nil) }
    } catch {
      context.log.warning(
        "\(name): \(error); until it can be read the vessel has another identifier")
      return (SignalKVessel(uuid: UUID().uuidString.lowercased()), nil)
    }
    let made = UUID().uuidString.lowercased()
    let isStored = store(made, in: context.stateFolder, context.log)
    return (SignalKVessel(uuid: made), isStored ? nil : made)
  }

  @discardableResult
  private static func store(_ identifier: String, in folder: String, _ log: HostLog) -> Bool {
    do throws(FileFault) {
      try LinuxFiles().replace(folder + "/" + identityFile, with: Array("\(identifier)\n".utf8))
      return true
    } catch {
      log.warning(
        "\(name): the vessel has another identifier after a restart, because \(error.path) cannot be "
          + "written: \(error.reason); set signalk-mmsi, or make the state folder writable")
      return false
    }
  }
}
