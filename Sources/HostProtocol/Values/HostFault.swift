/// Why the daemon refuses something, or why a connection ended.
public struct HostFault: Error, Codable, Equatable, Sendable, CustomStringConvertible {
  /// What kind of refusal it is; one that is not known is `other`.
  public var code: Code
  /// One line for people, with the remedy.
  public var message: String

  /// What kinds of refusal there are.
  public enum Code: String, Codable, Sendable {
    /// A line that is none of the protocol's.
    case malformed
    /// A line or a queue that is longer than it may be.
    case tooLong
    /// No version in common.
    case version
    /// A message before `hello`, or a second `hello`.
    case order
    /// A text that cannot name an application.
    case application
    /// The user may not use the service.
    case access
    /// As many clients as may be are there.
    case tooMany
    /// A calibration that cannot be used.
    case unusable
    /// Something that was done and not kept: it lasts until the daemon's end, and is kept once the disk takes it.
    case notKept
    /// The authorization has not been decided; the command is sent again once it is.
    case undecided
    /// No Bluetooth adapter can receive beacons.
    case bluetooth
    /// There is no magnetometer, or no board.
    case noSensor
    /// The purpose is not granted.
    case declined
    /// Something else.
    case other

    /// Reads a word; one that is not known is `other`.
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

  /// One line for people.
  public var description: String { message }
}
