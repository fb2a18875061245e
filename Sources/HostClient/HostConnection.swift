import HostProtocol

/// A host in this process. Clients exchange messages with it as values, without a socket.
public protocol InProcessHost: AnyObject, Sendable {
  /// Connects a client.
  /// - Parameter deliver: Receives every message of the host, on any thread, until the connection
  ///   is closed.
  /// - Returns: The connection; its first message must be `hello`.
  func connect(_ deliver: @escaping @Sendable (HostMessage) -> Void) -> any HostConnection
}

/// One client's connection to a host in this process.
public protocol HostConnection: AnyObject, Sendable {
  /// Handles a message. Responses that need no disk access are delivered before it returns.
  func send(_ message: ClientMessage)
  /// Closes the connection, with the same effect as closing a socket.
  func close()
}
