import Configuration
import Glibc
import LinuxIO
import Quantities
import Terminal

/// Asks for confirmation of a change.
enum Question {
  /// - Returns: True for yes; false for any other answer, and without a terminal.
  static func ask(_ text: String, isYes: Bool) -> Bool {
    if isYes { return true }
    guard StandardStream.input.isTerminal else {
      StandardError.say("\(text) Not done: standard input is no terminal; give --yes.")
      return false
    }
    let prompt = Array("\(text) [y/N] ".utf8)
    _ = prompt.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    return StandardStream.inputLine().map { $0.lowercased().hasPrefix("y") } ?? false
  }
}

extension Board {
  /// Writes the board file after confirmation.
  /// - Returns: False if the answer was no.
  func write(to path: String, isYes: Bool) throws(Failure) -> Bool {
    guard Question.ask("Write this into \(path)?", isYes: isYes) else { return false }
    try write(to: path)
    return true
  }

  /// Writes the board file in place of an existing one.
  func write(to path: String) throws(Failure) {
    do {
      try LinuxFiles().replace(path, with: Array(yaml.utf8), mode: 0o666)
    } catch {
      throw .output("\(path): cannot be written: \(error.reason)")
    }
    StandardError.say("wrote \(path)")
  }
}

extension Angle {
  /// Rounded to a hundredth of a degree, for readable board files.
  var inHundredths: Angle { Angle(degrees: (degrees * 100).rounded() / 100) }
}
