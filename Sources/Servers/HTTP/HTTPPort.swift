import FlyingFox
import FlyingSocks
import Foundation
import LinuxIO
import LocationHost

/// A TCP port of HTTP: the library's server with limits, which tries again while the port is taken.
final class HTTPPort: Sendable {
  /// The allowed texts of the address, for messages.
  static let allowedHosts = "an IPv4 or IPv6 address of this machine, or localhost"
  /// Seconds in which a request must have arrived and its answer be read.
  private static let timeout = 15.0
  /// The pause after an error of the port, which may be free later, nanoseconds.
  private static let retry: UInt64 = 10_000_000_000
  /// Timeout of the end, seconds.
  private static let endTimeout = 1.0

  private let server: HTTPServer
  private let name: String
  private let number: Int
  private let content: String
  private let log: HostLog
  private let running = Locked<Task<Void, Never>?>(nil)

  /// Makes a port; nil without a number.
  ///
  /// - Parameters:
  ///   - name: the server's name in messages; its keys are `NAME-port` and `NAME-address`
  ///   - address: the port and the address at which it listens
  ///   - content: what is not served while the port is taken, for a message
  ///   - handler: answers the requests
  ///   - log: receives the messages
  /// - Throws: a `ServerFault` where the address has another form
  init?(
    _ name: String, at address: StreamAddress, serving content: String, _ handler: HTTPHandler,
    _ log: HostLog
  ) throws(ServerFault) {
    guard let number = address.port, let port = UInt16(exactly: number) else { return nil }
    let host = address.host == "localhost" ? "127.0.0.1" : address.host
    do {
      let bound: any FlyingSocks.SocketAddress =
        host.contains(":")
        ? try sockaddr_in6.inet6(ip6: host, port: port)
        : try sockaddr_in.inet(ip4: host, port: port)
      server = Self.server(at: bound, handler)
    } catch {
      throw ServerFault(
        description:
          "\(name): '\(address.host)' is no address of the form 192.0.2.1 or 2001:db8::1; "
          + "correct \(name)-address")
    }
    (self.name, self.number, self.content, self.log) = (name, number, content, log)
  }

  private static func server(
    at address: some FlyingSocks.SocketAddress, _ handler: HTTPHandler
  ) -> HTTPServer {
    HTTPServer(
      config: HTTPServer.Configuration(
        address: address, timeout: timeout, pool: BoundedSocketPool(HTTPServer.defaultPool()),
        logger: .disabled), handler: handler)
  }

  /// The number of the port by its key.
  var ports: [String: Int] { ["\(name)-port": number] }

  /// Starts to serve; returns at once.
  func start() {
    let task = Task.detached { [self] in
      var notes = RepeatedNotes(log: log)
      while !Task.isCancelled {
        do {
          try await server.run()
        } catch {
          guard !Task.isCancelled else { return }
          notes.add(message(error))
        }
        do { try await Task.sleep(nanoseconds: Self.retry) } catch { return }
      }
    }
    running.withLock { $0 = task }
  }

  private func message(_ error: any Error) -> String {
    guard let owner = PortOwner.name(of: number) else { return "\(name): port \(number): \(error)" }
    return
      "\(name): port \(number) is in use by \(owner): \(content) is not served; stop that program, "
      + "or choose another port with \(name)-port"
  }

  /// Closes the port and its connections within a second.
  func stop() {
    running.withLock { $0?.cancel() }
    let hasEnded = DispatchSemaphore(value: 0)
    Task.detached { [server] in
      await server.stop()
      hasEnded.signal()
    }
    _ = hasEnded.wait(timeout: .now() + Self.endTimeout)
  }
}
