/// A request about the stored calibrations of a host's board.
public enum ProfileOrder: Codable, Equatable, Sendable {
  /// The stored calibrations, newest first; that of one generation alone where it is given.
  case list(generation: Int?)
  /// Store the content of a file as the newest generation, and use it.
  case store(ProfileContent)
  /// Use an earlier generation again: its copy becomes the newest.
  case rollback(generation: Int)

  /// True where the stored calibrations change.
  public var isChange: Bool { if case .list = self { false } else { true } }
}

/// The content of a calibration file in a message.
public struct ProfileContent: Codable, Equatable, Sendable {
  /// The file's text.
  public var text: String
  /// The file's name, for messages.
  public var name: String
  /// False to accept a profile whose checksum does not match, as after a manual edit.
  public var isChecked: Bool
  /// True to accept a profile of another sensor or board.
  public var mayBeForeign: Bool
  /// The newest generation, from which the content was made, 0 for none: the host refuses the
  /// content after another one; nil where it depends on none.
  public var after: Int?

  /// Makes a content.
  public init(
    text: String, name: String, isChecked: Bool = true, mayBeForeign: Bool = false,
    after: Int? = nil
  ) {
    (self.text, self.name, self.after) = (text, name, after)
    (self.isChecked, self.mayBeForeign) = (isChecked, mayBeForeign)
  }
}

/// The stored calibrations of a host's board, or the one that was stored now.
public struct ProfileReport: Codable, Equatable, Sendable {
  /// A stored calibration.
  public struct Stored: Codable, Equatable, Sendable {
    /// The file at the host.
    public var path: String
    /// The file's text.
    public var text: String

    /// Makes a stored calibration.
    public init(path: String, text: String) { (self.path, self.text) = (path, text) }
  }

  /// The sensor's part number.
  public var part: String
  /// Its bus, if known.
  public var bus: String?
  /// Its address on the bus, if known.
  public var address: Int?
  /// Its name in the kernel's Industrial I/O, if a kernel driver reads it.
  public var iioName: String?
  /// Its serial number, if known.
  public var serial: String?
  /// The board's name.
  public var board: String
  /// The calibrations, newest first.
  public var profiles: [Stored] = []
  /// The files that are not used, each with the reason, and the number of those that a message has
  /// no room for.
  public var refusals: [String] = []
  /// Why the client may not change them; nil where it may.
  public var changeFault: String?

  /// Makes a report without calibrations.
  public init(part: String, board: String) { (self.part, self.board) = (part, board) }
}
