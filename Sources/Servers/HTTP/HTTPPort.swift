import FlyingFox
import FlyingSocks
import Foundation
import LinuxIO
import LocationHost

/// A TCP port of HTTP: the library's server with limits, which tries again while the port is taken.
final class HTTPPort: Sendable {
  /// The allowed texts of the address, for messages.
  static let allowedHosts = "an IPv4 or IPv6 address of this machine, or localhost"
  /// Seconds until the answer to a request is made; the library occupies a timer of 0.7 KB for as long, also
  /// after the answer.
  private static let timeout = 5.0
  /// The pause after an error of the port, which may be free later, nanoseconds.
  private static let retry: UInt64 = 10_000_000_000
  /// Timeout of the end, seconds.
  private static let endTimeout = 1.0

  /// One for each address: `localhost` has two.
  private let servers: [HTTPServer]
  private let name: String
  private let number: Int
  private let content: String
  private let log: HostLog
  private let running = Locked<[Task<Void, Never>]>([])

  /// Makes a port; nil without a number.
  ///
  /// - Parameters:
  ///   - name: the server's name in messages; its keys are `NAME-port` and `NAME-address`
  ///   - address: the port and the address at which it listens
  ///   - content: what is not served while the port is taken, for a message
  ///   - handler: answers the requests
  ///   - connections: the limits of the port's connections, where the server has WebSockets
  ///   - log: receives the messages
  /// - Throws: a `ServerFault` where the address has another form
  init?(
    _ name: String, at address: StreamAddress, serving content: String, _ handler: HTTPHandler,
    _ connections: HTTPConnections? = nil, _ log: HostLog
  ) throws(ServerFault) {
    guard let number = address.port, let port = UInt16(exactly: number) else { return nil }
    let hosts = Loopback.addresses(of: address.host)
    let limits = connections ?? HTTPConnections(name, port: number, log: log)
    do {
      servers = try hosts.map { try Self.server(at: $0, port, handler, limits) }
    } catch {
      throw ServerFault(
        description:
          "\(name): '\(address.host)' is no address of the form 192.0.2.1 or 2001:db8::1; "
          + "correct \(name)-address")
    }
    (self.name, self.number, self.content, self.log) = (name, number, content, log)
  }

  private static func server(
    at host: String, _ port: UInt16, _ handler: HTTPHandler, _ connections: HTTPConnections
  ) throws -> HTTPServer {
    func server(at address: some FlyingSocks.SocketAddress) -> HTTPServer {
      HTTPServer(
        config: HTTPServer.Configuration(
          address: address, timeout: timeout,
          sharedRequestReplaySize: HTTPConnections.longestRequest,
          pool: BoundedSocketPool(connections), logger: .disabled),
        handler: BoundedRequests(handler: handler))
    }
    return host.contains(":")
      ? server(at: try sockaddr_in6.inet6(ip6: host, port: port))
      : server(at: try sockaddr_in.inet(ip4: host, port: port))
  }

  /// The number of the port by its key.
  var ports: [String: Int] { ["\(name)-port": number] }

  /// Starts to serve; returns at once.
  /// - Parameter onListening: Called with true each time the port listens, and with false at each end.
  func start(_ onListening: (@Sendable (Bool) -> Void)? = nil) {
    let tasks = servers.enumerated().map { place, server in
      Task.detached { [self] in
        var notes = RepeatedNotes(log: log)
        while !Task.isCancelled {
          do {
            try await run(server, place == 0 ? onListening : nil)
          } catch {
            // A machine without IPv6 has no ::1, the second address of localhost.
            guard !Task.isCancelled, place == 0 || !Self.isAbsent(error) else { return }
            notes.add(message(error))
          }
          do { try await Task.sleep(nanoseconds: Self.retry) } catch { return }
        }
      }
    }
    running.withLock { $0 = tasks }
  }

  private func run(
    _ server: HTTPServer, _ onListening: (@Sendable (Bool) -> Void)?
  ) async throws {
    let listening = Task {
      do {
        try await server.waitUntilListening()
        onListening?(true)
      } catch {
        // The port is taken, which `run` reports, or the server has ended.
      }
    }
    let end: Result<Void, any Error>
    do { end = .success(try await server.run()) } catch { end = .failure(error) }
    listening.cancel()
    await listening.value
    onListening?(false)
    try end.get()
  }

  private static func isAbsent(_ error: any Error) -> Bool {
    guard case SocketError.failed(_, let code, _) = error else { return false }
    return code == EADDRNOTAVAIL || code == EAFNOSUPPORT
  }

  private func message(_ error: any Error) -> String {
    guard case SocketError.failed(_, EADDRINUSE, _) = error else {
      return "\(name): port \(number): \(error)"
    }
    return ServerFault.taken(
      port: number, of: name, effect: "\(content) is not served", option: "\(name)-port"
    ).description
  }

  /// Closes the port and its connections within a second.
  func stop() {
    let tasks = running.withLock { $0 }
    for task in tasks { task.cancel() }
    let hasEnded = DispatchSemaphore(value: 0)
    Task.detached { [servers] in
      for server in servers { await server.stop() }
      for task in tasks { await task.value }
      hasEnded.signal()
    }
    _ = hasEnded.wait(timeout: .now() + Self.endTimeout)
  }
}

/// Refuses bodies without a length or with more bytes than a request may have, and reads them to their end, so
/// that they are not taken for the next request; beyond the limit the connection is closed meanwhile.
private struct BoundedRequests: HTTPHandler {
  let handler: any HTTPHandler

  func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
    let length = request.headers[.contentLength].flatMap { Int($0) } ?? 0
    let hasLength = request.headers[.transferEncoding] == nil
    if hasLength, length <= HTTPConnections.longestRequest {
      return try await handler.handleRequest(request)
    }
    for try await _ in request.bodySequence {}
    return HTTPResponse(statusCode: hasLength ? .payloadTooLarge : .lengthRequired)
  }
}
