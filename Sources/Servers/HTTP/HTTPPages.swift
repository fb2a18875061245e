import CWebPage
import Formats
import FoundationEssentials
import JSON
import LinuxIO
import Quantities
import Storage

/// The answers to requests: files of the page, the JSON interface, metrics, the WebSocket; with a
/// token, calibration.
struct HTTPPages: HTTPHandler {
  /// The page needs nothing from outside, and no other page may contain it.
  private static let safety = [
    (name: "Content-Security-Policy", value: "default-src 'self'; frame-ancestors 'none'"),
    ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
    ("Cache-Control", "no-cache"),
  ]

  /// Limit of the content, bytes: a code is short. The port has a limit of the whole request.
  private static let mostContent = 4096
  /// A page of another site cannot send this field to a server that does not permit it.
  private static let ownField = "X-Lodestar"

  /// The paths that are read, besides the files of the page.
  private enum ReadPath: String {
    case status = "/api/v1/status"
    case estimate = "/api/v1/estimate"
    case sky = "/api/v1/sky"
    case health = "/api/v1/health"
    case deviation = "/api/v1/deviation"
    case stream = "/api/v1/stream"
    case metrics = "/metrics"
  }

  /// The paths that change something.
  private enum ChangePath: String {
    case token = "/api/v1/token"
    case begin = "/api/v1/calibration/begin"
    case cancel = "/api/v1/calibration/cancel"
    case save = "/api/v1/calibration/save"
  }

  private let live: LiveData
  private let tokens: HTTPTokens
  private let readers: HTTPReaders
  private let browsers: BrowserGuard
  private let files: [String: (type: String, bytes: [UInt8])]

  init(_ live: LiveData, _ tokens: HTTPTokens, _ settings: HTTPSettings) {
    (self.live, self.tokens, readers) = (live, tokens, settings.readers)
    browsers = BrowserGuard(names: settings.names)
    var files: [String: (type: String, bytes: [UInt8])] = [:]
    for number in 0..<lodestar_page_file_count() {
      let file = lodestar_page_file(number)
      let bytes = UnsafeRawBufferPointer(start: file.bytes, count: file.size)
      let content = (type: String(cString: file.type), bytes: Array(bytes))
      files["/" + String(cString: file.name)] = content
      if number == 0 { files["/"] = content }
    }
    self.files = files
  }

  func handle(_ request: HTTPRequest, _ reply: HTTPReply) {
    guard request.body.count <= Self.mostContent else {
      return reply.send(
        refusal(.contentTooLarge, "a request has at most \(Self.mostContent) bytes of content"))
    }
    if let fault = browsers.fault(host: request.host, origin: request.fields["Origin"]) {
      return reply.send(refusal(.forbidden, fault))
    }
    let methods = methods(of: request.path)
    guard methods.contains(request.method) else {
      return reply.send(refusal(of: request, methods))
    }
    tokens.findToken(of: request) { found in
      switch found {
      case .success(let token): handle(request, token?.id, reply)
      case .failure(let fault):
        guard request.method != "POST", readers == .anyone else {
          return reply.send(refusal(.serviceUnavailable, "\(fault)"))
        }
        handle(request, nil, reply)
      }
    }
  }

  private func handle(_ request: HTTPRequest, _ token: String?, _ reply: HTTPReply) {
    if let token { live.recordActivity(token) }
    if request.method == "POST" {
      change(request, token, reply)
    } else {
      read(request, token, reply)
    }
  }

  /// The methods of a path; none where it is not served.
  private func methods(of path: String) -> [String] {
    if files[path] != nil || ReadPath(rawValue: path) != nil { return ["GET", "HEAD"] }
    return ChangePath(rawValue: path) == nil ? [] : ["POST"]
  }

  /// The answer to a request with a method that its path does not have.
  private func refusal(of request: HTTPRequest, _ methods: [String]) -> HTTPResponse {
    let path = request.path.prefix(200)
    guard !methods.isEmpty else { return refusal(.notFound, "'\(path)' is not served here") }
    let allowed = methods.joined(separator: ", ")
    var response = refusal(.methodNotAllowed, "'\(path)' accepts only \(allowed)")
    response.fields["Allow"] = allowed
    return response
  }

  // MARK: Reading

