#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The capabilities of the terminal according to its environment.
public struct TerminalCapability: Equatable, Sendable {
  /// The available characters.
  public var glyphs: GlyphSet
  /// The available colours.
  public var depth: ColourDepth
  /// True if the cursor can be moved: otherwise only plain lines are possible.
  public var addressesCursor: Bool
  /// The background by COLORFGBG; nil where the variable does not say.
  public var background: TerminalBackground?

  /// Derives the capabilities from environment variables.
  /// - Parameter variables: Returns the value of a variable; nil if it is not set.
  /// - Source: POSIX base definitions 8.2 (LC_ALL over LC_CTYPE over LANG); no-color.org.
  public init(variables: (String) -> String?) {
    func isSet(_ name: String) -> String? { variables(name).flatMap { $0.isEmpty ? nil : $0 } }
    let locale = (isSet("LC_ALL") ?? isSet("LC_CTYPE") ?? isSet("LANG") ?? "").lowercased()
    let isUnicode =
      locale.hasSuffix("utf-8") || locale.hasSuffix("utf8") || locale.contains("utf-8@")
      || locale.contains("utf8@")
    let terminal = isSet("TERM") ?? "dumb"
    addressesCursor = terminal != "dumb"
    glyphs = !isUnicode ? .ascii : terminal == "linux" ? .console : .full
    let isColourful =
      terminal.contains("256") || isSet("COLORTERM") != nil || terminal.hasPrefix("xterm-")
    background = TerminalBackground(variable: isSet("COLORFGBG"))
    if isSet("NO_COLOR") != nil || !addressesCursor || terminal.hasPrefix("vt") {
      depth = .none
    } else {
      depth = isColourful ? .indexed : .sixteen
    }
  }

  /// The capability of this process's terminal.
  public static var current: TerminalCapability {
    TerminalCapability { name in getenv(name).map { String(cString: $0) } }
  }
}
