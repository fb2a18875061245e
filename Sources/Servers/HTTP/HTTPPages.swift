import CWebPage
import FlyingFox
import Formats
import Foundation
import HostProtocol
import LinuxIO
import Quantities
import Storage

/// The answers to requests: files of the page, the JSON interface, metrics, the WebSocket; with a token, calibration.
struct HTTPPages: HTTPHandler {
  /// The page needs nothing from outside, and no other page may contain it.
  private static let safety: HTTPHeaders = [
    HTTPHeader("Content-Security-Policy"): "default-src 'self'; frame-ancestors 'none'",
    HTTPHeader("X-Content-Type-Options"): "nosniff",
    HTTPHeader("Referrer-Policy"): "no-referrer",
    HTTPHeader("Cache-Control"): "no-cache",
  ]

  /// Limit of the content, bytes: a code is short. The port has a limit of the whole request.
  private static let mostContent = 4096
  /// A page of another site cannot send this header to a server that does not permit it.
  private static let ownHeader = HTTPHeader("X-Lodestar")

  private let live: LiveData
  private let tokens: HTTPTokens
  private let readers: HTTPReaders
  private let browsers: BrowserGuard
  private let files: [String: (type: String, bytes: Data)]

  init(_ live: LiveData, _ tokens: HTTPTokens, _ settings: HTTPSettings) {
    (self.live, self.tokens, readers) = (live, tokens, settings.readers)
    browsers = BrowserGuard(names: settings.names)
    var files: [String: (type: String, bytes: Data)] = [:]
    for number in 0..<lodestar_page_file_count() {
      let file = lodestar_page_file(number)
      let content = (
        type: String(cString: file.type), bytes: Data(bytes: file.bytes, count: file.size)
      )
      files["/" + String(cString: file.name)] = content
      if number == 0 { files["/"] = content }
    }
    self.files = files
  }

