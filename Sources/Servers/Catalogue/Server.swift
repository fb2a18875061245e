import Formats
import LinuxIO
import LocationHost

/// What the daemon runs beside its socket: one protocol for programs that do not know Lodestar. A
/// server has a thread of its own or a library's, waits for none of its clients, and receives its
/// data from a `HostFeed`.
protocol Server: Sendable {
  /// Starts to serve; returns at once.
  func start()
  /// Ends within a second and closes the connections.
  func stop()
  /// The ports at which it listens, by their option.
  var ports: [String: Int] { get }
}

extension Server {
  var ports: [String: Int] { [:] }
}

/// What a server uses of the daemon.
struct ServerContext: Sendable {
  let host: LocationHost
  let log: HostLog
  /// The folder of the daemon's state.
  let stateFolder: String
  /// Whether the state can be stored.
  let health: StateHealth
  /// The health of the board.
  let boardHealth: HealthMonitor
  /// What the servers announce.
  let announcements = AnnouncementList()
  /// What outputs without connections have sent, and the directions of the pointing protocols.
  let outputs = OutputCounts()
  /// The one-star alignment of the pointing protocols.
  let alignment: AlignmentStore
  /// What the device of NMEA 2000 counts, for the metrics; nil without one.
  let nmea2000 = Locked<NMEA2000Counts?>(nil)

  init(
    host: LocationHost, log: HostLog, stateFolder: String, health: StateHealth,
    boardHealth: HealthMonitor
  ) {
    (self.host, self.log, self.stateFolder) = (host, log, stateFolder)
    (self.health, self.boardHealth) = (health, boardHealth)
    alignment = AlignmentStore(folder: stateFolder, log: log)
  }
}

/// Why a server cannot start. The daemon logs it and continues without the server.
struct ServerFault: Error, CustomStringConvertible {
  /// One line: what failed, on what, why, what to do.
  let description: String

  /// The fault of a port that another program has.
  /// - Parameters:
  ///   - port: The port.
  ///   - server: The server's name.
  ///   - effect: What is missing without the port.
  ///   - option: The option or key that chooses another port.
  /// - Returns: The fault, which names the owner where the kernel shows it.
  static func taken(port: Int, of server: String, effect: String, option: String) -> ServerFault {
    let owner = PortOwner.name(of: port) ?? "another program"
    return ServerFault(
      description: "\(server): port \(port) is in use by \(owner): \(effect); "
        + "stop that program, or choose another port with \(option)")
  }
}

/// One server of the catalogue: its keys, its part of the configuration, and how it is made.
struct ServerKind {
  /// The name in messages.
  let name: String
  /// The keys of the daemon's file.
  let keys: [ServeKey]
  /// True where two configurations have equal settings for this server.
  let isEqual: (ServeConfiguration, ServeConfiguration) -> Bool
  /// Makes the server, which listens already but does not serve yet; nil if the configuration does
  /// not request it.
  let make: (ServeConfiguration, ServerContext) throws(ServerFault) -> (any Server)?

  init<Settings: Equatable>(
    _ name: String, _ settings: KeyPath<ServeConfiguration, Settings>, keys: [ServeKey],
    make: @escaping (Settings, ServerContext) throws(ServerFault) -> (any Server)?
  ) {
    (self.name, self.keys) = (name, keys)
    isEqual = { $0[keyPath: settings] == $1[keyPath: settings] }
    self.make = { (configuration, context) throws(ServerFault) in
      try make(configuration[keyPath: settings], context)
    }
  }
}
