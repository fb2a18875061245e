import LocationHost

/// The configuration of the daemon's server; the source is configured separately.
public struct ServeConfiguration: Sendable, Equatable {
  /// The path of the socket.
  public var socketPath: String
  /// The folder for registrations, events, decisions and the last fix.
  public var stateFolder: String
  /// The mode of the socket file, as for `chmod`. With 0o666 every user may connect, and the policy
  /// decides.
  public var socketMode: UInt32 = 0o660
  /// The group of the socket; nil for the daemon's own.
  public var socketGroup: String?
  /// Limit of connected clients: each needs a file descriptor and usually 10 KiB of memory. Of one
  /// user three quarters, of one application half of it.
  public var mostClients = 64
  /// Limit of the requests in progress of one application; of one user four times. At the limit
  /// nothing more is read from its clients.
  public var mostRequests = 64
  /// Limit of the bytes of messages that are queued for one application, without estimates and
  /// samples; of one user twice. At the limit nothing more is read from its clients; above three
  /// times the limit the slowest is disconnected.
  public var mostQueuedBytes = 2 << 20
  /// Limit of monitored applications of one user: each needs a folder, a file and 20 KiB of memory.
  public var mostApplications = 64
  /// Limit of the bytes that the monitoring of one user's applications stores together, as
  /// estimated.
  public var mostStoredBytes = 4 << 20
  /// The program that starts an application's unit, with the arguments unit, application and uid;
  /// nil for systemctl.
  public var launcher: String?
  /// Seconds between two starts of one application; doubled after each start without a connection.
  public var launchInterval = 60.0
  /// Seconds after the daemon's start in which no application is started that may be running:
  /// clients reconnect after 5 s at most. Large values delay the launch for events from before the
  /// start.
  public var launchGrace = 10.0
  /// The recording of the source.
  public var recording = RecordingSettings()
  /// gpsd's protocol.
  public var gpsd = StreamAddress()
  /// The announcement of ports in the network.
  public var announcements = AnnouncementSettings()
  /// The compass of desktops.
  public var sensorProxy = SensorProxySettings()
  /// NMEA 0183 sentences.
  public var nmea = NMEASettings()
  /// JSON by datagrams.
  public var json = JSONSettings()
  /// GDL 90 for flight bags.
  public var gdl90 = GDL90Settings()
  /// MAVLink for autopilots.
  public var mavlink = MAVLinkSettings()
  /// The device of NMEA 2000.
  public var nmea2000 = NMEA2000Settings()
  /// Signal K over HTTP, WebSockets and datagrams.
  public var signalK = SignalKSettings()
  /// Signal K's settings with the names of the HTTP server.
  var namedSignalK: SignalKSettings {
    var settings = signalK
    settings.names = http.names
    return settings
  }
  /// Live messages for Foxglove.
  public var foxglove = FoxgloveSettings()
  /// Foxglove's settings with the names of the HTTP server.
  var namedFoxglove: FoxgloveSettings {
    var settings = foxglove
    settings.names = http.names
    return settings
  }
  /// The protocols for telescopes and antennas.
  public var pointing = PointingSettings()
  /// The programs that receive a receiver's time.
  public var time = TimeSettings()
  /// The publisher at an MQTT broker.
  public var mqtt = MQTTSettings()
  /// OwnTracks.
  public var ownTracks = TrackerSettings()
  /// Servers of trackers with the OsmAnd protocol, such as Traccar.
  public var osmAnd = TrackerSettings()
  /// The web page, the JSON interface and the metrics.
  public var http = HTTPSettings()
  /// The folder of the policy's files; nil for the standard folder.
  public var policyFolder: String?

  /// Makes a configuration with default values.
  public init(socketPath: String, stateFolder: String) {
    self.socketPath = socketPath
    self.stateFolder = stateFolder
  }

  /// The part of the configuration that the host uses.
  var host: HostConfiguration {
    var host = HostConfiguration(stateFolder: stateFolder)
    host.policyFolder = policyFolder
    (host.mostApplications, host.mostStoredBytes) = (mostApplications, mostStoredBytes)
    (host.launcher, host.launchInterval) = (launcher, launchInterval)
    host.launchGrace = launchGrace
    return host
  }

  /// Limit of a user's clients: three quarters of all, so that one user cannot take every place.
  /// For the daemon's user and root it is the limit of all clients.
  package func mostClients(of uid: UInt32, daemon: UInt32) -> Int {
    uid == 0 || uid == daemon ? mostClients : max(1, mostClients * 3 / 4)
  }

  /// Limit of the clients of one application: half of all, and 8 at least, so that others can
  /// connect.
  package var mostClientsOfApplication: Int { max(8, mostClients / 2) }

  var applicationLimits: Account.Limits {
    Account.Limits(requests: mostRequests, queuedBytes: mostQueuedBytes)
  }
  var userLimits: Account.Limits {
    Account.Limits(requests: 4 * mostRequests, queuedBytes: 2 * mostQueuedBytes)
  }

  /// The value of each option of the daemon and its servers, as in the file, a line each.
  public var summary: [String] {
    ["socket: \(socketPath)", "state: \(stateFolder)"]
      + ServeKey.all.compactMap { key in key.text(self).map { "\(key.name): \($0)" } }
  }
}
