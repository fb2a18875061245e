/// What a key asks for; what comes of it depends on what is being asked.
public enum CalibrationKey: Equatable, Sendable {
  /// `q`: stop without saving.
  case stop
  /// Esc: back, or stop without saving.
  case escape
  /// Ctrl-C or Ctrl-\: stop; a second time at once.
  case interrupt
  /// `s`: save.
  case save
  /// Enter: the likely answer.
  case enter
  /// `u`: throw the last seconds away.
  case undo
  /// `r`: start again.
  case restart
  /// `p` or space: pause or go on.
  case pause
  /// `?` or `h`: explain.
  case help
  /// `c`: other colours.
  case colours
  /// `y`: yes.
  case yes
  /// `n`: no.
  case no
  /// Any other: closes the help, else nothing.
  case other
}

extension CalibrationKey {
  /// The key of a byte that is no part of a sequence.
  init(byte: UInt8) {
    // Letters mean the same with and without shift.
    let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    self =
      switch isCapital ? byte | 0x20 : byte {
      case UInt8(ascii: "q"): .stop
      case 3, 28: .interrupt
      case UInt8(ascii: "s"): .save
      case UInt8(ascii: "\r"), UInt8(ascii: "\n"): .enter
      case UInt8(ascii: "u"): .undo
      case UInt8(ascii: "r"): .restart
      case UInt8(ascii: "p"), UInt8(ascii: " "): .pause
      case UInt8(ascii: "?"), UInt8(ascii: "h"): .help
      case UInt8(ascii: "c"): .colours
      case UInt8(ascii: "y"): .yes
      case UInt8(ascii: "n"): .no
      default: .other
      }
  }
}
