/// What both ends of the socket agree upon before a word is said.
public enum HostProtocolVersion {
  /// The version that this code speaks. It grows where an older reader would misunderstand; what an older
  /// reader may leave aside (a new key, a new type of message) does not change it.
  public static let current = 1
  /// The oldest version that this code understands.
  public static let oldest = 1

  /// The version to speak with somebody who speaks up to `theirs`.
  /// - Returns: nil where there is none in common.
  public static func common(with theirs: Int) -> Int? {
    theirs < oldest ? nil : min(theirs, current)
  }
}

/// What a line may measure, in bytes without its end: memory is bounded whatever the other end sends.
public enum LineLimit {
  /// From a client. A polygon of 2000 corners fits.
  public static let request = 256 * 1024
  /// From the daemon. The registrations of an application with 20 of the longest requests fit.
  public static let reply = 8 * 1024 * 1024
}
