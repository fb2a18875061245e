/// Where and how the daemon records its source.
public struct RecordingSettings: Sendable, Equatable {
  /// The folder of the recordings; nil to record nothing.
  public var folder: String?
  /// Size from which a new file is begun, MB.
  public var megabytes = 100
  /// Age from which a new file is begun, minutes.
  public var minutes = 60
  /// Number of files that are kept in the folder; older ones are removed.
  public var mostFiles = 24
  /// Whether places and the receiver's bytes are recorded.
  public var hasPosition = true
  /// Space that stays free on the file system, MB.
  public var reserveMegabytes = 500
  /// The program with its version.
  public var program = "lodestar"

  /// Makes settings that record nothing.
  public init() {}
}