  func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
    guard request.bodySequence.count ?? 0 <= Self.mostContent else {
      return answer(
        .payloadTooLarge, error: "a request has at most \(Self.mostContent) bytes of content")
    }
    let origin = request.headers[HTTPHeader("Origin")]
    if let fault = browsers.fault(host: request.headers[.host], origin: origin) {
      return answer(.forbidden, error: fault)
    }
    let token: AccessToken?
    do throws(TokenFault) {
      token = try tokens.token(of: request)
    } catch {
      guard request.method != .POST, readers == .anyone else {
        return answer(.serviceUnavailable, error: "\(error)")
      }
      token = nil
    }
    if let token { live.noteSeen(token.id) }
    switch request.method {
    case .GET: return try await read(request, token?.id)
    case .HEAD: return try await read(request, token?.id).withoutContent
    case .POST: return await change(request, try await request.bodyData, token?.id)
    default:
      var refusal = answer(.methodNotAllowed, error: "only GET, HEAD and POST are answered")
      refusal.headers[HTTPHeader("Allow")] = "GET, HEAD, POST"
      return refusal
    }
  }

  // MARK: Reading

  private func read(_ request: HTTPRequest, _ token: String?) async throws -> HTTPResponse {
    if let file = files[request.path] { return answer(.ok, file.type, file.bytes) }
    if request.path == "/api/v1/status" { return answer(json: live.status(hasToken: token != nil)) }
    guard readers == .anyone || token != nil else { return needsToken("reading") }
    switch request.path {
    case "/api/v1/estimate":
      guard let estimate = await live.awaitEstimate() else {
        return answer(
          .serviceUnavailable, error: live.source.fault ?? "there is no estimate yet; try again")
      }
      return answer(json: EstimateJSON.object(estimate))
    case "/api/v1/sky":
      guard let sky = await live.awaitSky() else {
        return answer(.serviceUnavailable, error: "the receiver has reported no satellites")
      }
      return answer(json: SkyJSON.object(sky))
    case "/api/v1/stream":
      guard live.sockets.count < WebSockets.most else {
        return answer(.serviceUnavailable, error: "too many pages are open; close one")
      }
      return try await live.sockets.upgrade(
        request, token.map { [LiveData.tokenAttribute: $0] } ?? [:])
    case "/metrics":
      let text = MetricsText.text(
        await live.awaitEstimate(), isOpen: live.source.isOpen, viewers: live.viewers)
      return answer(.ok, MetricsText.type, Data(text))
    default:
      return answer(.notFound, error: "'\(request.path.prefix(200))' is not served here")
    }
  }

  private func needsToken(_ what: String) -> HTTPResponse {
    answer(
      .unauthorized,
      error: "\(what) needs a token: run 'lodestar token' on the board and open the link")
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
  private func use(_ content: Data) throws -> CalibrationUse? {
    guard !content.isEmpty,
      let word = try JSONDecoder().decode(BeginOfCalibration.self, from: content).use
    else { return nil }
    guard let use = CalibrationUse(rawValue: word) else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: [], debugDescription: "the use '\(word)' is not known"))
    }
    return use
  }

  private func change(
    _ request: HTTPRequest, _ content: Data, _ token: String?
  ) async -> HTTPResponse {
    let calibration = "/api/v1/calibration/"
    guard request.path == "/api/v1/token" || request.path.hasPrefix(calibration) else {
      return answer(.notFound, error: "'\(request.path.prefix(200))' takes no POST")
    }
    guard request.headers[Self.ownHeader] == "1" else {
      return answer(.forbidden, error: "the header 'X-Lodestar: 1' is missing")
    }
    if request.path == "/api/v1/token" { return await exchange(request, content) }
    guard let token else { return needsToken("a calibration") }
    guard let session = live.calibration else {
      return answer(.serviceUnavailable, error: "the server ends")
    }
    let refusal: WebCalibration.Refusal?
    switch request.path.dropFirst(calibration.count) {
    case "begin":
      let stated: CalibrationUse?
      do { stated = try use(content) } catch {
        return answer(
          .badRequest,
          error: #"the content must be empty or {"use": "level"} or {"use": "any attitude"}"#)
      }
      refusal = await session.begin(by: token, for: stated)
    case "cancel": refusal = await session.cancel()
    case "save": refusal = await session.save()
    default:
      return answer(.notFound, error: "'\(request.path.prefix(200))' takes no POST")
    }
    if let refusal {
      return answer(refusal.isForbidden ? .forbidden : .conflict, error: refusal.reason)
    }
    live.noteSeen(token)
    return answer(json: JSONWriter.record(at: SystemClock.civilTime) { _ in })
  }

  private func exchange(_ request: HTTPRequest, _ content: Data) async -> HTTPResponse {
    let code: String
    do {
      code = try JSONDecoder().decode(CodeOfLink.self, from: content).code
    } catch {
      return answer(.badRequest, error: #"the content must be {"code": "…"}"#)
    }
    switch await tokens.exchange(code, request) {
    case .refused(let status, let reason): return answer(status, error: reason)
    case .token(let new):
      var response = answer(
        json: JSONWriter.record(at: SystemClock.civilTime) {
          $0.add("id", new.token.id)
          $0.add("name", new.token.name)
          $0.add("token", new.secret)
        })
      let isSecure =
        request.headers[HTTPHeader("Origin")]?.lowercased().hasPrefix("https:") ?? false
      response.headers[.setCookie] = HTTPTokens.cookie(new, isSecure: isSecure)
      response.headers[.cacheControl] = "no-store"
      return response
    }
  }

  // MARK: Answers

  private func answer(_ status: HTTPStatusCode, _ type: String, _ body: Data) -> HTTPResponse {
    var headers = Self.safety
    headers[.contentType] = type
    return HTTPResponse(statusCode: status, headers: headers, body: body)
  }

  private func answer(json: [UInt8]) -> HTTPResponse {
    answer(.ok, "application/json", Data(json))
  }

  private func answer(_ status: HTTPStatusCode, error: String) -> HTTPResponse {
    let content = JSONWriter.record(at: SystemClock.civilTime) { $0.add("error", error) }
    return answer(status, "application/json", Data(content))
  }
}
