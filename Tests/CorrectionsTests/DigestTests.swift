import Configuration
import Corrections
import Foundation
import LinuxIO
import Quantities
import TestSupport
import Testing

@Suite("Digest authentication at a caster", .timeLimit(.minutes(30)))
struct DigestTests {
  @Test("MD5 of RFC 1321's test suite")
  func md5() {
    for (text, digest) in [
      ("", "d41d8cd98f00b204e9800998ecf8427e"), ("a", "0cc175b9c0f1b6a831c399e269772661"),
      ("abc", "900150983cd24fb0d6963f7d28e17f72"),
      ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
      ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
      (
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
        "d174ab98d277d9f5a5611c2c9f419d9f"
      ),
      (String(repeating: "1234567890", count: 8), "57edf4a22be3c955ac49da2e2107b67a"),
    ] { #expect(MD5.text(text) == digest, "\(text)") }
  }

  private static let nonce = "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v"
  private static func challenge(_ algorithm: String) -> String {
    "Digest realm=\"http-auth@example.org\", qop=\"auth, auth-int\", algorithm=\(algorithm), "
      + "nonce=\"\(nonce)\", opaque=\"FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS\""
  }
  private static func answer(_ fields: String) -> String? {
    DigestChallenge(fields)?.answer(
      user: "Mufasa", password: "Circle of Life", path: "/dir/index.html",
      clientNonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ")
  }
  private static let (md5, sha) = (
    "8ca523f5e9506fed4657c9700eebdbec",
    "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"
  )

  @Test("the answers of RFC 7616, 3.9.1; the strongest algorithm is used")
  func answers() throws {
    let md5 = try #require(Self.answer(Self.challenge("MD5")))
    #expect(md5.contains("response=\"\(Self.md5)\"") && md5.contains("algorithm=MD5, "))
    #expect(md5.contains("qop=auth, nc=00000001") && md5.contains("username=\"Mufasa\""))
    #expect(md5.contains("opaque=\"FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS\""))
    let both =
      "Basic realm=\"x, Digest\", " + Self.challenge("SHA-256") + ", " + Self.challenge("MD5")
    #expect(Self.answer(both)?.contains("response=\"\(Self.sha)\"") == true)
    // RFC 2617, 3.5, where no algorithm is named, and RFC 2069's form without `qop`.
    let older = try #require(
      DigestChallenge(
        "Digest realm=\"testrealm@host.com\",qop=\"auth,auth-int\","
          + "nonce=\"dcd98b7102dd2f0e8b11d0f600bfb0c093\","
          + "opaque=\"5ccc069c403ebaf9f0171e9517f40e41\""))
    let answer = older.answer(
      user: "Mufasa", password: "Circle Of Life", path: "/dir/index.html", clientNonce: "0a4f113b")
    #expect(answer.contains("response=\"6629fae49393a05397450978507c4ef1\""))
    #expect(!answer.contains("algorithm"))
    let oldest = try #require(
      DigestChallenge(
        "Digest realm=\"testrealm@host.com\", nonce=\"dcd98b7102dd2f0e8b11d0f600bfb0c093\""))
    #expect(
      oldest.answer(
        user: "Mufasa", password: "Circle Of Life", path: "/dir/index.html", clientNonce: "x"
      ).contains("response=\"670fd8c2df070c60b045671b8b24ff02\""))
  }

  @Test("other challenges are not answered")
  func others() {
    for text in [
      "", "Basic realm=\"a\"", "Digest", "Digest realm=\"a\"", "Negotiate, Basic realm=\"Digest\"",
      "Digest realm=\"a\", nonce=\"b\", algorithm=SHA-512-256",
      "Digest realm=\"a\", nonce=\"b\", qop=\"auth-int\"", "Digest realm=\"a, nonce=\"b\"",
    ] { #expect(DigestChallenge(text) == nil, "\(text)") }
  }

  /// Runs a session with credentials at a caster that demands digest authentication.
  private func session(
    _ challenges: [String], isRight: @escaping @Sendable (String) -> Bool
  ) throws -> (requests: [String], frames: Int, faults: [CorrectionFault]) {
    let folder = try TemporaryFolder()
    let path = folder.path + "/secret"
    try Data("Mufasa:Circle of Life\n".utf8).write(to: URL(fileURLWithPath: path))
    #expect(chmodded(path, 0o600))
    let caster = try ScriptedCaster { client, request, _ in
      guard isRight(request) else {
        let fields = challenges.map { "WWW-Authenticate: \($0)\r\n" }.joined()
        return client.send("HTTP/1.1 401 Unauthorized\r\n\(fields)Content-Length: 0\r\n\r\n")
      }
      client.send(ScriptedCaster.chunkedHead)
      client.send(ScriptedCaster.chunk(ScriptedCaster.frames[0]))
      _ = client.awaits("\u{0}never")
    }
    defer { caster.stop() }
    // Refused, it waits longer than the test.
    let session = RunningSession(
      .ntrip(caster.source { $0.credentialsPath = path }),
      refusals: RetryDelay(first: 600, longest: 600))
    #expect(eventually { !session.collector.frames.isEmpty || !session.collector.faults.isEmpty })
    #expect(session.stop())
    return (
      caster.requests.withLock { $0 }, session.collector.frames.count, session.collector.faults
    )
  }

  @Test("a caster that demands it is answered, by the stronger of two offers")
  func served() throws {
    let run = try session([Self.challenge("MD5"), Self.challenge("SHA-256")]) {
      $0.contains("Authorization: Digest") && $0.contains("algorithm=SHA-256")
        && $0.contains("uri=\"/BASE\"")
    }
    #expect(run.frames == 1 && run.faults.isEmpty && run.requests.count == 2)
    #expect(run.requests[0].contains("Authorization: Basic"))
  }

  @Test("a wrong password is not tried again and again; a stale number is answered anew")
  func refused() throws {
    let wrong = try session([Self.challenge("MD5")]) { _ in false }
    #expect(wrong.requests.count == 2 && wrong.faults == [.unauthorized(hasCredentials: true)])
    let stale = try session([Self.challenge("MD5") + ", stale=true"]) { _ in false }
    #expect(stale.requests.count == 4 && stale.faults == [.unauthorized(hasCredentials: true)])
  }
}
