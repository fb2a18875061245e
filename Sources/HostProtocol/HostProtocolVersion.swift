/// The versions of the socket's protocol.
public enum HostProtocolVersion {
  /// The newest version that this code supports. It increases when an older reader would
  /// misinterpret a message; a new key or message type, which older readers ignore, does not change
  /// it.
  public static let current = 1
  /// The oldest version that this code supports.
  public static let oldest = 1

  /// The version to use with a peer whose newest version is `theirs`.
  /// - Returns: nil if there is no common version.
  public static func common(with theirs: Int) -> Int? {
    theirs < oldest ? nil : min(theirs, current)
  }
}

/// The greatest length of a line in bytes, without its end. It limits the memory that a peer can
/// use.
public enum LineLimit {
  /// From a client. A polygon of 2000 corners fits.
  public static let request = 256 * 1024
  /// From the daemon. The registrations of an application with 20 of the longest requests fit.
  public static let reply = 8 * 1024 * 1024
}
