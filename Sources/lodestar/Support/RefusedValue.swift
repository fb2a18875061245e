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
      let reason = newest.withLock({ $0 }) ?? decimalComma(in: message)
    else { return message }
    var lines = message.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    lines[0] += ": \(reason)"
    return lines.joined(separator: "\n")
  }

  /// The advice for one number with a decimal comma.
  private static func decimalComma(in message: String) -> String? {
    guard let value = message.firstMatch(of: /The value '(-?[0-9]+),([0-9]+)' is invalid/) else {
      return nil
    }
    return "write a decimal point: \(value.1).\(value.2)"
  }
}
