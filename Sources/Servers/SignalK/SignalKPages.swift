import Formats
import Quantities

/// The answers to requests of Signal K's HTTP interface, and its streams.
/// - Source: Signal K specification 1.7.0, "REST API" and "Streaming WebSocket API".
struct SignalKPages: HTTPHandler {
  private static let fields = [
    (name: "Content-Type", value: "application/json"), ("X-Content-Type-Options", "nosniff"),
    ("Cache-Control", "no-cache"),
  ]
  /// The longest text of a client that an answer repeats.
  private static let longestEcho = 200

  private let hub: SignalKHub
  private let browsers: BrowserGuard

  init(_ hub: SignalKHub, _ browsers: BrowserGuard) { (self.hub, self.browsers) = (hub, browsers) }

  func handle(_ request: HTTPRequest, _ reply: HTTPReply) {
    if let fault = browsers.fault(host: request.host, origin: request.fields["Origin"]) {
      return reply.send(refusal(.forbidden, fault))
    }
    guard ["GET", "HEAD"].contains(request.method) else {
      var response = refusal(.methodNotAllowed, "no value can be changed here")
      response.fields["Allow"] = "GET, HEAD"
      return reply.send(response)
    }
    let parts = request.path.split(separator: "/").map { $0.percentDecoded ?? "" }
    guard parts.first == "signalk" else {
      return reply.send(refusal(.notFound, "Signal K is served below /signalk"))
    }
    guard parts.count > 1 else { return reply.send(answer(discovery(request))) }
    guard parts.count > 2, parts[1] == "v1" else { return reply.send(missing(request)) }
    switch parts[2] {
    case "api": sendModel(Array(parts[3...]), request, reply)
    case "stream" where parts.count == 3: openStream(request, reply)
    case "playback", "snapshot", "history", "auth", "access":
      reply.send(refusal(.notImplemented, "'\(parts[2])' is not served here"))
    default: reply.send(missing(request))
    }
  }

  private func discovery(_ request: HTTPRequest) -> [UInt8] {
    SignalKVessel.discovery(
      host: request.host.map { String($0.prefix(Self.longestEcho)) } ?? "localhost",
      isEncrypted: request.fields["X-Forwarded-Proto"] == "https", version: Version.text)
  }

  private func sendModel(_ path: [String], _ request: HTTPRequest, _ reply: HTTPReply) {
    hub.awaitModel { model in
      var keys = path
      if keys.count > 1, keys[0] == "vessels", keys[1] == "self" { keys[1] = hub.vessel.urn }
      let node = hub.vessel.document(model).node(at: keys)
      reply.send(node.map { answer($0.json) } ?? missing(request))
    }
  }

  private func openStream(_ request: HTTPRequest, _ reply: HTTPReply) {
    let parameters = request.parameters
    guard ["self", "all", "none"].contains(parameters["subscribe"] ?? "self") else {
      return reply.send(refusal(.notImplemented, "'subscribe' is self, all or none"))
    }
    reply.upgrade(parameters)
  }

  private func answer(_ json: [UInt8], _ status: HTTPStatus = .ok) -> HTTPResponse {
    HTTPResponse(status, Self.fields, body: json)
  }

  private func missing(_ request: HTTPRequest) -> HTTPResponse {
    refusal(.notFound, "'\(request.path.prefix(Self.longestEcho))' is not known")
  }

  func refusal(_ status: HTTPStatus, _ reason: String) -> HTTPResponse {
    answer(SignalKVessel.refusal(request: nil, status: status.code, reason), status)
  }
}
