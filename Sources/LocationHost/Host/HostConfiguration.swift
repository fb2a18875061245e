/// How a location host works.
public struct HostConfiguration: Sendable, Equatable {
  /// Where registrations, events, decisions and the last fix are stored; nil stores nothing.
  public var stateFolder: String?
  /// Where the policy's files are; nil for the standard folder.
  public var policyFolder: String?
  /// True for a host within the program that it serves: requests are handled on the thread that sends them, and no
  /// application is started.
  public var isInProcess = false
  /// Applications of one user that may be monitored for: each costs a folder, a file and about 20 KiB of memory.
  public var mostApplications = 64
  /// What starts an application's unit: called with the unit, the application and the uid. nil for systemctl.
  public var launcher: String?
  /// Seconds between two starts of one application; twice as long after each that brought no client.
  public var launchInterval = 60.0
  /// Seconds after the host's start in which no application is started that may be running: its client tries again
  /// every five seconds at least. Large: an event of before the start waits longer.
  public var launchGrace = 10.0

  /// Makes a configuration.
  /// - Parameter stateFolder: Where state is stored; nil stores nothing.
  public init(stateFolder: String?) { self.stateFolder = stateFolder }
}
