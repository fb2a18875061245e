/// A host in this process, which clients reach without a socket and without encoding.
public protocol InProcessHost: AnyObject, Sendable {
  /// Connects a client.
  /// - Parameter deliver: Receives every message of the host, from any thread, until the connection is closed.
  /// - Returns: The connection; the first message has to be `hello`.
  func connect(_ deliver: @escaping @Sendable (HostMessage) -> Void) -> any HostConnection
}

/// One client's connection to a host in this process.
public protocol HostConnection: AnyObject, Sendable {
  /// Handles a message. Answers that need no disk of the host are delivered before it returns.
  func send(_ message: ClientMessage)
  /// Ends the connection, as the end of a socket does.
  func close()
}
