import Storage

/// A caster's demand for HTTP's digest authentication, by which the password does not cross the
/// network.
/// - Source: RFC 7616, 3.3 and 3.4; without `qop` as RFC 2069.
package struct DigestChallenge: Equatable, Sendable {
  /// The hash of the answer, the stronger last.
  package enum Algorithm: String, CaseIterable, Sendable {
    case md5 = "MD5"
    case md5Session = "MD5-sess"
    case sha256 = "SHA-256"
    case sha256Session = "SHA-256-sess"

    fileprivate func hash(_ text: String) -> String {
      switch self {
      case .md5, .md5Session: MD5.text(text)
      case .sha256, .sha256Session: SHA256.text(text)
      }
    }
    fileprivate var isOfSession: Bool { self == .md5Session || self == .sha256Session }
  }

  package let realm: String
  package let nonce: String
  package let opaque: String?
  package let algorithm: Algorithm
  /// Whether the caster names its algorithm: the answer names it too then.
  private let namesAlgorithm: Bool
  /// Whether it offers the quality of protection `auth`; else it offers none.
  private let hasQuality: Bool
  /// Whether the password was right but the nonce too old.
  package let isStale: Bool

  /// The strongest of the challenges in the header fields `WWW-Authenticate`, joined by commas; nil
  /// without one that can be answered.
  package init?(_ fields: String) {
    let challenges = Self.digests(fields).compactMap { DigestChallenge($0) }
    let order = Algorithm.allCases
    let strongest = challenges.max {
      (order.firstIndex(of: $0.algorithm) ?? 0) < (order.firstIndex(of: $1.algorithm) ?? 0)
    }
    guard let strongest else { return nil }
    self = strongest
  }

  private init?(_ parameters: [String: String]) {
    guard let realm = parameters["realm"], let nonce = parameters["nonce"] else { return nil }
    (self.realm, self.nonce, opaque) = (realm, nonce, parameters["opaque"])
    let name = parameters["algorithm"]
    namesAlgorithm = name != nil
    guard
      let algorithm = Algorithm.allCases.first(where: {
        $0.rawValue.lowercased() == (name ?? Algorithm.md5.rawValue).lowercased()
      })
    else { return nil }
    self.algorithm = algorithm
    let qualities = parameters["qop"]?.split(separator: ",").map {
      $0.filter { !$0.isWhitespace }.lowercased()
    }
    // `auth-int` alone needs the hash of a body, which a request for a stream has not.
    guard qualities?.contains("auth") ?? true else { return nil }
    hasQuality = qualities != nil
    isStale = parameters["stale"]?.lowercased() == "true"
  }

  /// The value of the header `Authorization`.
  /// - Parameters:
  ///   - user: The name.
  ///   - password: The password.
  ///   - path: The path of the request.
  ///   - clientNonce: A random text, new for each request.
  /// - Returns: The value.
  package func answer(
    user: String, password: String, path: String, clientNonce: String
  ) -> String {
    let count = "00000001"
    var secret = algorithm.hash("\(user):\(realm):\(password)")
    if algorithm.isOfSession { secret = algorithm.hash("\(secret):\(nonce):\(clientNonce)") }
    let request = algorithm.hash("GET:\(path)")
    let quality = hasQuality ? "\(count):\(clientNonce):auth:" : ""
    let response = algorithm.hash("\(secret):\(nonce):\(quality)\(request)")
    var parts = [
      "username=\"\(Self.escaped(user))\"", "realm=\"\(Self.escaped(realm))\"",
      "nonce=\"\(Self.escaped(nonce))\"", "uri=\"\(path)\"", "response=\"\(response)\"",
    ]
    if namesAlgorithm { parts.append("algorithm=\(algorithm.rawValue)") }
    if let opaque { parts.append("opaque=\"\(Self.escaped(opaque))\"") }
    if hasQuality || algorithm.isOfSession { parts.append("cnonce=\"\(clientNonce)\"") }
    if hasQuality { parts += ["qop=auth", "nc=\(count)"] }
    return "Digest " + parts.joined(separator: ", ")
  }

  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { escaped, character in
      if character == "\"" || character == "\\" { escaped.append("\\") }
      escaped.append(character)
    }
  }

  /// The parameters of each challenge of the scheme Digest.
  private static func digests(_ fields: String) -> [[String: String]] {
    var found: [[String: String]] = []
    var isDigest = false
    for item in items(fields) {
      var parameter = item
      // The first parameter of a challenge comes after its scheme and a space.
      let head = item.prefix { $0 != "=" && $0 != "\"" }
      let name = head.lastIndex { !$0.isWhitespace }.map { head[...$0] } ?? head
      if let space = name.firstIndex(where: \.isWhitespace) {
        let scheme = item[..<space]
        isDigest = scheme.lowercased() == "digest"
        if isDigest { found.append([:]) }
        parameter = item[space...].drop(while: \.isWhitespace)
      } else if head.endIndex == item.endIndex {
        // A scheme without parameters.
        isDigest = false
      }
      guard isDigest, let equals = parameter.firstIndex(of: "="), !found.isEmpty else { continue }
      let key = parameter[..<equals].filter { !$0.isWhitespace }.lowercased()
      found[found.count - 1][key] = value(parameter[parameter.index(after: equals)...])
    }
    return found
  }

  /// The parts between commas outside quotes, without surrounding spaces.
  private static func items(_ fields: String) -> [Substring] {
    var (items, start) = ([Substring](), fields.startIndex)
    var (isQuoted, isEscaped) = (false, false)
    for index in fields.indices {
      let character = fields[index]
      if isEscaped {
        isEscaped = false
      } else if isQuoted, character == "\\" {
        isEscaped = true
      } else if character == "\"" {
        isQuoted.toggle()
      } else if character == ",", !isQuoted {
        items.append(fields[start..<index])
        start = fields.index(after: index)
      }
    }
    items.append(fields[start...])
    return items.map { item in
      let front = item.drop(while: \.isWhitespace)
      let end = front.lastIndex { !$0.isWhitespace }.map(front.index(after:)) ?? front.startIndex
      return front[..<end]
    }.filter { !$0.isEmpty }
  }

  /// A token, or the content of a quoted text.
  private static func value(_ text: Substring) -> String {
    let text = text.drop(while: \.isWhitespace)
    guard text.first == "\"" else { return String(text) }
    var (value, isEscaped) = ("", false)
    for character in text.dropFirst() {
      if !isEscaped, character == "\\" {
        isEscaped = true
      } else if !isEscaped, character == "\"" {
        break
      } else {
        value.append(character)
        isEscaped = false
      }
    }
    return value
  }
}
