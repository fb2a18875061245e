import ArgumentParser

/// Lets negative numbers stand among arguments without `--`.
///
/// The parser takes what begins with `-` for an option. A number is therefore shielded before parsing by
/// the minus sign that typographers use, and read back by `SignedNumber`.
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

  /// What the user typed.
  static func restored(_ argument: String) -> String {
    argument.first == minus ? "-" + argument.dropFirst() : argument
  }
}

/// A finite number of the command line, of either sign.
struct SignedNumber: ExpressibleByArgument {
  let value: Double

  init(_ value: Double) { self.value = value }

  init?(argument: String) {
    guard let value = Double(SignedNumbers.restored(argument)), value.isFinite else { return nil }
    self.value = value
  }

  /// As it stands in the help.
  var defaultValueDescription: String { value == value.rounded() ? "\(Int(value))" : "\(value)" }
}
