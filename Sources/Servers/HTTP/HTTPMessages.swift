/// The status of an answer.
/// - Source: RFC 9110, section 15; RFC 6585, sections 4 and 5.
package struct HTTPStatus: Sendable, Equatable {
  package static let switchingProtocols = HTTPStatus(101, "Switching Protocols")
  package static let ok = HTTPStatus(200, "OK")
  package static let badRequest = HTTPStatus(400, "Bad Request")
  package static let unauthorized = HTTPStatus(401, "Unauthorized")
  package static let forbidden = HTTPStatus(403, "Forbidden")
  package static let notFound = HTTPStatus(404, "Not Found")
  package static let methodNotAllowed = HTTPStatus(405, "Method Not Allowed")
  package static let requestTimeout = HTTPStatus(408, "Request Timeout")
  package static let conflict = HTTPStatus(409, "Conflict")
  package static let contentTooLarge = HTTPStatus(413, "Content Too Large")
  package static let uriTooLong = HTTPStatus(414, "URI Too Long")
  package static let expectationFailed = HTTPStatus(417, "Expectation Failed")
  package static let upgradeRequired = HTTPStatus(426, "Upgrade Required")
  package static let tooManyRequests = HTTPStatus(429, "Too Many Requests")
  package static let headerFieldsTooLarge = HTTPStatus(431, "Request Header Fields Too Large")
  package static let notImplemented = HTTPStatus(501, "Not Implemented")
  package static let serviceUnavailable = HTTPStatus(503, "Service Unavailable")
  package static let versionNotSupported = HTTPStatus(505, "HTTP Version Not Supported")

  package let code: Int
  fileprivate let phrase: String

  private init(_ code: Int, _ phrase: String) { (self.code, self.phrase) = (code, phrase) }
}

/// The fields of a header, in order; names are compared without case.
package struct HTTPFields: Sendable, Equatable {
  private(set) var all: [(name: String, value: String)] = []

  package init(_ fields: [(name: String, value: String)] = []) { all = fields }

  package static func == (a: HTTPFields, b: HTTPFields) -> Bool {
    a.all.elementsEqual(b.all) { $0 == $1 }
  }

  package var count: Int { all.count }

  /// The value of the first field of a name; setting replaces all of that name.
  package subscript(name: String) -> String? {
    get { values(of: name).first }
    set {
      all.removeAll { Self.isEqual($0.name, name) }
      if let newValue { all.append((name, newValue)) }
    }
  }

  /// The values of all fields of a name.
  package func values(of name: String) -> [String] {
    all.filter { Self.isEqual($0.name, name) }.map(\.value)
  }

  /// Whether a list, such as that of `Connection`, has a word.
  package func list(_ name: String, has word: String) -> Bool {
    values(of: name).contains { value in
      value.split(separator: ",").contains {
        let part = $0.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
        return Self.isEqual(part, word)
      }
    }
  }

  mutating func append(_ name: String, _ value: String) { all.append((name, value)) }

  /// Compares without the case of ASCII's letters: other programs know no other case.
  static func isEqual(_ a: some StringProtocol, _ b: String) -> Bool {
    a.utf8.elementsEqual(b.utf8) { a, b in
      a == b || a ^ b == 0x20 && (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(a | 0x20)
    }
  }
}

/// A complete request.
package struct HTTPRequest: Sendable, Equatable {
  package var method: String
  /// The path as it was sent, with its percent signs.
  package var path: String
  /// What follows the question mark, as it was sent; empty without one.
  package var query: String
  /// False for HTTP/1.0.
  package var isVersion11: Bool
  package var fields = HTTPFields()
  package var body: [UInt8] = []
  /// The address of the client; a field could claim any.
  package var client = ""

  /// The host of the request: of an absolute target, else of the field `Host`.
  package var host: String?

  /// Whether the client sends further requests by the same connection.
  package var keepsAlive: Bool {
    if fields.list("Connection", has: "close") { return false }
    return isVersion11 || fields.list("Connection", has: "keep-alive")
  }

  /// The decoded names and values of the query; the first value of a name.
  package var parameters: [String: String] {
    var found: [String: String] = [:]
    for part in query.split(separator: "&") {
      let name = part.prefix { $0 != "=" }
      let value = part.dropFirst(name.count + 1)
      guard let name = name.percentDecoded,
        let value = value.percentDecoded, found[name] == nil
      else { continue }
      found[name] = value
    }
    return found
  }
}

/// An answer.
package struct HTTPResponse: Sendable {
  package var status: HTTPStatus
  package var fields: HTTPFields
  package var body: [UInt8]

  package init(
    _ status: HTTPStatus, _ fields: [(name: String, value: String)] = [], body: [UInt8] = []
  ) {
    (self.status, self.fields, self.body) = (status, HTTPFields(fields), body)
  }

  /// The bytes of the answer, with its length and whether the connection goes on.
  /// - Parameter request: The request; nil for one that could not be read, after which the
  ///   connection is closed.
  /// - Returns: The bytes, without the body for a request of the header alone.
  package func bytes(to request: HTTPRequest?) -> [UInt8] {
    var head = "HTTP/1.1 \(status.code) \(status.phrase)\r\n"
    for (name, value) in fields.all { head += "\(name): \(value)\r\n" }
    if status != .switchingProtocols {
      head += "Content-Length: \(body.count)\r\n"
      head += "Connection: \(request?.keepsAlive == true ? "keep-alive" : "close")\r\n"
    }
    var bytes = Array(head.utf8)
    bytes.reserveCapacity(bytes.count + 2 + body.count)
    bytes += [13, 10]
    return request?.method == "HEAD" ? bytes : bytes + body
  }
}
