/// The appearance of a class: a colour if available, and always a distinct glyph.
extension ErrorClass {
  var role: Role {
    switch self {
    case .good: .good
    case .fair: .caution
    case .poor: .alarm
    case .unknown: .faint
    }
  }

  /// The colour of a word or a figure: unknown values must be readable too.
  var wordRole: Role { self == .unknown ? .plain : role }
}

extension GlyphSet {
  /// The filling of a cell: denser for a better class.
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

  /// The mark of the current heading on a strip.
  var bearingMark: Unicode.Scalar { self == .ascii ? "@" : self == .console ? "■" : "●" }
  /// The mark of the target heading on a strip.
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
