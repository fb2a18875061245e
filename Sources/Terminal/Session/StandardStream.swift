import Quantities

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A standard stream of this process: whether it may receive colours and control sequences is decided here.
public enum StandardStream: Int32, Sendable {
  /// Standard input.
  case input = 0
  /// Standard output.
  case output = 1
  /// Standard error.
  case errors = 2

  /// True if a person is at the stream.
  public var isTerminal: Bool { isatty(rawValue) == 1 }

  /// The colours of the stream: none without a terminal, with `NO_COLOR` or with `TERM=dumb`.
  public var depth: ColourDepth { isTerminal ? TerminalCapability.current.depth : .none }

  /// True if the cursor may be moved: at a terminal that is not dumb.
  public var addressesCursor: Bool { isTerminal && TerminalCapability.current.addressesCursor }

  /// Replaces the current line; does nothing where the cursor must not be moved.
  /// - Parameter text: The new text, without a line end; empty to remove the line.
  public func replaceLine(_ text: String) {
    guard addressesCursor else { return }
    // - Source: ECMA-48, 8.3.41 (EL): to the end of the line.
    var line = "\r\(String(printable: text, atMost: String.longestMessage))\u{1B}[K"
    // A failure to write a progress line cannot be reported.
    line.withUTF8 { bytes in
      if let base = bytes.baseAddress { _ = writeBytes(rawValue, base, bytes.count) }
    }
  }
}
