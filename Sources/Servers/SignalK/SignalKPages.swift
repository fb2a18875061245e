import FlyingFox
import Formats
import Foundation
import Quantities

/// The answers to requests of Signal K's HTTP interface, and its streams.
/// - Source: Signal K specification 1.7.0, "REST API" and "Streaming WebSocket API".
struct SignalKPages: HTTPHandler {
  private static let headers: [HTTPHeader: String] = [
    .contentType: "application/json", HTTPHeader("X-Content-Type-Options"): "nosniff",
    .cacheControl: "no-cache",
  ]
  /// The longest text of a client that an answer repeats.
  private static let longestEcho = 200

  private let hub: SignalKHub
  private let browsers: BrowserGuard

  init(_ hub: SignalKHub, _ browsers: BrowserGuard) { (self.hub, self.browsers) = (hub, browsers) }

  func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
    let origin = request.headers[HTTPHeader("Origin")]
    if let fault = browsers.fault(host: request.headers[.host], origin: origin) {
      return refuse(.forbidden, fault)
    }
    switch request.method {
    case .GET: return try await read(request)
    case .HEAD: return try await read(request).withoutContent
    default:
      var response = refuse(.methodNotAllowed, "no value can be changed here")
      response.headers[HTTPHeader("Allow")] = "GET, HEAD"
      return response
    }
  }

  private func read(_ request: HTTPRequest) async throws -> HTTPResponse {
    let parts = request.path.split(separator: "/").map { $0.removingPercentEncoding ?? "" }
    guard parts.first == "signalk" else {
      return refuse(.notFound, "Signal K is served below /signalk")
    }
    guard parts.count > 1 else { return answer(discovery(request)) }
    guard parts.count > 2, parts[1] == "v1" else { return missing(request) }
    switch parts[2] {
    case "api": return await model(parts[3...], request)
    case "stream" where parts.count == 3: return try await stream(request)
    case "playback", "snapshot", "history", "auth", "access":
      return refuse(.notImplemented, "'\(parts[2])' is not served here")
    default: return missing(request)
    }
  }

  private func discovery(_ request: HTTPRequest) -> [UInt8] {
    SignalKVessel.discovery(
      host: request.headers[.host].map { String($0.prefix(Self.longestEcho)) } ?? "localhost",
      isEncrypted: request.headers[HTTPHeader("X-Forwarded-Proto")] == "https",
      version: Version.text)
  }

  private func model(_ path: ArraySlice<String>, _ request: HTTPRequest) async -> HTTPResponse {
    let tree = hub.vessel.document(await hub.awaitModel())
    var keys = Array(path)
    if keys.count > 1, keys[0] == "vessels", keys[1] == "self" { keys[1] = hub.vessel.urn }
    guard let node = tree.node(at: keys) else { return missing(request) }
    return answer(node.json)
  }

  private func stream(_ request: HTTPRequest) async throws -> HTTPResponse {
    let subscription = request.query["subscribe"] ?? "self"
    guard ["self", "all", "none"].contains(subscription) else {
      return refuse(.notImplemented, "'subscribe' is self, all or none")
    }
    guard hub.sockets.count < WebSockets.most else {
      return refuse(.serviceUnavailable, "too many streams are open; close one")
    }
    let query = request.query.map { ($0.name, $0.value) }
    return try await hub.sockets.upgrade(
      request, Dictionary(query, uniquingKeysWith: { first, _ in first }))
  }

  private func answer(_ json: [UInt8], _ status: HTTPStatusCode = .ok) -> HTTPResponse {
    HTTPResponse(statusCode: status, headers: HTTPHeaders(Self.headers), body: Data(json))
  }

  private func missing(_ request: HTTPRequest) -> HTTPResponse {
    refuse(.notFound, "'\(request.path.prefix(Self.longestEcho))' is not known")
  }

  private func refuse(_ status: HTTPStatusCode, _ message: String) -> HTTPResponse {
    answer(SignalKVessel.refusal(request: nil, status: status.code, message), status)
  }
}
