/// Whether a terminal's background is dark or light.
public enum TerminalBackground: Equatable, Sendable {
  /// Darker than half of white.
  case dark
  /// The others.
  case light

  /// By the variable COLORFGBG, such as `15;0`: the number of the background's colour stands last.
  /// - Source: rxvt(1); of the sixteen colours 7 and 9 to 15 are light.
  public init?(variable: String?) {
    guard let last = variable?.split(separator: ";").last, let colour = Int(last),
      (0...15).contains(colour)
    else { return nil }
    self = colour == 7 || colour > 8 ? .light : .dark
  }

  /// By the answer to the question for the background's colour, `ESC ] 11 ; rgb:ffff/ffff/ffff`,
  /// among other bytes.
  /// - Source: xterm control sequences, OSC 11; 1 to 4 hexadecimal digits for each colour.
  public init?(answer: [UInt8]) {
    let text = String(decoding: answer, as: UTF8.self)
    guard let begin = text.firstRange(of: "]11;rgb:") else { return nil }
    let digits = text[begin.upperBound...].prefix { $0.isHexDigit || $0 == "/" }
    let parts = digits.split(separator: "/").map { part in
      Int(part, radix: 16).map { Double($0) / Double((1 << (4 * part.count)) - 1) }
    }
    guard parts.count == 3, let red = parts[0], let green = parts[1], let blue = parts[2] else {
      return nil
    }
    // The weights of the luminance, ITU-R BT.709.
    self = 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.5 ? .light : .dark
  }

  /// Whether a terminal of a type understands the question; the others print it.
  static func isAskable(terminal: String) -> Bool {
    !terminal.isEmpty && terminal != "linux" && terminal != "dumb" && !terminal.hasPrefix("vt")
  }
}

extension Theme {
  /// The theme for a background.
  public init(_ background: TerminalBackground?) {
    self = background == .light ? .daylight : .standard
  }
}
