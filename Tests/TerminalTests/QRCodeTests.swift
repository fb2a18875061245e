import Terminal
import Testing

@Suite("A QR code", .timeLimit(.minutes(30)))
struct QRCodeTests {
  @Test("needs a library, and its absence names Debian's package")
  func absent() {
    #expect(throws: QRCodeError.noLibrary("libabsent.so.1")) {
      try QRCode("text", library: "libabsent.so.1")
    }
    #expect("\(QRCodeError.noLibrary(QRCode.library))".contains("libqrencode4"))
  }

  /// Tests/Peers/token-link decodes a code with zbarimg.
  @Test("has its three corners and a light margin, two rows of modules in a line")
  func corners() throws {
    let code: QRCode
    do throws(QRCodeError) {
      code = try QRCode("http://192.168.1.7:8090/#code=0123456789abcdefghjkmnpqrs")
    } catch {
      guard error == .noLibrary(QRCode.library) else { throw error }
      return print("skipped: \(error)")
    }
    let width = code.rows.count
    #expect(width == 29 && code.rows.allSatisfy { $0.count == width })
    let edge = Array(repeating: true, count: 7)
    let corners = [code.rows[0].prefix(7), code.rows[0].suffix(7), code.rows[width - 1].prefix(7)]
    #expect(corners.allSatisfy { Array($0) == edge })
    let lines = code.lines(hasColours: false)
    #expect(lines.count == (width + 9) / 2 && lines.allSatisfy { $0.count == width + 8 })
    #expect(lines[0].allSatisfy { $0 == "█" } && lines[2].hasPrefix("████ ▄▄▄▄▄ █"))
    #expect(code.lines(hasColours: true)[0].hasPrefix("\u{1B}[1;37;40m█"))
  }

  @Test("is refused for a text that does not fit beside a terminal's text")
  func long() {
    do throws(QRCodeError) {
      _ = try QRCode(String(repeating: "x", count: 400))
      Issue.record("a code wider than a terminal")
    } catch {
      #expect(error == .tooLong || error == .noLibrary(QRCode.library))
    }
  }
}
