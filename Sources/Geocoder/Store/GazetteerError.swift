/// Why a look-up of places failed. The description is one line with what to do.
public enum GazetteerError: Error, Equatable, Sendable, CustomStringConvertible {
  /// SQLite, or one of its functions, is not installed.
  case noLibrary(name: String, reason: String)
  /// The file cannot be opened or read.
  case unreadable(source: GazetteerSource, reason: String)
  /// The file is not a gazetteer, or is damaged.
  case damaged(source: GazetteerSource, reason: String)
  /// The file is a gazetteer of another format version.
  case otherFormat(source: GazetteerSource, found: Int, expected: Int)
  /// An SQLite operation failed.
  case failed(source: GazetteerSource, reason: String)

  /// The message for the user, one line.
  public var description: String {
    switch self {
    case .noLibrary(let name, let reason):
      "the geocoder needs SQLite, and \(name) cannot be loaded (\(reason)): "
        + "sudo apt install libsqlite3-0"
    case .unreadable(let source, let reason):
      "\(source): cannot be read: \(reason)"
    case .damaged(let source, let reason):
      "\(source): not a gazetteer, or a damaged one: \(reason); \(Self.remedy)"
    case .otherFormat(let source, let found, let expected):
      "\(source): a gazetteer of format \(found), expected \(expected); \(Self.remedy)"
    case .failed(let source, let reason): "\(source): \(reason)"
    }
  }

  private static let remedy = "make one with Scripts/build-gazetteer"
}
