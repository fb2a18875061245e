import FlyingFox
import FlyingSocks
import Foundation
import HostProtocol
import LinuxIO

/// The HTTP server: the web page, the JSON interface, metrics, and the WebSocket of live data. Nothing that a client sends
/// changes any state.
final class HTTPWebServer: Server {
  /// The allowed texts of the address, for messages.
  static let allowedHosts = "an IPv4 or IPv6 address of this machine, or localhost"
  /// Seconds in which a request must have arrived and its answer be read.
  private static let timeout = 15.0
  /// The pause after an error of the port, which may be free later, nanoseconds.
  private static let retry: UInt64 = 10_000_000_000
  /// Timeout of the end, seconds.
  private static let endTimeout = 1.0
  /// The name in the policy, `org.lodestar.http`, and in messages.
  private static let name = "http"

  private let server: HTTPServer
  private let port: Int
  private let context: ServerContext
  private let live: LiveData
  private let running = Locked<Task<Void, Never>?>(nil)

  /// Makes a server; nil without a port.
  init?(_ address: StreamAddress, _ context: ServerContext) throws(ServerFault) {
    guard let number = address.port, let port = UInt16(exactly: number) else { return nil }
    let host = address.host == "localhost" ? "127.0.0.1" : address.host
    let live = LiveData(Self.name, context)
    do {
      let bound: any FlyingSocks.SocketAddress =
        host.contains(":")
        ? try sockaddr_in6.inet6(ip6: host, port: port)
        : try sockaddr_in.inet(ip4: host, port: port)
      server = Self.server(at: bound, live)
    } catch {
      throw ServerFault(
        description:
          "http: '\(address.host)' is no address of the form 192.0.2.1 or 2001:db8::1; correct http-address"
      )
    }
    (self.port, self.context, self.live) = (number, context, live)
  }

  var ports: [String: Int] { ["http-port": port] }

  func start() {
    live.start()
    let task = Task.detached { [server, context, port] in
      var notes = RepeatedNotes(log: context.log)
      while !Task.isCancelled {
        do {
          try await server.run()
        } catch {
          guard !Task.isCancelled else { return }
          notes.add(Self.message(error, port))
        }
        do { try await Task.sleep(nanoseconds: Self.retry) } catch { return }
      }
    }
    running.withLock { $0 = task }
  }

  private static func message(_ error: any Error, _ port: Int) -> String {
    guard let owner = PortOwner.name(of: port) else { return "http: port \(port): \(error)" }
    return
      "http: port \(port) is in use by \(owner): the web page is not served; stop that program, or choose "
      + "another port with http-port"
  }

  private static func server(
    at address: some FlyingSocks.SocketAddress, _ live: LiveData
  ) -> HTTPServer {
    HTTPServer(
      config: HTTPServer.Configuration(
        address: address, timeout: timeout, pool: BoundedSocketPool(HTTPServer.defaultPool()),
        logger: .disabled), handler: HTTPPages(live))
  }

  func stop() {
    running.withLock { $0?.cancel() }
    live.stop()
    let hasEnded = DispatchSemaphore(value: 0)
    Task.detached { [server] in
      await server.stop()
      hasEnded.signal()
    }
    _ = hasEnded.wait(timeout: .now() + Self.endTimeout)
  }
}
