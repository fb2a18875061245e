/// A scanner's report on the beacons of a pattern that it scans for.
public struct BeaconReport: Equatable, Sendable {
  /// The pattern of the scan, from `ApplicationMonitor.beaconPatterns`.
  public var pattern: BeaconPattern
  /// False where no beacon of the pattern is received any more.
  public var isPresent: Bool
  /// The received beacon; nil where the scanner does not name it.
  public var heard: BeaconPattern?
  /// True where beacons cannot be received now; `isPresent` then says nothing.
  public var isUnavailable = false

  /// Makes a report.
  public init(pattern: BeaconPattern, isPresent: Bool, heard: BeaconPattern? = nil) {
    (self.pattern, self.isPresent, self.heard) = (pattern, isPresent, heard)
  }

  /// A report that beacons of a pattern cannot be received.
  public static func unavailable(_ pattern: BeaconPattern) -> BeaconReport {
    var report = BeaconReport(pattern: pattern, isPresent: false)
    report.isUnavailable = true
    return report
  }
}
