/// The settings of a location host.
public struct HostConfiguration: Sendable, Equatable {
  /// The folder for registrations, events, decisions and the last fix; nil stores nothing.
  public var stateFolder: String?
  /// The folder of the policy's files; nil for the standard folder.
  public var policyFolder: String?
  /// True for a host within the program that it serves: requests are handled on the sender's
  /// thread, and no application is started.
  public var isInProcess = false
  /// The limit of monitored applications of one user. Each needs a folder, a file and about 20 KiB
  /// of memory.
  public var mostApplications = 64
  /// The limit of the bytes that the monitoring of one user's applications stores together, as
  /// estimated.
  public var mostStoredBytes = 4 << 20
  /// The program that starts an application's unit, called with the unit, the application and the
  /// uid; nil for systemctl.
  public var launcher: String?
  /// Seconds between two starts of one application; doubled after each start without a client.
  public var launchInterval = 60.0
  /// Seconds after the host's start in which no unit is started for an application that may be
  /// running. Its client tries to connect at least every five seconds. A large value delays events
  /// that were pending before the start.
  public var launchGrace = 10.0

  /// Makes a configuration.
  /// - Parameter stateFolder: The folder for state; nil stores nothing.
  public init(stateFolder: String?) { self.stateFolder = stateFolder }
}
