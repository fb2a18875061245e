import Quantities

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A standard stream of this process: whether it may receive colours and control sequences is
/// decided here.
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

  /// Reads a line of standard input. The standard library's `readLine` holds a lock for which
  /// `exit` waits, so that a signal could not end a program at a question.
  /// - Returns: The line without its end; nil at the end of the input.
  public static func inputLine() -> String? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while true {
      let count = read(input.rawValue, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self) }
      if byte == UInt8(ascii: "\n") { break }
      bytes.append(byte)
    }
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

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
