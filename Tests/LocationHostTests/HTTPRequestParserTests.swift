import Servers
import TestSupport
import Testing

@Suite("Requests of HTTP", .timeLimit(.minutes(30)))
struct HTTPRequestParserTests {
  /// The requests of a text in pieces of some bytes.
  private static func read(
    _ text: String, piece: Int = .max
  ) throws(HTTPRefusal) -> [HTTPRequest] {
    try read(Array(text.utf8), piece: piece)
  }

  private static func read(
    _ bytes: [UInt8], piece: Int = .max
  ) throws(HTTPRefusal) -> [HTTPRequest] {
    var parser = HTTPRequestParser()
    var requests: [HTTPRequest] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      parser.append(rest.prefix(piece))
      rest = rest.dropFirst(piece)
      while let request = try parser.next() { requests.append(request) }
    }
    return requests
  }

  private static func status(_ text: String) -> Int? {
    thrownError(HTTPRefusal.self) { try read(text) }?.status.code
  }

  private static let post = "POST /a HTTP/1.1\r\nHost: a\r\n"

  @Test("requests are read in any pieces, one after the other", arguments: [1, 2, 3, 7, 1000])
  func pieces(piece: Int) throws {
    let text =
      "GET /a/b?x=1%202&y HTTP/1.1\r\nHost: boat:8090\r\nX-A:  one two\t\r\n\r\n\r\n"
      + "POST /c HTTP/1.1\r\nHost: boat\r\ncontent-length: 5\r\n\r\nhello"
      + "POST /d HTTP/1.1\r\nHost: boat\r\nTransfer-Encoding: Chunked\r\n\r\n"
      + "3;name=\"value\"\r\nabc\r\n00A\r\n0123456789\r\n0\r\nTrailer: 1\r\n\r\n"
      + "HEAD http://other:80?z HTTP/1.0\r\n\r\n"
    let requests = try Self.read(text, piece: piece)
    #expect(requests.map(\.method) == ["GET", "POST", "POST", "HEAD"])
    #expect(requests.map(\.path) == ["/a/b", "/c", "/d", "/"])
    #expect(requests.map(\.host) == ["boat:8090", "boat", "boat", "other:80"])
    #expect(requests[0].parameters == ["x": "1 2", "y": ""])
    #expect(requests[0].fields["x-a"] == "one two")
    #expect(
      requests.map { String(decoding: $0.body, as: UTF8.self) } == [
        "", "hello", "abc0123456789", "",
      ])
    #expect(requests.map(\.keepsAlive) == [true, true, true, false])
  }

  @Test("letters that only Unicode knows to be equal are other letters")
  func unicodeCase() {
    #expect(Self.status(Self.post + "Transfer-Encoding: chun\u{212A}ed\r\n\r\n") == 501)
  }

  @Test("the connection goes on by version and field")
  func keepsAlive() throws {
    func keeps(_ version: String, _ field: String) throws -> Bool? {
      try Self.read("GET / HTTP/\(version)\r\nHost: a\r\n\(field)\r\n").first?.keepsAlive
    }
    #expect(try keeps("1.1", "") == true && keeps("1.0", "") == false)
    #expect(try keeps("1.1", "Connection: a , Close\r\n") == false)
    #expect(try keeps("1.0", "Connection: Keep-Alive\r\n") == true)
  }

  @Test(
    "a request that two programs could read differently is refused",
    arguments: [
      "GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", "GET / HTTP/1.1\r\nHost : a\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n", "GET / HTTP/1.1\r\n Host: a\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: a\rb\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nX: \0\r\n\r\n",
      "GET / HTTP/1.1\nHost: a\n\n", "GET / HTTP/1.1\r\nHost: a\r\nX: \u{1}\r\n\r\n",
      "GET /\0 HTTP/1.1\r\n", "GET / a HTTP/1.1\r\n", "GET  / HTTP/1.1\r\n", "GET /\r\n",
      "GET a HTTP/1.1\r\n", "GET * HTTP/1.1\r\n", "OPTIONS ?a HTTP/1.1\r\n",
      "OPTIONS a HTTP/1.1\r\n", "CONNECT  HTTP/1.1\r\n", "G(T / HTTP/1.1\r\n",
      "GET / HTTP/1.1 \r\n",
      "GET / http/1.1\r\n", "GET / HTTP/1\r\n", "GET /\u{E9} HTTP/1.1\r\n", "\r\n\r\n\r\n",
      "GET / HTTP/1.1\r\n: a\r\n", "GET / HTTP/1.1\r\nno colon\r\n",
      post + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n",
      post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n",
      "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n",
    ])
  func ambiguous(text: String) { #expect(Self.status(text) == 400) }

  @Test(
    "a length that is no number, or two of them, is refused at once",
    arguments: [
      "9223372036854775808", "99999999999999999999999", "-1", "+5", "0x10", "5 ", "", "5,5", "five",
      "5\r\nContent-Length: 6", "5\r\nContent-Length: 5",
    ])
  func lengths(length: String) {
    // A space at the end belongs to no value.
    let status = Self.status(Self.post + "Content-Length: \(length)\r\n\r\n")
    #expect(status == (length == "5 " ? nil : 400))
  }

  @Test(
    "garbage in a chunked body is refused",
    arguments: [
      "x\r\n", "\r\n", "-1\r\n", "0x1\r\n", " 1\r\na\r\n", "1 \r\na\r\n", "1\na\n", "1\r\nabc\r\n",
      "1\r\na\n", "0\r\nno colon\r\n", "0\r\n folded\r\n", ";a\r\n",
    ])
  func chunks(body: String) {
    #expect(Self.status(Self.post + "Transfer-Encoding: chunked\r\n\r\n\(body)") == 400)
  }

  @Test("what is too long is refused before it has arrived")
  func limits() throws {
    let chunked = "Transfer-Encoding: chunked\r\n\r\n"
    #expect(Self.status(Self.post + "Content-Length: 16384\r\n\r\n") == 413)
    #expect(Self.status(Self.post + "Content-Length: 9223372036854775807\r\n\r\n") == 413)
    #expect(Self.status(Self.post + chunked + "4000\r\n") == 413)
    #expect(Self.status(Self.post + chunked + "ffffffffffffffffffffffffffff\r\n") == 413)
    let small = String(repeating: "1\r\na\r\n", count: 3000)
    #expect(Self.status(Self.post + chunked + small) == 413)
    #expect(Self.status("GET /" + String(repeating: "a", count: 8192)) == 414)
    #expect(Self.status(Self.post + "A: " + String(repeating: "a", count: 16_384)) == 431)
    let field = "A: a\r\n"
    #expect(Self.status(Self.post + String(repeating: field, count: 100)) == 431)
    #expect(Self.status(Self.post + String(repeating: field, count: 99)) == nil)
    #expect(
      Self.status(Self.post + chunked + "0\r\n" + String(repeating: field, count: 101)) == 431)
    let head = Self.post + "Content-Length: 10000\r\n\r\n"
    let long = try Self.read(head + String(repeating: "a", count: 10_000), piece: 4096)
    #expect(long.first?.body.count == 10_000)
  }

  @Test("other versions, codings and expectations have a status of their own")
  func others() {
    #expect(Self.status("GET / HTTP/2.0\r\n") == 505)
    #expect(Self.status(Self.post + "Transfer-Encoding: gzip, chunked\r\n\r\n") == 501)
    #expect(Self.status(Self.post + "Expect: magic\r\n\r\n") == 417)
  }
}
