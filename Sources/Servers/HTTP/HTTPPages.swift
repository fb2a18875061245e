import CWebPage
import FlyingFox
import Formats
import Foundation
import HostProtocol
import Quantities

/// The answers to requests: files of the page, the JSON interface, metrics, the WebSocket.
struct HTTPPages: HTTPHandler {
  /// The page needs nothing from outside, and no other page may contain it.
  private static let safety: HTTPHeaders = [
    HTTPHeader("Content-Security-Policy"): "default-src 'self'; frame-ancestors 'none'",
    HTTPHeader("X-Content-Type-Options"): "nosniff",
    HTTPHeader("Referrer-Policy"): "no-referrer",
    HTTPHeader("Cache-Control"): "no-cache",
  ]

  private let live: LiveData
  private let files: [String: (type: String, bytes: Data)]

  init(_ live: LiveData) {
    self.live = live
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
    guard request.method == .GET || request.method == .HEAD else {
      return answer(.methodNotAllowed, error: "only GET is answered: nothing can be changed here")
    }
    switch request.path {
    case "/api/v1/status": return answer(json: live.status)
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
      guard live.viewers < WebSockets.most else {
        return answer(.serviceUnavailable, error: "too many pages are open; close one")
      }
      return try await live.sockets.upgrade(request)
    case "/metrics":
      let text = MetricsText.text(
        await live.awaitEstimate(), isOpen: live.source.isOpen, viewers: live.viewers)
      return answer(.ok, MetricsText.type, Data(text))
    default:
      guard let file = files[request.path] else {
        return answer(.notFound, error: "'\(request.path.prefix(200))' is not served here")
      }
      return answer(.ok, file.type, file.bytes)
    }
  }

  private func answer(_ status: HTTPStatusCode, _ type: String, _ body: Data) -> HTTPResponse {
    var headers = Self.safety
    headers[.contentType] = type
    return HTTPResponse(statusCode: status, headers: headers, body: body)
  }

  private func answer(json: [UInt8]) -> HTTPResponse {
    answer(.ok, "application/json", Data(json))
  }

  private func answer(_ status: HTTPStatusCode, error: String) -> HTTPResponse {
    answer(status, "application/json", Data(JSONWriter.object { $0.add("error", error) }))
  }
}
