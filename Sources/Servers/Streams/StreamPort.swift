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

  /// The ports that an option may have.
  public static let allowedPorts = 0...65_535

  /// Sets the port of an option: 0 for none. Without the option the port stays.
  public mutating func set(port option: Int?) {
    if let option { port = option == 0 ? nil : option }
  }
}

/// The listeners of one service: a port at one address, or at both loopback addresses.
struct StreamPort: Sendable {
  /// Limit of the connections that are not accepted yet: all clients connect again after a restart.
  private static let backlog: Int32 = 128

  let service: any StreamService
  let listeners: [StreamListener]

  /// Listens; nil without a port. Where the port is taken, the log says by whom, and nil is returned: the daemon goes on
  /// without it.
  init?(_ service: any StreamService, at address: StreamAddress, log: HostLog) {
    guard let port = address.port else { return nil }
    self.service = service
    var listeners: [StreamListener] = []
    var fault: NetworkError?
    let isLocal = address.host == "localhost"
    for host in isLocal ? ["127.0.0.1", "::1"] : [address.host] {
      do throws(NetworkError) {
        listeners.append(try StreamListener(host: host, port: port, backlog: Self.backlog))
      } catch {
        // A machine without IPv6 has no ::1.
        if !isLocal || host != "::1" || error.kind == .addressInUse { fault = error }
      }
    }
    self.listeners = listeners
    if let fault { log.warning(Self.message(fault, service, port)) }
    if listeners.isEmpty { return nil }
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
