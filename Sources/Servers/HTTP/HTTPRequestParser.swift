/// Why a request is not answered; the connection ends after the refusal.
package struct HTTPRefusal: Error, Equatable, Sendable {
  package let status: HTTPStatus
  /// One line for the client and the log.
  package let reason: String
}

/// Divides what a client of HTTP/1.1 or 1.0 sends into requests, in any pieces. It is strict: what
/// two programs could read differently is refused. It stores at most one request, and what follows
/// it in the bytes of the last call of `append`.
/// - Source: RFC 9112, sections 2.2, 3, 5, 6 and 7; RFC 9110, sections 5.5, 7.2, 8.6 and 10.1.1.
package struct HTTPRequestParser: Sendable {
  /// Limit of a request with its body, bytes.
  package static let longestRequest = 16 * 1024
  /// Limits of the request line, bytes, and of the fields of a header or a trailer.
  package static let (longestLine, mostFields) = (8 * 1024, 100)
  /// Limit of the empty lines before a request, which some clients send after a body, bytes.
  private static let mostBefore = 4

  /// What is read next.
  private enum Stage: Equatable {
    case line
    case fields
    case body(Int)
    case chunkSize
    case chunk(Int)
    case chunkEnd
    case trailer
  }

  /// The present request, from its first byte, and what follows it.
  private var bytes: [UInt8] = []
  /// The number of its bytes that are read, and of those that have no end of line.
  private var place = 0
  private var searched = 0
  private var stage = Stage.line
  private var request = HTTPRequest(method: "", path: "", query: "", isVersion11: true)
  private var trailerCount = 0
  private var expectsContinue = false

  package init() {}

  /// Whether a part of a request has arrived; empty lines are none.
  package var hasInput: Bool { bytes.contains { $0 != 13 && $0 != 10 } }

  /// Adds received bytes.
  package mutating func append(_ received: ArraySlice<UInt8>) { bytes += received }

  /// The next request that is complete; nil until then.
  /// - Throws: `HTTPRefusal`, after which nothing more is read.
  package mutating func next() throws(HTTPRefusal) -> HTTPRequest? {
    while true {
      switch stage {
      case .line:
        guard let line = try nextLine() else { return nil }
        if !line.isEmpty {
          try readRequestLine(line)
          stage = .fields
        } else if place > Self.mostBefore {
          throw Self.bad("empty lines instead of a request")
        }
      case .fields:
        guard let line = try nextLine() else { return nil }
        if line.isEmpty {
          stage = try stageOfBody()
        } else {
          let field = try Self.field(line)
          guard request.fields.count < Self.mostFields else {
            throw HTTPRefusal(
              status: .headerFieldsTooLarge, reason: "more than \(Self.mostFields) header fields")
          }
          request.fields.append(field.name, field.value)
        }
      case .body(let count):
        guard bytes.count - place >= count else { return nil }
        request.body += bytes[place..<(place + count)]
        place += count
        return finish()
      case .chunkSize:
        guard let line = try nextLine() else { return nil }
        let count = try Self.chunkSize(line)
        try checkLength(with: count)
        stage = count == 0 ? .trailer : .chunk(count)
      case .chunk(let count):
        guard bytes.count - place >= count else { return nil }
        request.body += bytes[place..<(place + count)]
        (place, searched) = (place + count, place + count)
        stage = .chunkEnd
      case .chunkEnd:
        guard let line = try nextLine() else { return nil }
        guard line.isEmpty else { throw Self.bad("a chunk that is longer than its size") }
        stage = .chunkSize
      case .trailer:
        guard let line = try nextLine() else { return nil }
        if line.isEmpty { return finish() }
        // Fields after the body are not used.
        _ = try Self.field(line)
        trailerCount += 1
        guard trailerCount <= Self.mostFields else {
          throw HTTPRefusal(
            status: .headerFieldsTooLarge, reason: "more than \(Self.mostFields) trailer fields")
        }
      }
    }
  }

  /// Whether the client waits for `100 Continue` before it sends the body; true once.
  package mutating func removeContinueExpectation() -> Bool {
    defer { expectsContinue = false }
    return expectsContinue && bytes.count == place
  }

  /// Ends the reading of requests.
  /// - Returns: What has arrived after the last one.
  package mutating func removeRest() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }

  private mutating func finish() -> HTTPRequest {
    let finished = request
    let rest = Array(bytes[place...])
    self = HTTPRequestParser()
    bytes = rest
    return finished
  }

  // MARK: Lines

  /// The next line without its end; nil until it is complete.
  private mutating func nextLine() throws(HTTPRefusal) -> ArraySlice<UInt8>? {
    let begin = place
    var index = max(place, searched)
    while index < bytes.count {
      switch bytes[index] {
      case 0: throw Self.bad("a zero byte")
      case 10: throw Self.bad("a line end without a carriage return")
      case 13:
        guard index + 1 < bytes.count else {
          searched = index
          return nil
        }
        guard bytes[index + 1] == 10 else { throw Self.bad("a carriage return inside of a line") }
        try checkLine(index - begin)
        (place, searched) = (index + 2, index + 2)
        try checkLength()
        return bytes[begin..<index]
      default: index += 1
      }
    }
    searched = index
    try checkLine(index - begin)
    try checkLength(with: index - begin)
    return nil
  }

  private func checkLine(_ count: Int) throws(HTTPRefusal) {
    guard stage != .line || count <= Self.longestLine else {
      throw HTTPRefusal(
        status: .uriTooLong, reason: "a request line of more than \(Self.longestLine) bytes")
    }
  }

  /// Checks the length of the request with bytes that follow those that are read.
  private func checkLength(with count: Int = 0) throws(HTTPRefusal) {
    guard place + count > Self.longestRequest else { return }
    throw HTTPRefusal(
      status: stage == .line || stage == .fields ? .headerFieldsTooLarge : .contentTooLarge,
      reason: "a request of more than \(Self.longestRequest) bytes")
  }

  private mutating func readRequestLine(_ line: ArraySlice<UInt8>) throws(HTTPRefusal) {
    let parts = line.split(separator: 32, omittingEmptySubsequences: false)
    guard parts.count == 3, Self.isToken(parts[0]) else {
      throw Self.bad("the first line is not an HTTP request")
    }
    let version = Array(parts[2])
    guard version.count == 8, version.starts(with: Array("HTTP/".utf8)), Self.isDigit(version[5]),
      version[6] == UInt8(ascii: "."), Self.isDigit(version[7])
    else { throw Self.bad("the first line has no HTTP version") }
    guard version[5] == UInt8(ascii: "1") else {
      throw HTTPRefusal(status: .versionNotSupported, reason: "the version is neither 1.1 nor 1.0")
    }
    request.isVersion11 = version[7] != UInt8(ascii: "0")
    request.method = String(decoding: parts[0], as: UTF8.self)
    guard parts[1].allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw Self.bad("a target with other than printable characters")
    }
    try readTarget(String(decoding: parts[1], as: UTF8.self))
  }

  private mutating func readTarget(_ target: String) throws(HTTPRefusal) {
    var path = target[...]
    let scheme = ["http://", "https://"].first { target.lowercased().hasPrefix($0) }
    if let scheme {
      let rest = target.dropFirst(scheme.count)
      let host = rest.prefix { $0 != "/" && $0 != "?" }
      request.host = String(host)
      path = rest.dropFirst(host.count)
      if !path.hasPrefix("/") { path = "/" + path }
    }
    let hasOtherForm =
      request.method == "OPTIONS" && target == "*"
      || request.method == "CONNECT" && !target.isEmpty && !target.contains("?")
    guard path.hasPrefix("/") || hasOtherForm else {
      throw Self.bad("a request target that is not a path")
    }
    request.path = String(path.prefix { $0 != "?" })
    request.query = String(path.dropFirst(request.path.count + 1))
  }

  /// The name and the value of a field. A continued line, and a name with a space before its colon,
  /// are refused.
  private static func field(
    _ line: ArraySlice<UInt8>
  ) throws(HTTPRefusal) -> (name: String, value: String) {
    let name = line.prefix { $0 != UInt8(ascii: ":") }
    guard name.count < line.count, isToken(name) else {
      throw bad("a header field without a valid name")
    }
    let isBlank = { (byte: UInt8) in byte == 32 || byte == 9 }
    var value = line.dropFirst(name.count + 1).drop(while: isBlank)
    while let last = value.last, isBlank(last) { value.removeLast() }
    guard value.allSatisfy({ $0 >= 32 && $0 != 0x7F || $0 == 9 }) else {
      throw bad("a control character in a header field")
    }
    return (String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
  }

  // MARK: The body

  /// Checks the header.
  /// - Returns: What follows it.
  private mutating func stageOfBody() throws(HTTPRefusal) -> Stage {
    let fields = request.fields
    let hosts = fields.values(of: "Host")
    guard hosts.count == 1 || hosts.isEmpty && !request.isVersion11 else {
      throw Self.bad(hosts.isEmpty ? "a request without Host" : "more than one Host")
    }
    request.host = request.host ?? hosts.first
    guard request.host?.utf8.allSatisfy(Self.isOfHost) ?? true else {
      throw Self.bad("an invalid Host")
    }
    let next = try stage(
      lengths: fields.values(of: "Content-Length"),
      codings: fields.values(of: "Transfer-Encoding"))
    if case .body(let count) = next { try checkLength(of: count) }
    guard let expectation = fields["Expect"] else { return next }
    guard HTTPFields.isEqual(expectation, "100-continue") else {
      throw HTTPRefusal(
        status: .expectationFailed, reason: "the only supported expectation is 100-continue")
    }
    expectsContinue = request.isVersion11 && next != .body(0)
    return next
  }

  private func stage(lengths: [String], codings: [String]) throws(HTTPRefusal) -> Stage {
    if let coding = codings.first {
      guard lengths.isEmpty, codings.count == 1 else { throw Self.bad("a body with two lengths") }
      guard request.isVersion11 else { throw Self.bad("a Transfer-Encoding in HTTP/1.0") }
      guard HTTPFields.isEqual(coding, "chunked") else {
        throw HTTPRefusal(
          status: .notImplemented, reason: "the only supported transfer coding is chunked")
      }
      return .chunkSize
    }
    guard let length = lengths.first else { return .body(0) }
    guard lengths.count == 1, !length.isEmpty, length.utf8.allSatisfy(Self.isDigit),
      let count = Int(length)
    else { throw Self.bad("a Content-Length that is no number") }
    return .body(count)
  }

  private func checkLength(of body: Int) throws(HTTPRefusal) {
    guard body > Self.longestRequest - place else { return }
    throw HTTPRefusal(
      status: .contentTooLarge, reason: "a request of more than \(Self.longestRequest) bytes")
  }

  /// The size of a chunk; extensions are ignored.
  private static func chunkSize(_ line: ArraySlice<UInt8>) throws(HTTPRefusal) -> Int {
    let digits = line.prefix { $0 != UInt8(ascii: ";") }
    guard !digits.isEmpty, line.allSatisfy({ $0 >= 32 && $0 != 0x7F || $0 == 9 }) else {
      throw bad("a chunk without a size")
    }
    var size = 0
    for digit in digits {
      guard let value = Character(UnicodeScalar(digit)).hexDigitValue, digit < 128 else {
        throw bad("a chunk without a size")
      }
      // Beyond the limit the exact number does not matter.
      size = min(size << 4 | value, 1 << 26)
    }
    return size
  }

  // MARK: Characters

  private static func bad(_ reason: String) -> HTTPRefusal {
    HTTPRefusal(status: .badRequest, reason: reason)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    isDigit(byte) || (65...90).contains(byte & 0xDF)
  }

  /// - Source: RFC 9110, section 5.6.2.
  private static func isToken(_ bytes: ArraySlice<UInt8>) -> Bool {
    !bytes.isEmpty && bytes.allSatisfy { isLetterOrDigit($0) || tokenMarks.contains($0) }
  }

  private static let tokenMarks = Set("!#$%&'*+-.^_`|~".utf8)

  /// - Source: RFC 3986, section 3.2.2, without the user.
  private static func isOfHost(_ byte: UInt8) -> Bool {
    isLetterOrDigit(byte) || hostMarks.contains(byte)
  }

  private static let hostMarks = Set("-._~!$&'()*+,;=%:[]".utf8)
}
