import TerminalUI

/// How a class looks: a colour where there is one, and always a glyph of its own.
extension ErrorClass {
  var role: Role {
    switch self {
    case .good: .good
    case .fair: .caution
    case .poor: .alarm
    case .unknown: .faint
    }
  }

  /// The colour of a word or a figure: what is not known must still be read.
  var wordRole: Role { self == .unknown ? .plain : role }
}

extension GlyphSet {
  /// A cell's filling: the better, the denser.
  func filling(_ quality: ErrorClass) -> Unicode.Scalar {
    switch (quality, self) {
    case (.good, .ascii): "#"
    case (.fair, .ascii): "+"
    case (.poor, .ascii): "-"
    case (.unknown, .ascii): ":"
    case (.good, _): "█"
    case (.fair, _): "▓"
    case (.poor, _): "▒"
    case (.unknown, _): "░"
    }
  }

  /// Where the board points now, on a strip.
  var bearingMark: Unicode.Scalar { self == .ascii ? "@" : self == .console ? "■" : "●" }
  /// Where it should point next, on a strip.
  var bearingGoal: Unicode.Scalar { self == .ascii ? "X" : "×" }

  /// An arrow in a sentence.
  func arrow(_ arrow: TurnTarget.Arrow) -> String {
    switch arrow {
    case .forward: self == .ascii ? "^" : "↑"
    case .backward: self == .ascii ? "v" : "↓"
    case .left: self == .ascii ? "<--" : "◄──"
    case .right: self == .ascii ? "-->" : "──►"
    }
  }
}
