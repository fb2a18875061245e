/// Why the host refuses a request or closes a connection.
public struct HostFault: Error, Codable, Equatable, Sendable, CustomStringConvertible {
  /// The kind of refusal; an unknown word is `other`.
  public var code: Code
  /// One line for the user, with the remedy.
  public var message: String

  /// Kinds of refusal.
  public enum Code: String, CaseIterable, Codable, Sendable {
    /// A line that is not a message of the protocol.
    case malformed
    /// A line or a queue is longer than its limit.
    case tooLong
    /// No common protocol version.
    case version
    /// A message before `hello`, or a second `hello`.
    case order
    /// An invalid application identifier.
    case application
    /// The user may not use the service.
    case access
    /// The limit of clients is reached.
    case tooMany
    /// An unusable calibration.
    case unusable
    /// Executed but not stored: it is lost when the daemon ends, unless the disk becomes writable
    /// before.
    case notKept
    /// The authorization is not decided; the command is sent again after the decision.
    case undecided
    /// No Bluetooth adapter for beacons.
    case bluetooth
    /// No magnetometer, or no board.
    case noSensor
    /// The purpose is not granted.
    case declined
    /// Another program has the application's journal open, such as a second copy of it.
    case inUse
    /// Another reason.
    case other

    /// Reads a word; an unknown word is `other`.
    public init(from decoder: any Decoder) throws {
      let word = try decoder.singleValueContainer().decode(String.self)
      self = Code(rawValue: word) ?? .other
    }
  }

  /// Makes a refusal.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// True if the same request is refused again until a person changes something.
  package var isLasting: Bool { code == .access || code == .bluetooth || code == .tooLong }

  /// One line for the user.
  public var description: String { message }
}
