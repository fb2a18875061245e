/// What a scanner says of the beacons of a pattern that it listens for.
public struct BeaconReport: Equatable, Sendable {
  /// The pattern that was listened for, as `ApplicationMonitor.beaconPatterns` has it.
  public var pattern: BeaconPattern
  /// False where none of them is heard any more.
  public var isPresent: Bool
  /// The beacon that was heard; nil where the scanner does not say.
  public var heard: BeaconPattern?

  /// Makes a report.
  public init(pattern: BeaconPattern, isPresent: Bool, heard: BeaconPattern? = nil) {
    (self.pattern, self.isPresent, self.heard) = (pattern, isPresent, heard)
  }
}
