import Terminal
import Testing

@Suite(.timeLimit(.minutes(30))) struct TerminalCapabilityTests {
  private func capability(_ variables: [String: String]) -> TerminalCapability {
    TerminalCapability { variables[$0] }
  }

  @Test("A modern terminal has Braille and 256 colours")
  func modern() {
    let found = capability(["TERM": "xterm-256color", "LANG": "sv_SE.UTF-8"])
    #expect(found.glyphs == .full && found.depth == .indexed && found.addressesCursor)
  }

  @Test("The Linux console has neither")
  func console() {
    let found = capability(["TERM": "linux", "LANG": "C.UTF-8"])
    #expect(found.glyphs == .console && found.depth == .sixteen)
  }

  @Test("LC_ALL wins over LANG, and an empty value counts as none")
  func locale() {
    #expect(
      capability(["TERM": "xterm", "LC_ALL": "C", "LANG": "en_GB.UTF-8"]).glyphs == .ascii)
    #expect(capability(["TERM": "xterm", "LC_ALL": "", "LANG": "en_GB.utf8"]).glyphs == .full)
    #expect(capability(["TERM": "xterm"]).glyphs == .ascii)
    #expect(capability(["TERM": "xterm", "LANG": "ca_ES.UTF-8@valencia"]).glyphs == .full)
  }

  @Test("NO_COLOR and a dumb terminal disable colours")
  func noColour() {
    #expect(capability(["TERM": "xterm-256color", "NO_COLOR": "1"]).depth == .none)
    #expect(capability(["TERM": "xterm-256color", "NO_COLOR": ""]).depth == .indexed)
    let dumb = capability(["TERM": "dumb", "LANG": "C.UTF-8"])
    #expect(dumb.depth == .none && !dumb.addressesCursor)
    #expect(!capability([:]).addressesCursor)
  }
}
