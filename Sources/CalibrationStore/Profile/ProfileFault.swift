/// Why a text is not a profile that can be used. The description is part of one line.
public enum ProfileFault: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file cannot be read.
  case unreadable(String)
  /// It is not valid JSON.
  case notJSON(line: Int, column: Int, reason: String)
  /// It is JSON, but another thing's.
  case notProfile(String)
  /// A newer program wrote it in a way that this one does not know.
  case newerVersion(found: Int, known: Int)
  /// It has no checksum.
  case noChecksum
  /// It is not what was written.
  case wrongChecksum(stated: String, computed: String)
  /// A key that it must have is not there.
  case missing(String)
  /// A key holds another thing than it should.
  case wrongType(String, expected: String)
  /// A number or word is none that a calibration can have; the text says which and why.
  case unsound(String)
  /// It belongs to another sensor or board.
  case foreign(found: ProfileIdentity, expected: ProfileIdentity)

  /// What is wrong, and what to do where there is something to do.
  public var description: String {
    switch self {
    case .unreadable(let reason): "it cannot be read: \(reason)"
    case .notJSON(let line, let column, let reason):
      "it is not valid JSON: line \(line), column \(column): \(reason)"
    case .notProfile(let found):
      "it is no profile: \(found); expected \"format\": \"\(CalibrationProfile.format)\""
    case .newerVersion(let found, let known):
      "it has version \(found) of the format, this program knows \(known) and older: update lodestar"
    case .noChecksum:
      "it has no checksum; if it was written by hand, take it in with "
        + "'lodestar calibrate import --unchecked'"
    case .wrongChecksum(let stated, let computed):
      "it is damaged: its checksum is \(stated), its content gives \(computed); if it was edited by "
        + "hand, take it in with 'lodestar calibrate import --unchecked'"
    case .missing(let key): "the key '\(key)' is missing"
    case .wrongType(let key, let expected): "'\(key)' has the wrong type, expected \(expected)"
    case .unsound(let reason): reason
    case .foreign(let found, let expected):
      "it belongs to \(found), this is \(expected)"
    }
  }
}
