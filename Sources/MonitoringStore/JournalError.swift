public import CalibrationStore

/// Why a journal could not be opened. One line that names the path and the remedy.
public enum JournalError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kernel refused.
  case file(FileFault)
  /// Another process, or another desk, has it open.
  case busy(path: String)
  /// An application's name that no folder can have.
  case unsuitableName(String)

  /// One line for people.
  public var description: String {
    switch self {
    case .file(let fault): "\(fault)"
    case .busy(let path):
      "\(path): in use by another process of the same application; end it, or give this one another "
        + "application identifier"
    case .unsuitableName(let name):
      "'\(name.prefix(80))': no application identifier; expected 1 to 80 bytes, such as org.example.tracker"
    }
  }
}

/// A file of a journal that was not used.
public struct JournalRefusal: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file.
  public var path: String
  /// What is wrong with it.
  public var reason: String

  /// One line for people.
  public var description: String { "\(path): not used, kept as \(path).refused: \(reason)" }
}
