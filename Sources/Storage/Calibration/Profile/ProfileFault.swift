/// The reason why a text is not a usable profile. The description is part of one line.
public enum ProfileFault: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file cannot be read.
  case unreadable(String)
  /// It is not valid JSON.
  case notJSON(line: Int, column: Int, reason: String)
  /// It is JSON, but not a profile.
  case notProfile(String)
  /// It has a newer version of the format.
  case newerVersion(found: Int, known: Int)
  /// It has no checksum.
  case noChecksum
  /// The content does not match its checksum.
  case wrongChecksum(stated: String, computed: String)
  /// A required key is missing.
  case missing(String)
  /// A value has the wrong type.
  case wrongType(String, expected: String)
  /// A number or word is invalid for a calibration; the text names it with the reason.
  case unsound(String)
  /// It belongs to another sensor or board.
  case foreign(found: ProfileIdentity, expected: ProfileIdentity)

  /// What is wrong, and the remedy if there is one.
  public var description: String {
    switch self {
    case .unreadable(let reason): "it cannot be read: \(reason)"
    case .notJSON(let line, let column, let reason):
      "it is not valid JSON: line \(line), column \(column): \(reason)"
    case .notProfile(let found):
      "it is not a profile: \(found); expected \"format\": \"\(CalibrationProfile.format)\""
    case .newerVersion(let found, let known):
      "it has version \(found) of the format, this program reads \(known) and older: update lodestar"
    case .noChecksum:
      "it has no checksum; if it was written by hand, import it with "
        + "'lodestar calibrate import --unchecked'"
    case .wrongChecksum(let stated, let computed):
      "it is damaged: its checksum is \(stated), that of its content is \(computed); if it was edited by "
        + "hand, import it with 'lodestar calibrate import --unchecked'"
    case .missing(let key): "the key '\(key)' is missing"
    case .wrongType(let key, let expected): "'\(key)' has the wrong type, expected \(expected)"
    case .unsound(let reason): reason
    case .foreign(let found, let expected):
      "it belongs to \(found), this is \(expected)"
    }
  }
}
