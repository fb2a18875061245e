import HostProtocol
import LinuxIO
import LocationHost

/// HTTP at a TCP port, with its WebSockets. Its data come from the handler.
struct HTTPService: StreamService {
  /// The allowed texts of the address, for messages.
  static let allowedHosts = "an IPv4 or IPv6 address of this machine, or localhost"

  /// The name in messages; the keys are `NAME-port` and `NAME-address`.
  let name: String
  /// What is not served while the port is taken, for a message.
  let content: String
  let handler: any HTTPHandler
  let sockets: WebSockets
  /// The service types that are announced in the network, and their text.
  let announced: (types: [String], text: [String])

  var application: String { name }
  var option: String { "\(name)-port" }
  var limits: StreamLimits { StreamLimits(connections: 128, read: 4096) }
  var readsHost: Bool { false }
  var effectOfTakenPort: String { "\(content) is not served" }
  var awaitsPort: Bool { true }

  /// Makes the server; nil without a port.
  /// - Throws: A `ServerFault` where the address has another form.
  func server(
    at address: StreamAddress, _ context: ServerContext
  ) throws(ServerFault) -> StreamServer? {
    guard address.port != nil else { return nil }
    // A name's look-up could block the server's thread.
    guard address.host == "localhost" || MachineAddress.isNumeric(address.host) else {
      throw ServerFault(
        description:
          "\(name): '\(address.host)' is no address of the form 192.0.2.1 or 2001:db8::1; "
          + "correct \(name)-address")
    }
    return try StreamServer(self, at: address, context)
  }

  /// On its own machine the page needs no search.
  func announcements(
    of port: Int, _ reach: ListeningReach, accuracy: GrantedAccuracy
  ) -> [Announcement] {
    guard !reach.isLoopback else { return [] }
    return announced.types.map {
      Announcement(type: $0, port: port, reach: reach, text: announced.text)
    }
  }

  func session(_ client: StreamClient) -> any StreamSession {
    HTTPSession(handler, sockets, client)
  }

  func refusal(_ reason: String) -> [UInt8] {
    handler.refusal(.forbidden, reason).bytes(to: nil)
  }
}
