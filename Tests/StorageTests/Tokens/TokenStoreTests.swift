import Foundation
import LinuxIO
import Quantities
import Storage
import TestSupport
import Testing

@Suite("The store of tokens", .timeLimit(.minutes(30)))
struct TokenStoreTests {
  private static let start = Timestamp(nanoseconds: 1_000_000_000)
  private let folder: TemporaryFolder
  private let store: TokenStore

  init() throws {
    folder = try TemporaryFolder()
    store = TokenStore(stateFolder: folder.path)
  }

  private func exchange(_ code: String, after seconds: Double = 0) throws -> NewAccessToken? {
    try store.exchange(code, device: "Android", now: Self.start.advanced(bySeconds: seconds))
  }

  @Test("a code gives one token, whose secret is valid until it is revoked")
  func life() throws {
    let code = try store.makeCode(name: "phone", now: Self.start)
    #expect(code.count == 26)
    let new = try #require(try exchange(code))
    #expect(new.token.name == "phone" && new.secret.count == 52)
    #expect(try exchange(code) == nil)
    #expect(try store.token(of: new.secret) == new.token)
    #expect(try store.token(of: new.secret + "x") == nil)
    #expect(try store.revoke("another") == [])
    #expect(try store.revoke(new.token.id) == [new.token])
    #expect(try store.token(of: new.secret) == nil)
    #expect(try store.token(id: new.token.id) == nil)
  }

  @Test("a code is valid for ten minutes, and not after a restart of the machine")
  func expiry() throws {
    let codes = try (0..<3).map { _ in try store.makeCode(now: Self.start) }
    #expect(try exchange(codes[0], after: 599) != nil)
    #expect(try exchange(codes[1], after: 601) == nil)
    let later = TokenStore(stateFolder: folder.path, boot: "another")
    #expect(try later.exchange(codes[2], device: "", now: Self.start) == nil)
  }

  @Test("a code may be typed with capitals, spaces, and letters for the digits that look like them")
  func typed() throws {
    let code = try store.makeCode(now: Self.start)
    let typed = code.uppercased().replacing("0", with: "O").replacing("1", with: "l")
    #expect(try exchange(typed.prefix(13) + " - " + typed.dropFirst(13)) != nil)
  }

  @Test("the file is its user's alone and has no secret in it")
  func file() throws {
    let code = try store.makeCode(name: "phone", now: Self.start)
    let before = try LinuxFiles().text(of: store.path)
    let new = try #require(try exchange(code))
    let after = try LinuxFiles().text(of: store.path)
    #expect(!before.contains(code) && !after.contains(new.secret))
    #expect(before.contains(SHA256.text(code)) && after.contains(SHA256.text(new.secret)))
    let attributes = try FileManager.default.attributesOfItem(atPath: store.path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test("codes and tokens have limits, and names are printable")
  func limits() throws {
    let codes = try (0..<17).map { _ in try store.makeCode(name: "a\u{1B}[2Jb", now: Self.start) }
    #expect(try exchange(codes[0]) == nil)
    let first = try #require(try exchange(codes[1]))
    #expect(!first.token.name.unicodeScalars.contains("\u{1B}"))
    while try store.tokens().count < 64 { _ = try exchange(try store.makeCode(now: Self.start)) }
    #expect(throws: TokenFault.full(64)) { try store.makeCode() }
    #expect(try store.revoke(nil).count == 64)
    #expect(try store.tokens().isEmpty && exchange(codes[16]) == nil)
  }

  @Test("a use is stored at most once an hour")
  func use() throws {
    let new = try #require(try exchange(try store.makeCode(now: Self.start)))
    let noon = try #require(UTCTime(iso8601: "2026-11-23T12:00:00Z"))
    try store.recordUse(new.token, at: noon)
    var token = try #require(try store.tokens().first)
    #expect(token.used == "2026-11-23T12:00:00Z")
    try store.recordUse(token, at: noon.advanced(bySeconds: 3500))
    #expect(try store.tokens() == [token])
    try store.recordUse(token, at: noon.advanced(bySeconds: 3700))
    token = try #require(try store.tokens().first)
    #expect(token.used == "2026-11-23T13:01:40Z")
  }

  @Test("a damaged file is an error with the remedy, and is not replaced")
  func damage() throws {
    try Data("{".utf8).write(to: URL(fileURLWithPath: store.path))
    #expect(throws: TokenFault.damaged(path: store.path)) { try store.makeCode() }
    #expect(throws: TokenFault.damaged(path: store.path)) { try store.token(of: "") }
    #expect("\(TokenFault.damaged(path: store.path))".contains("remove the file"))
    #expect(try LinuxFiles().text(of: store.path) == "{")
  }

  @Test("two programs change the file in turn")
  func turns() async throws {
    let path = folder.path
    let made = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<4 {
        group.addTask {
          let store = TokenStore(stateFolder: path)
          for _ in 0..<4 { _ = try store.makeCode(now: Self.start) }
          return 4
        }
      }
      return try await group.reduce(0, +)
    }
    // All are valid: none was lost by two writers at once.
    let text = try LinuxFiles().text(of: store.path)
    #expect(made == 16 && text.split(separator: "\"hash\"").count == 17)
  }

  @Test(
    "a token that a browser has received survives a power cut, and a used code is never valid again"
  )
  func powerCut() throws {
    for seed in 0..<20 as Range<UInt64> {
      for lasting in 0...12 {
        let disk = SimulatedDisk(seed: seed)
        try disk.makeFolder("/state", mode: 0o700)
        try disk.syncFolder("/")
        let store = TokenStore(stateFolder: "/state", files: disk)
        let code = try store.makeCode(now: Self.start)
        disk.powerLastsFor = disk.count + lasting
        var new: NewAccessToken?
        do throws(TokenFault) {
          new = try store.exchange(code, device: "", now: Self.start)
        } catch {
          // The browser has received nothing.
        }
        disk.cutPower()
        let tokens = try store.tokens()
        let isValid = try store.exchange(code, device: "", now: Self.start) != nil
        #expect(isValid == tokens.isEmpty, "\(seed) \(lasting)")
        if let new { #expect(tokens == [new.token], "\(seed) \(lasting)") }
      }
    }
  }
}
