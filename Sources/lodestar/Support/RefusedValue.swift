import LinuxIO

/// Why the newest value of the command line was refused, with an example: the parser itself names
/// only the value and its option.
enum RefusedValue {
  private static let newest = Locked<String?>(nil)

  /// Stores the reason, before an initializer returns nil.
  static func explain(_ reason: String) { newest.withLock { $0 = reason } }

  /// A message of the parser with the reason, where it is about a value.
  static func complete(_ message: String) -> String {
    guard message.contains("is invalid for"),
      !message.contains("Please provide one of"),
      let reason = newest.withLock({ $0 }) ?? number(in: message)
    else { return message }
    var lines = message.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    lines[0] += ": \(reason)"
    return lines.joined(separator: "\n")
  }

  /// What is wrong with a value where a number was expected: other values explain themselves.
  private static func number(in message: String) -> String? {
    guard let match = message.firstMatch(of: /The value '([^']*)' is invalid/) else { return nil }
    let value = match.1
    if let comma = value.wholeMatch(of: /(-?[0-9]+),([0-9]+)/) {
      return "write a decimal point: \(comma.1).\(comma.2)"
    }
    if let number = Double(value) {
      return number < 0 ? "expected a number that is not negative" : "expected a whole number"
    }
    if let unit = value.wholeMatch(of: /([0-9.]+) ?([^0-9.]+)/) {
      return "expected a number without '\(unit.2)': \(unit.1)"
    }
    return "expected a number"
  }
}
