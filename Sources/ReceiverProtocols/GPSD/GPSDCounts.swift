/// Counts of a daemon's objects and lines: they distinguish a receiver without data, a port of
/// another service and damaged lines.
public struct GPSDCounts: Equatable, Sendable {
  /// Decoded objects of any class.
  public internal(set) var accepted: Int64 = 0
  /// Of these, objects of classes without position or heading, such as AIS or PPS.
  public internal(set) var otherClasses: Int64 = 0
  /// Of these, reports of devices that are not in use.
  public internal(set) var otherDevices: Int64 = 0
  /// Of these, reports that added nothing to an earlier report of the same instant.
  public internal(set) var repeated: Int64 = 0
  /// Of these, fixes without a position.
  public internal(set) var withoutPlace: Int64 = 0
  /// Lines that are not JSON, or cut, or have no class.
  public internal(set) var malformed: Int64 = 0
  /// Lines of 10,240 bytes and more.
  public internal(set) var tooLong: Int64 = 0
  /// Values of accepted objects that were null, of another type or impossible.
  public internal(set) var unreadableFields: Int64 = 0
  /// Error messages of the daemon.
  public internal(set) var errors: Int64 = 0

  /// Rejected lines, all causes together.
  public var rejected: Int64 { malformed + tooLong }
}
