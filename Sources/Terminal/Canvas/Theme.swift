/// The role of a piece of the screen; a theme assigns its colour.
package enum Role: UInt8, CaseIterable, Sendable {
  /// A value, in the terminal's own foreground.
  case plain
  /// The name of a value, and its unit.
  case label
  /// Background lines and marks.
  case faint
  /// An emphasised mark.
  case strong
  /// The heading itself and its lubber line.
  case accent
  /// North.
  case north
  /// The course over ground.
  case course
  /// A good state.
  case good
  /// A state that needs attention.
  case caution
  /// A state in which the figures are unreliable.
  case alarm
  /// The banner of simulated figures.
  case banner
}

/// The number of colours of a terminal.
public enum ColourDepth: Equatable, Sendable {
  /// No colours and no escape sequences.
  case none
  /// The sixteen standard colours.
  case sixteen
  /// The 256 colours of xterm's palette.
  case indexed
}

/// A set of colours for the compass screen.
public enum Theme: CaseIterable, Sendable {
  /// For a dark background, and readable on a light one.
  case standard
  /// For a light background or a screen in the sun.
  case daylight
  /// Red on black, for night vision.
  case night

  /// The parameters of the colours behind and of a plain character; empty where they are the
  /// terminal's own. Red or black on the wrong background would be unreadable.
  package func ground(depth: ColourDepth) -> String {
    switch (self, depth) {
    case (.standard, _), (_, .none): ""
    case (.daylight, .sixteen): "30;47"
    case (.daylight, .indexed): "38;5;16;48;5;231"
    case (.night, .sixteen): "31;40"
    case (.night, .indexed): "38;5;196;48;5;16"
    }
  }

  /// The parameters of the escape sequence that selects a role's colours.
  ///
  /// - Source: ECMA-48, 8.3.117 (SGR); 38;5;n and 48;5;n are xterm's 256 colour palette.
  package func graphicRendition(_ role: Role, depth: ColourDepth) -> String {
    switch depth {
    case .none: ""
    case .sixteen: sixteen(role)
    case .indexed: indexed(role)
    }
  }

  /// A text in a role's colours, with a reset after it; the text itself where the role has none.
  package func text(_ text: String, _ role: Role, depth: ColourDepth) -> String {
    let colours = graphicRendition(role, depth: depth)
    return colours.isEmpty ? text : "\u{1B}[\(colours)m\(text)\u{1B}[0m"
  }

  private func sixteen(_ role: Role) -> String {
    if self == .night { return role == .banner ? "1;7;31" : isBright(role) ? "1;31" : "31" }
    return switch role {
    case .plain: ""
    // Bright black is unreadable in several palettes; plain text beside fainter text is readable.
    case .label, .faint: self == .daylight ? "" : "37"
    case .strong: "1"
    case .accent: self == .daylight ? "1;34" : "1;36"
    case .north, .alarm: "1;31"
    case .course, .good: "32"
    case .caution: self == .daylight ? "35" : "33"
    case .banner: "1;30;43"
    }
  }

  private func indexed(_ role: Role) -> String {
    switch self {
    case .standard:
      switch role {
      case .plain: ""
      case .label: "38;5;246"
      case .faint: "38;5;240"
      case .strong: "1"
      case .accent: "1;38;5;80"
      case .north: "1;38;5;203"
      case .course, .good: "38;5;114"
      case .caution: "38;5;221"
      case .alarm: "1;38;5;203"
      case .banner: "1;38;5;16;48;5;220"
      }
    case .daylight:
      switch role {
      case .plain: ""
      case .label: "38;5;240"
      case .faint: "38;5;246"
      case .strong: "1"
      case .accent: "1;38;5;25"
      case .north: "1;38;5;160"
      case .course, .good: "38;5;28"
      case .caution: "38;5;130"
      case .alarm: "1;38;5;160"
      case .banner: "1;38;5;16;48;5;220"
      }
    case .night:
      switch role {
      // Only the brightest red has a contrast of 4.5 to black; lighter reds emphasise.
      case .plain, .course, .good, .label: "38;5;196"
      case .faint: "38;5;88"
      case .strong, .accent, .north, .caution, .alarm: "1;38;5;203"
      case .banner: "1;38;5;16;48;5;196"
      }
    }
  }

  private func isBright(_ role: Role) -> Bool {
    switch role {
    case .strong, .accent, .north, .caution, .alarm, .banner: true
    case .plain, .label, .faint, .course, .good: false
    }
  }

  /// The next theme, for the colour key.
  public var next: Theme {
    switch self {
    case .standard: .daylight
    case .daylight: .night
    case .night: .standard
    }
  }
}
