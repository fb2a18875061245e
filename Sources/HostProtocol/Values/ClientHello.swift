/// Who a client is: the first thing that it says.
public struct ClientHello: Codable, Equatable, Sendable {
  /// The newest version of the protocol that it speaks.
  public var version: Int
  /// The application: what policy, monitoring and relaunch go by, together with the user.
  public var application: String
  /// The program, for people.
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
