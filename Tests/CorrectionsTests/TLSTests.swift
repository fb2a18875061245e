import Configuration
import Corrections
import Foundation
import LinuxIO
import TestSupport
import Testing

private let openssl = BuiltProgram.installed("openssl")
private let hasCurl: Bool = {
  do {
    _ = try CurlLibrary()
    return true
  } catch {
    return false
  }
}()

/// A caster of one answer behind TLS: `openssl s_server` sends what it reads.
private final class TLSCaster {
  let port: Int
  /// Its certificate, for `localhost` alone.
  let certificate: String
  private let process = ChildProcess()
  private let input = Pipe()
  private let folder: TemporaryFolder

  init(_ answer: [UInt8]) throws {
    let openssl = try #require(openssl)
    folder = try TemporaryFolder()
    certificate = folder.path + "/certificate"
    let key = folder.path + "/key"
    let made = try openssl.run([
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
      "-keyout", key, "-out", certificate, "-days", "2", "-subj", "/CN=localhost", "-addext",
      "subjectAltName=DNS:localhost",
    ])
    #expect(made.status == 0, "\(made.errors)")
    port = try #require(try StreamListener(host: "127.0.0.1", port: 0).port)
    process.executableURL = URL(fileURLWithPath: openssl.path)
    process.arguments = [
      "s_server", "-quiet", "-accept", "\(port)", "-key", key, "-cert", certificate,
    ]
    process.standardInput = input
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.start()
    try input.fileHandleForWriting.write(contentsOf: Data(answer))
  }

  deinit {
    process.terminate()
    process.waitOrKill()
  }

  func source(_ host: String, trusted: Bool) -> NTRIPSource {
    var source = NTRIPSource(
      host: host, port: port, isEncrypted: true, mountPoint: .named("BASE"))
    source.certificatesPath = trusted ? certificate : nil
    return source
  }
}

@Suite(
  "A caster with TLS", .enabled(if: openssl != nil && hasCurl, "openssl or libcurl is absent"),
  .timeLimit(.minutes(30)))
struct TLSTests {
  private func fault(_ source: NTRIPSource, until holds: (String) -> Bool) -> Bool {
    let session = RunningSession(.ntrip(source))
    defer { #expect(session.stop()) }
    let isFound = eventually { session.collector.faults.contains { holds("\($0)") } }
    if !isFound { Issue.record("\(session.collector.faults)") }
    return isFound
  }

  @Test("the stream comes through TLS")
  func encrypted() throws {
    let caster = try TLSCaster(
      Array(ScriptedCaster.chunkedHead.utf8)
        + ScriptedCaster.frames.flatMap { ScriptedCaster.chunk($0) })
    let session = RunningSession(.ntrip(caster.source("localhost", trusted: true)))
    #expect(eventually { session.collector.frames == ScriptedCaster.frames })
    #expect(session.stop())
  }

  @Test("a certificate that is not trusted, or of another name, ends the attempt")
  func untrusted() throws {
    let caster = try TLSCaster([])
    #expect(
      fault(caster.source("localhost", trusted: false)) {
        $0.contains("certificate is not trusted") && $0.contains("name a file")
      })
    #expect(
      fault(caster.source("127.0.0.1", trusted: true)) {
        $0.contains("certificate is not trusted")
      })
    var missing = caster.source("localhost", trusted: true)
    missing.certificatesPath = "/nowhere/c.pem"
    #expect(fault(missing) { $0.contains("/nowhere/c.pem, cannot be read") })
  }

  @Test("a caster without TLS is named as such, and so is a closed port")
  func plain() throws {
    let server = try ScriptedServer { client, _ in client.send("ICY 200 OK\r\n") }
    defer { server.stop() }
    var source = NTRIPSource(
      host: "127.0.0.1", port: Int(server.port), isEncrypted: true, mountPoint: .named("BASE"))
    #expect(fault(source) { $0.contains("check that the server uses TLS at this port") })
    source.port = try #require(try StreamListener(host: "127.0.0.1", port: 0).port)
    #expect(fault(source) { $0.contains("connection refused") })
  }
}
