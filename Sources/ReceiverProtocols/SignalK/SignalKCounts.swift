/// Counts of a Signal K server's messages and updates: they distinguish a server without a receiver,
/// a port of another service and damaged lines.
public struct SignalKCounts: Equatable, Sendable {
  /// Decoded messages of any kind.
  public internal(set) var accepted: Int64 = 0
  /// Of these, messages about other vessels.
  public internal(set) var otherVessels: Int64 = 0
  /// Messages about a vessel that came before the server has named its own.
  public internal(set) var unknownVessels: Int64 = 0
  /// Updates of this program's own values, which are not used.
  public internal(set) var own: Int64 = 0
  /// Updates of sources that are not in use, and of further ones than are stored.
  public internal(set) var otherSources: Int64 = 0
  /// Updates that added nothing to an earlier one of the same instant.
  public internal(set) var repeated: Int64 = 0
  /// Lines and messages that are not JSON, or cut.
  public internal(set) var malformed: Int64 = 0
  /// Lines that are too long.
  public internal(set) var tooLong: Int64 = 0
  /// Values of accepted messages that were of another type or impossible.
  public internal(set) var unreadableFields: Int64 = 0

  /// Rejected lines, all causes together.
  public var rejected: Int64 { malformed + tooLong }
}
