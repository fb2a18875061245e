import Foundation
import TestSupport

#if canImport(Glibc)
  import Glibc
#endif

/// An HTTP server on a free port of 127.0.0.1: stores each request and answers with
/// the test's data. It stops in `deinit`.
final class HTTPFixture: @unchecked Sendable {
  struct Unavailable: Error {}

  /// One request: the request line, the headers by their names in small letters, the content.
  struct Request: Sendable {
    var line: String
    var headers: [String: String]
    var body: String
  }

  let requests = Collected<Request>()
  let address: String
  private let listener: Int32
  private let lock = NSLock()
  private var isStopped = false
  private var answer: String

  init(answering answer: String) throws {
    self.answer = answer
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let file = listener
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(file, $0, size) == 0 && listen(file, 8) == 0 && getsockname(file, $0, &size) == 0
      }
    }
    self.address = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
    guard listener >= 0, isBound else { throw Unavailable() }
    Thread { [weak self] in
      while HTTPFixture.serveOne(of: self, file) {}
      close(file)
    }.start()
  }

  deinit { lock.withLock { isStopped = true } }

  /// A complete answer.
  static func answer(_ status: String, _ body: String, _ headers: String = "") -> String {
    "HTTP/1.1 \(status)\r\n\(headers)Content-Type: application/json\r\n"
      + "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
  }

  func answer(_ text: String) { lock.withLock { answer = text } }

  private static func serveOne(of fixture: HTTPFixture?, _ file: Int32) -> Bool {
    guard let fixture, !fixture.lock.withLock({ fixture.isStopped }) else { return false }
    var descriptor = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
    guard poll(&descriptor, 1, 50) > 0 else { return true }
    let client = accept(file, nil, nil)
    guard client >= 0 else { return true }
    fixture.serve(client)
    close(client)
    return true
  }

  private func serve(_ client: Int32) {
    var received: [UInt8] = []
    while true {
      if let request = Self.parse(received) {
        requests.add(request)
        break
      }
      var descriptor = pollfd(fd: client, events: Int16(POLLIN), revents: 0)
      guard poll(&descriptor, 1, 5000) > 0 else { return }
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = recv(client, &bytes, bytes.count, 0)
      guard count > 0 else { return }
      received += bytes[..<count]
    }
    let bytes = Array(lock.withLock { answer }.utf8)
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      sent += count
    }
  }

  /// The request, once it is whole.
  private static func parse(_ bytes: [UInt8]) -> Request? {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let end = text.range(of: "\r\n\r\n") else { return nil }
    var lines = text[..<end.lowerBound].components(separatedBy: "\r\n")
    let first = lines.removeFirst()
    var headers: [String: String] = [:]
    for line in lines {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
    }
    let body = String(text[end.upperBound...])
    guard body.utf8.count >= Int(headers["content-length"] ?? "0") ?? 0 else { return nil }
    return Request(line: first, headers: headers, body: body)
  }
}