  private func read(_ request: HTTPRequest, _ token: String?, _ reply: HTTPReply) {
    if let file = files[request.path] { return reply.send(answer(.ok, file.type, file.bytes)) }
    guard let path = ReadPath(rawValue: request.path) else {
      return reply.send(refusal(of: request, []))
    }
    guard path == .status || readers == .anyone || token != nil else {
      return reply.send(needsToken("reading"))
    }
    switch path {
    case .status: reply.send(answer(json: live.status(hasToken: token != nil)))
    case .estimate:
      live.awaitEstimate { [live] estimate in
        reply.send(
          estimate.map { answer(json: EstimateJSON.object($0)) }
            ?? refusal(
              .serviceUnavailable, live.source.fault ?? "there is no estimate yet; try again"))
      }
    case .sky:
      live.awaitSky { sky in
        reply.send(
          sky.map { answer(json: SkyJSON.object($0)) }
            ?? refusal(.serviceUnavailable, "the receiver has reported no satellites"))
      }
    case .health:
      reply.send(
        live.boardHealth.map { answer(json: HealthJSON.object($0, at: SystemClock.civilTime)) }
          ?? refusal(.forbidden, "the policy grants org.lodestar.http no data"))
    case .deviation:
      guard let reader = live.deviation else {
        return reply.send(refusal(.serviceUnavailable, "the server ends"))
      }
      reader.read { card in
        reply.send(answer(json: DeviationJSON.object(card, at: SystemClock.civilTime)))
      }
    case .stream:
      reply.upgrade(token.map { [LiveData.tokenAttribute: $0] } ?? [:])
    case .metrics:
      live.awaitEstimate { [live] estimate in
        let text = MetricsText.text(
          estimate, isOpen: live.source.isOpen, viewers: live.viewers,
          receiver: live.receiverCondition, health: live.boardHealth, outputs: live.outputs,
          nmea2000: live.nmea2000)
        reply.send(answer(.ok, MetricsText.type, Array(text)))
      }
    }
  }

  private func needsToken(_ what: String) -> HTTPResponse {
    refusal(
      .unauthorized, "\(what) needs a token: run 'lodestar token' on the board and open the link")
  }

  // MARK: Changes

  private struct CodeOfLink: Decodable {
    let code: String
  }

  private struct BeginOfCalibration: Decodable {
    let use: String?
  }

  /// The use in the content of a begin; nil where it states none.
  /// - Throws: For a content that is not JSON, and for another word.
  private func use(_ content: [UInt8]) throws -> CalibrationUse? {
    guard !content.isEmpty else { return nil }
    try JSONText.check(content)
    guard
      let word = try JSONDecoder().decode(BeginOfCalibration.self, from: Data(content)).use
    else { return nil }
    guard let use = CalibrationUse(rawValue: word) else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: [], debugDescription: "the use '\(word)' is not known"))
    }
    return use
  }

  private func change(_ request: HTTPRequest, _ token: String?, _ reply: HTTPReply) {
    guard request.fields[Self.ownField] == "1" else {
      return reply.send(refusal(.forbidden, "the header 'X-Lodestar: 1' is missing"))
    }
    guard let path = ChangePath(rawValue: request.path) else {
      return reply.send(refusal(of: request, []))
    }
    if path == .token { return exchange(request, reply) }
    guard let token else { return reply.send(needsToken("a calibration")) }
    guard let session = live.calibration else {
      return reply.send(refusal(.serviceUnavailable, "the server ends"))
    }
    let done: @Sendable (WebCalibration.Refusal?) -> Void = { [live] fault in
      if let fault {
        return reply.send(refusal(fault.isForbidden ? .forbidden : .conflict, fault.reason))
      }
      live.recordActivity(token)
      reply.send(answer(json: JSONWriter.record(at: SystemClock.civilTime) { _ in }))
    }
    switch path {
    case .token: break
    case .begin:
      let stated: CalibrationUse?
      do { stated = try use(request.body) } catch {
        return reply.send(
          refusal(
            .badRequest,
            #"the content must be empty or {"use": "level"} or {"use": "any attitude"}"#))
      }
      session.begin(by: token, for: stated, done)
    case .cancel: session.cancel(done)
    case .save: session.save(done)
    }
  }

  private func exchange(_ request: HTTPRequest, _ reply: HTTPReply) {
    let code: String
    do {
      try JSONText.check(request.body)
      code = try JSONDecoder().decode(CodeOfLink.self, from: Data(request.body)).code
    } catch {
      return reply.send(refusal(.badRequest, #"the content must be {"code": "…"}"#))
    }
    tokens.exchange(code, request) { result in
      switch result {
      case .refused(let status, let reason): reply.send(refusal(status, reason))
      case .token(let new): reply.send(answer(new, request))
      }
    }
  }

  private func answer(_ new: NewAccessToken, _ request: HTTPRequest) -> HTTPResponse {
    var response = answer(
      json: JSONWriter.record(at: SystemClock.civilTime) {
        $0.add("id", new.token.id)
        $0.add("name", new.token.name)
        $0.add("token", new.secret)
      })
    let isSecure = request.fields["Origin"]?.lowercased().hasPrefix("https:") ?? false
    response.fields["Set-Cookie"] = HTTPTokens.cookie(new, isSecure: isSecure)
    response.fields["Cache-Control"] = "no-store"
    return response
  }

  // MARK: Answers

  private func answer(_ status: HTTPStatus, _ type: String, _ body: [UInt8]) -> HTTPResponse {
    HTTPResponse(status, Self.safety + [("Content-Type", type)], body: body)
  }

  private func answer(json: [UInt8]) -> HTTPResponse { answer(.ok, "application/json", json) }

  func refusal(_ status: HTTPStatus, _ reason: String) -> HTTPResponse {
    let content = JSONWriter.record(at: SystemClock.civilTime) { $0.add("error", reason) }
    return answer(status, "application/json", content)
  }
}
