/// Why the places cannot be looked up. The description is one line that says what to do.
public enum GazetteerError: Error, Equatable, Sendable, CustomStringConvertible {
  /// SQLite, or a function of its, is not on this machine.
  case noLibrary(name: String, reason: String)
  /// The file cannot be opened or read.
  case unreadable(source: GazetteerSource, reason: String)
  /// The file is no gazetteer, or a damaged one.
  case damaged(source: GazetteerSource, reason: String)
  /// The file is a gazetteer that another version of this program wrote.
  case otherFormat(source: GazetteerSource, found: Int, expected: Int)
  /// SQLite could not do it.
  case failed(source: GazetteerSource, reason: String)

  /// One line for people.
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
