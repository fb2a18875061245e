import Formats
import Foundation
import LinuxIO

/// Signal K: the model over HTTP, deltas over WebSockets and as datagrams. No value can be changed.
final class SignalKServer: Server {
  /// The name in the policy, `org.lodestar.signalk`, in messages, and of its keys.
  static let name = "signalk"
  /// The file of the vessel's UUID in the state folder.
  private static let identityFile = "signalk-uuid"

  private let port: HTTPPort?
  private let hub: SignalKHub
  /// The port's services.
  private let services: [Announcement]
  private let announcements: AnnouncementList

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
    let connections = HTTPConnections(
      Self.name, port: settings.address.port ?? 0, log: context.log)
    hub = SignalKHub(
      Self.vessel(settings, context), WebSockets(Self.name, connections, log: context.log),
      datagrams, context)
    port = try HTTPPort(
      Self.name, at: settings.address, serving: "Signal K", SignalKPages(hub), connections,
      context.log)
    let reach = ListeningReach(host: settings.address.host)
    let text = hub.vessel.announcement(version: Version.text)
    services = ["_signalk-http._tcp", "_signalk-ws._tcp"].map { type in
      Announcement(type: type, port: settings.address.port ?? 0, reach: reach, text: text)
    }
    announcements = context.announcements
  }

  var ports: [String: Int] { port?.ports ?? [:] }

  func start() {
    hub.start(hasPort: port != nil)
    port?.start { [services, announcements] isListening in
      announcements.set(isListening ? services : [], of: Self.name)
    }
  }

  func stop() {
    hub.stop()
    port?.stop()
  }

  /// The configured vessel, or one with the UUID of the state folder, which the first start makes.
  private static func vessel(_ settings: SignalKSettings, _ context: ServerContext) -> SignalKVessel
  {
    if let vessel = settings.mmsi.flatMap(SignalKVessel.init(mmsi:)) { return vessel }
    let (files, path) = (LinuxFiles(), "\(context.stateFolder)/\(identityFile)")
    do throws(FileFault) {
      if let known = UUID(uuidString: String(try files.text(of: path).prefix { !$0.isNewline })) {
        return SignalKVessel(uuid: known.uuidString)
      }
    } catch {
      // The first start.
    }
    let made = UUID().uuidString.lowercased()
    do throws(FileFault) {
      try files.replace(path, with: Array("\(made)\n".utf8))
    } catch {
      context.log.warning(
        "\(name): the vessel has another identifier after a restart, because \(error.path) cannot be "
          + "written: \(error.reason); set signalk-mmsi, or make the state folder writable")
    }
    return SignalKVessel(uuid: made)
  }
}
