/// A key of the guided session; its effect depends on the open question.
public enum CalibrationKey: Equatable, Sendable {
  /// `q`: stop without saving.
  case stop
  /// Esc: back, or stop without saving.
  case escape
  /// Ctrl-C or Ctrl-\: stop; pressed twice, at once.
  case interrupt
  /// `s`: save.
  case save
  /// Enter: the likely answer.
  case enter
  /// `u`: discard the last seconds.
  case undo
  /// `r`: start again.
  case restart
  /// `p` or space: pause or continue.
  case pause
  /// `?` or `h`: explain.
  case help
  /// `c`: next colours.
  case colours
  /// `y`: yes.
  case yes
  /// `n`: no.
  case no
  /// Any other key: closes the help.
  case other
}

extension CalibrationKey {
  /// The key of a byte outside a sequence.
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
