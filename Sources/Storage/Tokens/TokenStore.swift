import FoundationEssentials
import Glibc
import JSON
import LinuxIO
import Quantities

#if canImport(Glibc)
  import Glibc
#endif

/// The tokens and one-time codes of a daemon in a file of its state folder, with hashes only. The
/// daemon and the command `lodestar token` change it under a lock; each change is on the medium
/// when it returns.
package final class TokenStore: Sendable {
  /// The version of the file's format, and the newest that is read.
  static let version = 1
  /// The lifetime of a code, seconds: time to fetch a phone.
  package static let codeLifetime = 600.0
  /// Random bits of a code, and of a token's secret.
  private static let (codeBits, secretBits, idBits) = (128, 256, 30)
  /// Limits of the codes, of which the oldest is dropped, and of the tokens.
  private static let (mostCodes, mostTokens) = (16, 64)
  /// The longest name, characters.
  private static let longestName = 40
  /// Timeout of the lock, and the interval of its attempts, seconds.
  private static let (lockTimeout, lockInterval) = (2.0, 0.005)
  /// The least time between two stored uses of a token, seconds: a memory card wears.
  private static let useInterval = 3600.0

  /// A one-time code. Its end is a time since the start of the machine, which no setting of the
  /// clock changes.
  private struct Code: Codable, Equatable {
    var hash: String
    var name: String
    var boot: String
    var endNanoseconds: UInt64
  }

  private struct Content: Codable, Equatable {
    /// Absent in the first files.
    var version: Int? = TokenStore.version
    var address: ServedAddress?
    var tokens: [AccessToken] = []
    var codes: [Code] = []
  }

  /// What changes with each replacement of the file.
  private struct Mark: Equatable {
    var inode: UInt64
    var seconds: Int
    var nanoseconds: Int
  }

  /// The path of the file.
  package let path: String
  private let files: any FileOperations
  private let boot: String
  private let cache = Locked<(mark: Mark, content: Content)?>(nil)

  /// Uses the tokens of a state folder.
  /// - Parameters:
  ///   - stateFolder: The folder, which exists before a change.
  ///   - files: The file system.
  ///   - boot: Identifies the start of the machine.
  package init(
    stateFolder: String, files: any FileOperations = LinuxFiles(),
    boot: String = TokenStore.thisBoot
  ) {
    path = stateFolder + "/tokens.json"
    (self.files, self.boot) = (files, boot)
  }

  /// The kernel's identifier of this start of the machine; empty where it is hidden.
  /// - Source: random(4), /proc/sys/kernel/random/boot_id.
  package static var thisBoot: String {
    SystemFiles.line(of: "/proc/sys/kernel/random/boot_id") ?? ""
  }

  // MARK: Changes

  /// Makes a one-time code for a token.
  /// - Parameters:
  ///   - name: The token's name; empty for the kind of device.
  ///   - now: The present.
  /// - Returns: The code.
  /// - Throws: `TokenFault`, also where there are too many tokens.
  package func makeCode(
    name: String = "", now: Timestamp = MonotonicClock.now
  ) throws(TokenFault) -> String {
    let code = SecretText.random(bits: Self.codeBits)
    try change { content throws(TokenFault) in
      guard content.tokens.count < Self.mostTokens else { throw .full(Self.mostTokens) }
      content.codes = content.codes.filter { isValid($0, now) }.suffix(Self.mostCodes - 1)
      content.codes.append(
        Code(
          hash: SHA256.text(code), name: String(printable: name, atMost: Self.longestName),
          boot: boot, endNanoseconds: now.advanced(bySeconds: Self.codeLifetime).nanoseconds))
    }
    return code
  }

  /// Uses a code up for a token.
  /// - Parameters:
  ///   - code: The code as it was typed.
  ///   - device: The token's name where the code has none.
  ///   - now: The present, by the clock since the start of the machine.
  ///   - utc: The present by the machine's clock.
  /// - Returns: nil for a code that is unknown, used or expired.
  /// - Throws: `TokenFault`, also where there are too many tokens; the code is then still valid.
  package func exchange(
    _ code: String, device: String, now: Timestamp = MonotonicClock.now,
    utc: UTCTime = SystemClock.reading.utc
  ) throws(TokenFault) -> NewAccessToken? {
    let hash = SHA256.text(SecretText.normal(code))
    // Without a write: a wrong code costs no wear of the medium.
    guard try read().codes.contains(where: { $0.hash == hash && isValid($0, now) }) else {
      return nil
    }
    return try change { content throws(TokenFault) in
      guard let found = content.codes.firstIndex(where: { $0.hash == hash && isValid($0, now) })
      else { return nil }
      guard content.tokens.count < Self.mostTokens else { throw .full(Self.mostTokens) }
      let code = content.codes.remove(at: found)
      let secret = SecretText.random(bits: Self.secretBits)
      var id: String
      repeat {
        id = SecretText.random(bits: Self.idBits)
      } while content.tokens.contains { $0.id == id }
      let token = AccessToken(
        id: id,
        name: code.name.isEmpty ? String(printable: device, atMost: Self.longestName) : code.name,
        hash: SHA256.text(secret), created: utc.text(decimals: 0))
      content.tokens.append(token)
      return NewAccessToken(token: token, secret: secret)
    }
  }

  /// Removes a token, or all with the codes that are not used yet.
  /// - Parameter id: The token's; nil for all.
  /// - Returns: The removed tokens.
  /// - Throws: `TokenFault`; no token is removed then.
  package func revoke(_ id: String?) throws(TokenFault) -> [AccessToken] {
    try change { content throws(TokenFault) in
      let removed = content.tokens.filter { id == nil || $0.id == id }
      content.tokens.removeAll { id == nil || $0.id == id }
      if id == nil { content.codes = [] }
      return removed
    }
  }

  /// Stores a use of a token, unless a recent one is stored.
  package func recordUse(_ token: AccessToken, at utc: UTCTime) throws(TokenFault) {
    if let text = token.used, let stored = UTCTime(iso8601: text),
      abs(utc.seconds(since: stored)) < Self.useInterval
    {
      return
    }
    try change { content throws(TokenFault) in
      guard let index = content.tokens.firstIndex(where: { $0.id == token.id }) else { return }
      content.tokens[index].used = utc.text(decimals: 0)
    }
  }

  /// Stores where the web page is served; nil for nowhere.
  package func setAddress(_ address: ServedAddress?) throws(TokenFault) {
    guard try read().address != address else { return }
    try change { content throws(TokenFault) in content.address = address }
  }

  // MARK: Reading

  /// The tokens, in the order of their creation.
  package func tokens() throws(TokenFault) -> [AccessToken] { try read().tokens }

  /// Where the web page was served last; nil if it never was.
  package func address() throws(TokenFault) -> ServedAddress? { try read().address }

  /// The token with a secret; nil for none. The file is read only after a change.
  package func token(of secret: String) throws(TokenFault) -> AccessToken? {
    let hash = SHA256.text(secret)
    return try current().tokens.first { $0.hash == hash }
  }

  /// The token with an identifier; nil where it was revoked. The file is read only after a change.
  package func token(id: String) throws(TokenFault) -> AccessToken? {
    try current().tokens.first { $0.id == id }
  }

  private func current() throws(TokenFault) -> Content {
    var status = stat()
    guard stat(path, &status) == 0 else { return try read() }
    let mark = Mark(
      inode: UInt64(status.st_ino), seconds: status.st_mtim.tv_sec,
      nanoseconds: status.st_mtim.tv_nsec)
    if let known = cache.withLock({ $0 }), known.mark == mark { return known.content }
    let content = try read()
    cache.withLock { $0 = (mark, content) }
    return content
  }

  private func isValid(_ code: Code, _ now: Timestamp) -> Bool {
    // A hardened unit may hide the identifier: then the end must be near.
    let isSameBoot = code.boot == boot || code.boot.isEmpty || boot.isEmpty
    return isSameBoot && now.nanoseconds < code.endNanoseconds
      && now.advanced(bySeconds: Self.codeLifetime).nanoseconds >= code.endNanoseconds
  }

  private func read() throws(TokenFault) -> Content {
    let bytes: [UInt8]
    do throws(FileFault) {
      bytes = try files.content(of: path)
    } catch {
      if error.isAbsence { return Content() }
      throw .file(error)
    }
    if let version = StateVersion.newer(bytes, known: Self.version) {
      throw .newer(path: path, version: version)
    }
    do {
      try JSONText.check(bytes)
      return try JSONDecoder().decode(Content.self, from: Data(bytes))
    } catch {
      throw .damaged(path: path)
    }
  }

  /// Changes the file under its lock.
  private func change<Value>(
    _ body: (inout Content) throws(TokenFault) -> Value
  ) throws(TokenFault) -> Value {
    let lock = try lock()
    defer { files.unlock(lock) }
    let before = try read()
    var content = before
    let value = try body(&content)
    content.version = Self.version
    guard content != before else { return value }
    let bytes: Data
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
      bytes = try encoder.encode(content)
    } catch {
      throw .damaged(path: path)
    }
    do throws(FileFault) {
      try files.replace(path, with: Array(bytes), mode: 0o600)
    } catch {
      throw .file(error)
    }
    return value
  }

  private func lock() throws(TokenFault) -> Int32 {
    let deadline = MonotonicClock.now.advanced(bySeconds: Self.lockTimeout)
    do throws(FileFault) {
      while true {
        if let lock = try files.lock(path + ".lock") { return lock }
        let now = MonotonicClock.now
        guard now < deadline else { break }
        MonotonicClock.sleep(until: now.advanced(bySeconds: Self.lockInterval))
      }
    } catch {
      throw .file(error)
    }
    throw .busy(path: path)
  }
}
