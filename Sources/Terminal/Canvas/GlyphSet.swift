/// The characters that a terminal can show.
public enum GlyphSet: Equatable, Sendable {
  /// ASCII only.
  case ascii
  /// The fonts of the Linux console: boxes, blocks and a few signs, but no Braille.
  case console
  /// Braille too, for finer drawings.
  case full

  /// The mark of the lubber line above a card.
  var lubber: Unicode.Scalar { self == .ascii ? "v" : "▼" }
  /// The course over ground on a card.
  var courseMark: Unicode.Scalar { self == .ascii ? "*" : self == .console ? "■" : "◆" }
  /// A dot of a ring.
  package var dot: Unicode.Scalar { self == .ascii ? "." : "·" }
  /// A horizontal line.
  package var horizontal: Unicode.Scalar { self == .ascii ? "-" : "─" }
  /// A vertical line.
  package var vertical: Unicode.Scalar { self == .ascii ? "|" : "│" }
  /// The middle of a scale.
  var middle: Unicode.Scalar { self == .ascii ? "|" : "┼" }
  /// A short tick that hangs from a card.
  var shortTick: Unicode.Scalar { self == .ascii ? "'" : self == .console ? "·" : "╵" }
  /// The lubber line across a card.
  var lubberLine: Unicode.Scalar { self == .ascii ? "|" : self == .console ? "█" : "┃" }
  /// The part of a needle that points north.
  var needle: Unicode.Scalar { self == .ascii ? "#" : "█" }
  /// The part of a bar that is reached.
  var bar: Unicode.Scalar { self == .ascii ? "=" : "━" }
  /// The ball of a level.
  var ball: Unicode.Scalar { self == .ascii ? "O" : self == .console ? "█" : "●" }
  /// Points left.
  var left: Unicode.Scalar { self == .ascii ? "<" : "◄" }
  /// Points right.
  var right: Unicode.Scalar { self == .ascii ? ">" : "►" }
  /// Points up.
  var up: String { self == .ascii ? "^" : "↑" }
  /// Points down.
  var down: String { self == .ascii ? "v" : "↓" }
}
