import LinuxIO
import LocationHost

/// An address of this machine at which a server listens.
public struct StreamAddress: Sendable, Equatable {
  /// An address or a name; `localhost` for both loopback addresses.
  public var host: String
  /// The TCP port; nil for none, 0 for one that the kernel chooses.
  public var port: Int?

  /// Makes an address.
  public init(host: String = "localhost", port: Int? = nil) {
    (self.host, self.port) = (host, port)
  }

  /// The allowed texts of `host`, for messages.
  static let allowedHosts = "an address of this machine, or localhost"
}

/// The listeners of one service: a port at one address, or at both loopback addresses.
struct StreamPort: Sendable {
  /// Limit of the connections that are not accepted yet: all clients connect again after a restart.
  private static let backlog: Int32 = 128

  let listeners: [StreamListener]

  /// Listens. An address of several that cannot be used is a warning.
  /// - Throws: `ServerFault` where the server cannot listen at all; a taken port's owner is named.
  init(
    _ service: any StreamService, host: String, port: Int, log: HostLog
  ) throws(ServerFault) {
    var listeners: [StreamListener] = []
    var fault: NetworkError?
    let isLocal = host == "localhost"
    for host in isLocal ? ["127.0.0.1", "::1"] : [host] {
      do throws(NetworkError) {
        listeners.append(try StreamListener(host: host, port: port, backlog: Self.backlog))
      } catch {
        // A machine without IPv6 has no ::1.
        if !isLocal || host != "::1" || error.kind == .addressInUse { fault = error }
      }
    }
    self.listeners = listeners
    guard let fault else { return }
    let message = Self.message(fault, service, port)
    if listeners.isEmpty { throw ServerFault(description: message) }
    log.warning(message)
  }

  private static func message(
    _ fault: NetworkError, _ service: any StreamService, _ port: Int
  ) -> String {
    guard fault.kind == .addressInUse else { return "\(service.name): \(fault)" }
    let owner = PortOwner.name(of: port) ?? "another program"
    return
      "\(service.name): port \(port) is in use by \(owner): its clients do not get this daemon's data; "
      + "stop that program, or choose another port with \(service.option)"
  }
}
