import LinuxIO
import LocationHost

/// An address of this machine at which a server listens.
public struct StreamAddress: Sendable, Equatable {
  /// An address or a name; `localhost` for both loopback addresses.
  public var host: String
  /// The TCP port, 1 to 65535.
  public var port: Int

  /// Makes an address.
  public init(host: String = "localhost", port: Int) { (self.host, self.port) = (host, port) }
}

/// The listeners of one service: a port at one address, or at both loopback addresses.
struct StreamPort: Sendable {
  let service: any StreamService
  let listeners: [StreamListener]

  /// Listens. Where the port is taken, the log says by whom, and nil is returned: the daemon goes on without it.
  init?(_ service: any StreamService, at address: StreamAddress, log: HostLog) {
    self.service = service
    var listeners: [StreamListener] = []
    var fault: NetworkError?
    for host in address.host == "localhost" ? ["127.0.0.1", "::1"] : [address.host] {
      do throws(NetworkError) {
        listeners.append(try StreamListener(host: host, port: address.port))
      } catch {
        // A machine without IPv6 has no ::1.
        if host != "::1" || error.kind == .addressInUse { fault = error }
      }
    }
    self.listeners = listeners
    if let fault { log.warning(Self.message(fault, service, address)) }
    if listeners.isEmpty { return nil }
  }

  private static func message(
    _ fault: NetworkError, _ service: any StreamService, _ address: StreamAddress
  ) -> String {
    guard fault.kind == .addressInUse else { return "\(service.name): \(fault)" }
    let owner = PortOwner.name(of: address.port) ?? "another program"
    return
      "\(service.name): port \(address.port) is in use by \(owner): its clients do not get this daemon's data; "
      + "stop that program, or choose another port with \(service.option)"
  }
}
