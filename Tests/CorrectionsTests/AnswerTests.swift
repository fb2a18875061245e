import Configuration
import Corrections
import Quantities
import TestSupport
import Testing

@Suite("The answer of a caster", .timeLimit(.minutes(30)))
struct AnswerTests {
  /// Reads a head in pieces of a size.
  private func read(_ text: String, pieces: Int = 1) throws -> (head: NTRIPHead, rest: [UInt8])? {
    var reader = NTRIPHeadReader()
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: pieces) {
      let end = min(start + pieces, bytes.count)
      if let found = try reader.append(bytes[start..<end]) {
        return (found.head, Array(found.rest) + bytes[end...])
      }
    }
    return nil
  }

  @Test(
    "the head is found however it is split, and what follows is not part of it",
    arguments: [
      ("ICY 200 OK\r\n\r\nDATA", NTRIPHead.stream, "\r\nDATA"),
      ("ICY 200 OK\r\nDATA", .stream, "DATA"),
      ("SOURCETABLE 200 OK\r\nServer: x\r\n\r\nSTR;", .table, "Server: x\r\n\r\nSTR;"),
      ("ERROR - Bad Password\r\n", .refusal("ERROR - Bad Password"), ""),
      (
        "HTTP/1.1 200 OK\r\nContent-Type: gnss/data\r\n\r\nDATA",
        .http(status: 200, reason: "OK", fields: ["content-type": "gnss/data"]), "DATA"
      ),
      (
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 404 Not Found\nX:y\n\n",
        .http(status: 404, reason: "Not Found", fields: ["x": "y"]), ""
      ),
    ] as [(String, NTRIPHead, String)])
  func heads(text: String, head: NTRIPHead, rest: String) throws {
    for pieces in [1, 2, 7, 1000] {
      let found = try #require(try read(text, pieces: pieces))
      #expect(found.head == head, "\(pieces)")
      #expect(found.rest == Array(rest.utf8), "\(pieces)")
    }
  }

  @Test(
    "what is no head is refused, and an endless one too",
    arguments: [
      ("<!DOCTYPE html>", CorrectionFault.webPage), ("SSH-2.0-x\r\n", .notNTRIP("SSH-2.0-x")),
      (String(repeating: "x", count: 9000), .notNTRIP(String(repeating: "x", count: 40) + "…")),
      ("HTTP/1.1 200 OK\r\n" + String(repeating: "a: b\r\n", count: 9000), .longHeader),
      ("HTTP/1.1 200 OK\r\na: " + String(repeating: "b", count: 9000), .longHeader),
      ("HTTP/1.1 OK\r\n\r\n", .notNTRIP("HTTP/1.1 OK")),
    ] as [(String, CorrectionFault)])
  func refused(text: String, fault: CorrectionFault) {
    for pieces in [1, 100, 100_000] {
      let thrown = thrownError(CorrectionFault.self) { try read(text, pieces: pieces) }
      #expect(thrown == fault, "\(pieces)")
    }
  }

  @Test("RTCM 3 without a request is recognised")
  func unasked() {
    var reader = NTRIPHeadReader()
    let thrown = thrownError(CorrectionFault.self) {
      _ = try reader.append(ScriptedCaster.frames[0][...])
    }
    #expect(thrown == .sendsUnasked)
  }

  @Test(
    "an answer that is not the stream is a fault with a remedy",
    arguments: [
      ("HTTP/1.1 401 Unauthorized\r\n\r\n", "requires user and password"),
      ("ICY 401 Unauthorized\r\n", "requires user and password"),
      ("HTTP/1.1 403 Forbidden\r\n\r\n", "ask the operator"),
      ("HTTP/1.1 404 Not Found\r\n\r\n", "no mount point 'M' (404)"),
      ("HTTP/1.1 301 Moved\r\nLocation: http://other/\r\n\r\n", "moved to http://other/"),
      ("HTTP/1.1 503 Busy\r\n\r\n", "cannot serve now (503 Busy)"),
      ("HTTP/1.1 400 Bad\r\n\r\n", "version: 1"),
      ("HTTP/1.1 418 Teapot\r\n\r\n", "refuses: '418 Teapot'"),
      ("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n", "web page"),
      ("HTTP/1.1 200 OK\r\nContent-Type: gnss/sourcetable\r\n\r\n", "no mount point 'M'"),
      ("SOURCETABLE 200 OK\r\n", "no mount point 'M'"),
      ("ERROR - Mount Point Taken or Invalid\r\n", "'ERROR - Mount Point Taken or Invalid'"),
    ])
  func faults(text: String, words: String) throws {
    let head = try #require(try read(text)).head
    let thrown = thrownError(CorrectionFault.self) {
      try NTRIPContent(head, for: "M", hasCredentials: false)
    }
    let fault = try #require(thrown)
    #expect(fault.description.contains(words), "\(fault)")
    #expect(!fault.description.contains("\n"))
  }

  @Test(
    "a length that is none is ignored",
    arguments: ["-1", "+5", "99999999999999999999", "0", "", "5"])
  func lengths(text: String) throws {
    let answer = "HTTP/1.1 200 OK\r\nContent-Length: \(text)\r\n\r\n"
    let head = try #require(try read(answer)).head
    let content = try NTRIPContent(head, for: "M", hasCredentials: false)
    #expect(content.length.map { $0 >= 0 } ?? true)
  }

  @Test("a table with more entries than any caster has is refused")
  func longTable() {
    let table = SourceTable(Array(String(repeating: "STR;A\n", count: 30_000).utf8))
    #expect(table.isTooLong && table.streams.count == 20_000)
    let whole = SourceTable(Array("STR;A\r\n\r\nENDSOURCETABLE\r\n".utf8))
    #expect(!whole.isTooLong && whole.isComplete && whole.streams.map(\.mountPoint) == ["A"])
  }

  @Test("chunks are removed however they are split")
  func chunks() throws {
    let text = "4\r\nWiki\r\n5;a=b\r\npedia\r\n00a \r\n0123456789\r\n0\r\nTrailer: x\r\n\r\nafter"
    for pieces in [1, 2, 3, 1000] {
      var (body, chunks) = ([UInt8](), ChunkedBody())
      let bytes = Array(text.utf8)
      for start in stride(from: 0, to: bytes.count, by: pieces) {
        try chunks.append(bytes[start..<min(start + pieces, bytes.count)], to: &body)
      }
      #expect(String(decoding: body, as: UTF8.self) == "Wikipedia0123456789" && chunks.isAtEnd)
    }
  }

  @Test(
    "damaged chunks are refused",
    arguments: [
      "x\r\n", "\r\n", "-1\r\n", "4\r\nWikix", "fffffffff\r\n",
      "1;" + String(repeating: "a", count: 300),
    ])
  func damaged(text: String) {
    var (body, chunks) = ([UInt8](), ChunkedBody())
    let thrown = thrownError(CorrectionFault.self) {
      try chunks.append(Array(text.utf8)[...], to: &body)
    }
    #expect(thrown == .brokenChunks)
  }

  @Test("the list of a caster is read, and the nearest usable station found")
  func table() throws {
    let table = SourceTable(Array(("Server: x\r\n\r\n" + ScriptedCaster.table).utf8))
    #expect(table.isComplete && table.casters == ["caster.example:2101"])
    #expect(table.networks == ["EUREF"])
    #expect(table.streams.map(\.mountPoint) == ["NORTH", "SOUTH", "VRS", "OLD", "QUOTED"])
    let first = try #require(table.streams.first)
    #expect(first.systems == ["GPS", "GLO", "GAL"] && first.carrier == 2 && first.bitRate == 9600)
    #expect(first.country == "NOR" && first.authentication == "B" && !first.hasFee)
    #expect(first.position == GeodeticPosition(latitudeDegrees: 59.91, longitudeDegrees: 10.75))
    #expect(
      table.streams[2].needsPosition && table.streams[2].isOfNetwork && table.streams[2].hasFee)
    let quoted = try #require(table.streams.last)
    #expect(quoted.identifier == "a;b" && quoted.position == nil && quoted.isRTCM3)
    let bern = GeodeticPosition(latitudeDegrees: 47, longitudeDegrees: 7.5)
    #expect(table.nearest(to: bern)?.mountPoint == "SOUTH")
    let oslo = GeodeticPosition(latitudeDegrees: 60, longitudeDegrees: 10)
    #expect(table.nearest(to: oslo)?.mountPoint == "NORTH")
    #expect(SourceTable([]).nearest(to: oslo) == nil)
  }

  @Test("a request has the header of its revision, and the password only encoded")
  func requests() throws {
    let folder = try TemporaryFolder()
    try folder.write("Aladdin:open sesame\n", "/c")
    #expect(chmodded(folder.path + "/c", 0o600))
    let credentials = try NTRIPCredentials(path: folder.path + "/c")
    var request = NTRIPRequest(
      source: NTRIPSource(host: "::1", port: 2102), mountPoint: "BASE", version: .two,
      credentials: credentials, position: Array("$GPGGA,x*00\r\n".utf8))
    // The example of RFC 7617.
    let authorization = "Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==\r\n"
    #expect(
      String(decoding: request.bytes, as: UTF8.self)
        == "GET /BASE HTTP/1.1\r\nHost: [::1]:2102\r\nNtrip-Version: Ntrip/2.0\r\n"
        + "User-Agent: NTRIP Lodestar\r\nAccept: */*\r\nNtrip-GGA: $GPGGA,x*00\r\n"
        + authorization + "Connection: close\r\n\r\n")
    request.version = .one
    request.mountPoint = nil
    #expect(
      String(decoding: request.bytes, as: UTF8.self)
        == "GET / HTTP/1.0\r\nUser-Agent: NTRIP Lodestar\r\n" + authorization + "\r\n")
  }

  @Test("a password that others can read, or that is none, is refused with the remedy")
  func credentials() throws {
    let folder = try TemporaryFolder()
    for (name, text) in [("a", "user:secret"), ("b", "secret"), ("c", ":secret"), ("d", "")] {
      try folder.write(text, "/\(name)")
      #expect(chmodded(folder.path + "/" + name, name == "a" ? 0o644 : 0o640))
    }
    for (name, words) in [
      ("a", "run 'chmod o= \(folder.path)/a'"), ("b", "is not USER:PASSWORD"),
      ("c", "is not USER:PASSWORD"), ("d", "is not USER:PASSWORD"),
      ("e", "No such file or directory"),
    ] {
      let thrown = thrownError(CorrectionFault.self) {
        try NTRIPCredentials(path: folder.path + "/" + name)
      }
      let fault = try #require(thrown, "\(name)")
      #expect(
        fault.description.contains(words) && !fault.description.contains("secret"), "\(fault)")
    }
  }
}
