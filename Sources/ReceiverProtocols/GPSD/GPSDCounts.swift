/// What came from a daemon: enough to tell a silent receiver from a stranger's port or a broken line.
public struct GPSDCounts: Equatable, Sendable {
  /// Objects that were taken, of whatever class.
  public internal(set) var accepted: Int64 = 0
  /// Of these, objects of classes that say nothing about place or heading, such as AIS or PPS.
  public internal(set) var otherClasses: Int64 = 0
  /// Of these, reports of devices that are not in use.
  public internal(set) var otherDevices: Int64 = 0
  /// Of these, reports that said nothing that the same instant's had not said before.
  public internal(set) var repeated: Int64 = 0
  /// Of these, fixes without a place.
  public internal(set) var withoutPlace: Int64 = 0
  /// Lines that are not JSON, or cut, or have no class.
  public internal(set) var malformed: Int64 = 0
  /// Lines of 10,240 bytes and more.
  public internal(set) var tooLong: Int64 = 0
  /// Values of accepted objects that were null, of another type or impossible.
  public internal(set) var unreadableFields: Int64 = 0
  /// Complaints of the daemon.
  public internal(set) var errors: Int64 = 0

  /// Lines not taken, all causes together.
  public var rejected: Int64 { malformed + tooLong }
}
