import FlyingFox
import FlyingSocks
import Foundation
import HostProtocol
import LinuxIO

/// The HTTP server: the web page, the JSON interface, metrics, and the WebSocket of live data. Nothing that a client sends
/// changes any state.
final class HTTPWebServer: Server {
  /// Seconds in which a request must have arrived and its answer be read.
  private static let timeout = 15.0
  /// Timeout of the end, seconds.
  private static let endTimeout = 1.0
  /// The name in the policy, `org.lodestar.http`, and in messages.
  private static let name = "http"

  private let server: HTTPServer
  private let address: StreamAddress
  private let port: Int
  private let context: ServerContext
  private let live: LiveData

  /// Makes a server; nil without a port.
  init?(_ address: StreamAddress, _ context: ServerContext) throws(ServerFault) {
    guard let number = address.port, let port = UInt16(exactly: number) else { return nil }
    let host = address.host == "localhost" ? "127.0.0.1" : address.host
    let live = LiveData(Self.name, context)
    let handler = HTTPPages(live)
    do {
      let configuration =
        host.contains(":")
        ? HTTPServer.Configuration(
          address: try sockaddr_in6.inet6(ip6: host, port: port), timeout: Self.timeout,
          logger: .disabled)
        : HTTPServer.Configuration(
          address: try sockaddr_in.inet(ip4: host, port: port), timeout: Self.timeout,
          logger: .disabled)
      server = HTTPServer(config: configuration, handler: handler)
    } catch {
      throw ServerFault(
        description:
          "http: '\(address.host)' is no address of the form 192.0.2.1 or 2001:db8::1; correct http-address"
      )
    }
    (self.address, self.port, self.context, self.live) = (address, number, context, live)
  }

  var ports: [String: Int] { ["http-port": port] }

  func start() {
    live.start()
    Task.detached { [server, context, port] in
      do {
        try await server.run()
      } catch is CancellationError {
        // The regular end.
      } catch {
        let owner = PortOwner.name(of: port).map { "port \(port) is in use by \($0)" }
        context.log.warning(
          "http: \(owner ?? "port \(port): \(error)"): the web page is not served; stop that program, or choose "
            + "another port with http-port")
      }
    }
  }

  func stop() {
    live.stop()
    let hasEnded = DispatchSemaphore(value: 0)
    Task.detached { [server] in
      await server.stop()
      hasEnded.signal()
    }
    _ = hasEnded.wait(timeout: .now() + Self.endTimeout)
  }
}
