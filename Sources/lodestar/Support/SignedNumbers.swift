import ArgumentParser
import Quantities

/// Allows negative numbers as arguments without `--`.
///
/// The parser treats every word with a leading `-` as an option. The sign of a number is therefore
/// replaced by U+2212 before parsing; `SignedNumber` reads it.
enum SignedNumbers {
  static let minus: Character = "\u{2212}"

  static func shielded(_ arguments: [String]) -> [String] {
    arguments.map { argument in
      guard argument.first == "-", let second = argument.dropFirst().first,
        second.isASCII, second.isNumber || second == "."
      else { return argument }
      return String(minus) + argument.dropFirst()
    }
  }

  /// The argument as typed.
  static func restored(_ argument: String) -> String {
    argument.first == minus ? "-" + argument.dropFirst() : argument
  }

  /// A message of the parser with the numbers as typed.
  static func restored(in text: String) -> String { String(text.map { $0 == minus ? "-" : $0 }) }
}

/// A finite number on the command line, of either sign.
struct SignedNumber: ExpressibleByArgument {
  let value: Double

  init(_ value: Double) { self.value = value }

  init?(argument: String) {
    guard let value = Double(SignedNumbers.restored(argument)), value.isFinite else {
      RefusedValue.explain("expected a number such as -12.5, with a decimal point")
      return nil
    }
    self.value = value
  }

  /// The number in the help text.
  var defaultValueDescription: String {
    value == value.rounded() ? "\(Int(bounded: value))" : "\(value)"
  }
}
