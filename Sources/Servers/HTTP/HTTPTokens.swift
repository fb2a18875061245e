import Dispatch
import LinuxIO
import LocationHost
import Observers
import Quantities
import Storage

/// The tokens of requests, and the exchange of one-time codes for tokens.
final class HTTPTokens: Sendable {
  /// The name of the cookie.
  private static let cookie = "lodestar"
  /// The lifetime of the cookie, seconds: browsers allow 400 days.
  private static let cookieLifetime = 400 * 86_400
  /// The least time between two notes of a token's use in this process, seconds.
  private static let noteInterval = 60.0

  private struct State {
    var attempts = AttemptLimit()
    var noted: [String: Timestamp] = [:]
    var notes: RepeatedNotes
    var address: ServedAddress?
    var recovery: Observation?
  }

  private let store: TokenStore
  private let log: HostLog
  private let health: StateHealth
  private let state: Locked<State>
  /// Wait for the disk: changes, and the tokens of requests.
  private let queue = DispatchQueue(label: "lodestar-tokens")
  private let lookups = DispatchQueue(label: "lodestar-token-lookups")

  init(_ context: ServerContext) {
    store = TokenStore(stateFolder: context.stateFolder)
    log = context.log
    health = context.health
    state = Locked(State(notes: RepeatedNotes(log: context.log)))
    let recovery = context.health.observe { [weak self] fault in
      guard fault == nil, let self else { return }
      setAddress(state.withLock { $0.address })
    }
    state.withLock { $0.recovery = recovery }
  }

  /// The answer to a code.
  enum Exchange {
    case token(NewAccessToken)
    case refused(HTTPStatus, String)
  }

  /// Stores where the page is served, for links.
  func setAddress(_ address: ServedAddress?) {
    state.withLock { $0.address = address }
    // It is stored later.
    guard health.fault == nil else { return }
    queue.async { [self] in noting { () throws(TokenFault) in try store.setAddress(address) } }
  }

  /// Looks for the valid token of a request.
  /// - Parameters:
  ///   - request: The request.
  ///   - done: Receives it, nil for none, or the reason why the tokens cannot be read; called at
  ///     once for a request without a token, else on another thread.
  func findToken(
    of request: HTTPRequest, _ done: @escaping @Sendable (Result<AccessToken?, TokenFault>) -> Void
  ) {
    guard let secret = Self.secret(of: request) else { return done(.success(nil)) }
    lookups.async { [self] in
      let found = Result { () throws(TokenFault) in try store.token(of: secret) }
      switch found {
      case .success(let token?): recordUse(token)
      case .success(nil): break
      case .failure(let fault): state.withLock { $0.notes.add("http: \(fault)") }
      }
      done(found)
    }
  }

  /// Whether a token is valid.
  func isValid(_ id: String) -> Bool {
    // A fault of the disk revokes nothing.
    noting { () throws(TokenFault) in try store.token(id: id) != nil } ?? true
  }

  /// Exchanges a code for a token on another thread, which calls `done`.
  func exchange(
    _ code: String, _ request: HTTPRequest, _ done: @escaping @Sendable (Exchange) -> Void
  ) {
    queue.async { [self] in
      let result = Result { () throws(TokenFault) in
        try store.exchange(code, device: Self.device(of: request))
      }
      done(exchange(result, at: request.client))
    }
  }

  private func exchange(
    _ result: Result<NewAccessToken?, TokenFault>, at address: String
  ) -> Exchange {
    switch result {
    case .success(let new?):
      log.notice("http: \(address) has a token now: \(new.token.name) (\(new.token.id))")
      return .token(new)
    case .success(nil):
      let now = MonotonicClock.now
      let isAdmitted = state.withLock { state in
        let isAdmitted = state.attempts.admits(address, at: now)
        if isAdmitted { state.attempts.recordFailure(address, at: now) }
        state.notes.add("http: a wrong, used or expired code of a link was refused")
        return isAdmitted
      }
      // A right code is never refused: others behind the same address may have sent wrong ones.
      guard isAdmitted else {
        return .refused(.tooManyRequests, "too many wrong codes; try again in a minute")
      }
      return .refused(
        .unauthorized, "this code is wrong, used or expired: run 'lodestar token' for a new link")
    case .failure(let fault):
      state.withLock { $0.notes.add("http: no token was made: \(fault)") }
      return .refused(.serviceUnavailable, "\(fault)")
    }
  }

  /// The cookie with a token. Scripts of the page cannot read it, and other sites' pages do not
  /// send it.
  static func cookie(_ new: NewAccessToken, isSecure: Bool) -> String {
    "\(cookie)=\(new.secret); Path=/; Max-Age=\(cookieLifetime); HttpOnly; SameSite=Strict"
      + (isSecure ? "; Secure" : "")
  }

  private static func secret(of request: HTTPRequest) -> String? {
    let bearer = "bearer "
    if let given = request.fields["Authorization"], given.lowercased().hasPrefix(bearer) {
      return String(given.dropFirst(bearer.count))
    }
    let cookies = request.fields.values(of: "Cookie")
    for part in cookies.flatMap({ $0.split(separator: ";") }) {
      let part = part.drop { $0 == " " }
      if part.hasPrefix(cookie + "=") { return String(part.dropFirst(cookie.count + 1)) }
    }
    return nil
  }

  /// The kind of device by its browser's name.
  private static func device(of request: HTTPRequest) -> String {
    let agent = request.fields["User-Agent"] ?? ""
    let known = ["iPhone", "iPad", "Android", "Windows", "Macintosh", "Linux"]
    return known.first { agent.contains($0) } ?? "unnamed"
  }

  private func recordUse(_ token: AccessToken) {
    let now = MonotonicClock.now
    let isDue = state.withLock { state in
      if let last = state.noted[token.id], now.seconds(since: last) < Self.noteInterval {
        return false
      }
      state.noted[token.id] = now
      return true
    }
    guard isDue else { return }
    queue.async { [self] in
      noting { () throws(TokenFault) in try store.recordUse(token, at: SystemClock.reading.utc) }
    }
  }

  /// The result; nil where the tokens cannot be read or written, which is logged.
  @discardableResult
  private func noting<Value>(_ body: () throws(TokenFault) -> Value) -> Value? {
    do throws(TokenFault) {
      return try body()
    } catch {
      state.withLock { $0.notes.add("http: \(error)") }
      return nil
    }
  }
}
