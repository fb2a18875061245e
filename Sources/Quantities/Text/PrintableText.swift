extension Unicode.Scalar {
  /// True for a scalar that a terminal or a reader of a log takes for a command instead of a
  /// character: the control characters, the line and paragraph separators, and the changes of
  /// direction.
  /// - Source: Unicode 16, chapter 23; UAX 9, table 4.
  package var isControl: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF:
      true
    default: false
    }
  }
}

extension String {
  /// The usual limit of one name or text of a peer in a message, scalars.
  package static var longestPeerText: Int { 80 }
  /// The limit of a whole line of a log or of a message, scalars.
  package static var longestMessage: Int { 2000 }

  /// The text of a peer for one line of a log, a message or a terminal: each control character
  /// becomes a space, and of a longer text the rest becomes "…".
  /// - Parameters:
  ///   - text: The text, of any length.
  ///   - most: The limit of its length, scalars.
  package init(printable text: some StringProtocol, atMost most: Int = longestPeerText) {
    self.init()
    var count = 0
    for scalar in text.unicodeScalars {
      guard count < most else {
        unicodeScalars.append("…")
        return
      }
      unicodeScalars.append(scalar.isControl ? " " : scalar)
      count += 1
    }
  }

  /// The same for bytes that should be UTF-8; others become U+FFFD.
  package init(printable bytes: some Collection<UInt8>, atMost most: Int = longestPeerText) {
    // A scalar has at most four bytes.
    self.init(
      printable: String(decoding: bytes.prefix(4 * (most + 1)), as: UTF8.self), atMost: most)
  }
}
