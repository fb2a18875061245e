extension StringProtocol {
  /// The text without white space and line ends at its begin and end.
  package var trimmed: SubSequence {
    var text = self[...].drop { $0.isWhitespace }
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
