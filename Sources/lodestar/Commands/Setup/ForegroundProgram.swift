import FoundationEssentials
import LinuxIO

/// A program that has the terminal to itself until it ends.
///
/// It is in this program's process group: in one of its own, in the background of the terminal, it
/// would be stopped (SIGTTOU) when it sets the terminal's modes.
enum ForegroundProgram {
  /// Runs a program, which is searched for in `PATH`, to its end.
  /// - Returns: Its exit status; 127 where it is not installed, 128 and the signal's number where a
  ///   signal ended it.
  static func run(_ words: [String]) -> Int32 {
    guard let name = words.first else { return 127 }
    let places =
      name.contains("/")
      ? [name]
      : InstalledProgram.places(of: name, environment: ProcessInfo.processInfo.environment)
    guard let path = places.first(where: InstalledProgram.exists) else { return 127 }
    let child = ChildProcess()
    child.executableURL = URL(fileURLWithPath: path)
    child.arguments = Array(words.dropFirst())
    child.hasOwnGroup = false
    do { try child.run() } catch { return 127 }
    child.waitUntilExit()
    return child.terminationReason == .exit
      ? child.terminationStatus : 128 + child.terminationStatus
  }
}
