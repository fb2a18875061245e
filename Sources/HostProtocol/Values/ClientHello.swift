/// A client's identification, its first message.
public struct ClientHello: Codable, Equatable, Sendable {
  /// The newest protocol version that the client supports.
  public var version: Int
  /// The identifier by which policy, monitoring and launch identify the application, together with
  /// the user.
  public var application: String
  /// The program's name, for messages.
  public var client: String
  /// The process.
  public var pid: Int32

  /// Makes a hello of the current version.
  public init(
    application: String, client: String, pid: Int32, version: Int = HostProtocolVersion.current
  ) {
    self.version = version
    self.application = application
    self.client = client
    self.pid = pid
  }
}
