import Configuration
import LinuxIO

/// Who can read the exact place of the machine: one line for each way out of the daemon.
///
/// The rule: on this machine the members of the policy's `group`, or every user without that key;
/// on other machines everyone who reaches the address of a port; and each server only with what the
/// policy gives its application, `org.lodestar.NAME`.
public struct PlaceReaders {
  /// The lines, in the order of the servers.
  public let lines: [String]

  /// Lists the readers by a configuration and a policy.
  public init(_ configuration: ServeConfiguration, _ policy: Policy) {
    let users = policy.group.map { "the members of the group '\($0)'" } ?? "every user"
    /// Who may connect to a socket of a mode: that takes the permission to write.
    func openers(_ mode: UInt32, _ group: String) -> String {
      guard mode & 0o002 == 0 else { return users }
      return mode & 0o020 == 0
        ? "the daemon's user" : group + (policy.group == nil ? "" : ", of these \(users)")
    }
    var lines: [String] = []
    /// Adds a line where the policy gives a server's application the exact place.
    func add(_ application: String, _ way: String, _ readers: String) {
      let id = "org.lodestar.\(application)"
      let authorization = policy.authorization(for: id, hasAccess: true)
      guard authorization != .denied, authorization != .restricted,
        policy.accuracy(for: id) == .full
      else { return }
      lines.append("\(way): \(readers)")
    }
    func add(_ application: String, _ key: String, at address: StreamAddress) {
      guard let port = address.port else { return }
      let readers =
        Loopback.contains(address.host)
        ? "\(users) of this machine"
        : "everyone on other machines who reaches \(address.host), and \(users) of this one"
      add(application, "\(key) \(port)", readers)
    }
    if policy.isEnabled {
      let mode = String(configuration.socketMode, radix: 8)
      let group = configuration.socketGroup.map { "the group '\($0)'" } ?? "the daemon's group"
      lines.append(
        "socket \(configuration.socketPath) (mode \(mode)): "
          + "\(openers(configuration.socketMode, group)), by the policy's rule for each application"
      )
    }
    add("gpsd", "gpsd-port", at: configuration.gpsd)
    add("nmea", "nmea-port", at: configuration.nmea.address)
    if let path = configuration.nmea.socket {
      let mode = String(configuration.nmea.socketMode, radix: 8)
      add(
        "nmea-socket", "nmea-socket \(path) (mode \(mode))",
        openers(configuration.nmea.socketMode, "the daemon's group"))
    }
    if let destination = configuration.nmea.destination {
      add("nmea-output", "nmea-udp", "who receives datagrams to \(destination)")
    }
    if let path = configuration.nmea.terminal {
      add("nmea-output", "nmea-terminal", "who may open \(path)")
    }
    if let destination = configuration.json.destination {
      add("json", "json-udp", "who receives datagrams to \(destination)")
    }
    if let destination = configuration.gdl90.destination {
      add("gdl90", "gdl90-udp", "who receives datagrams to \(destination)")
    }
    if let destination = configuration.mavlink.destination {
      add("mavlink", "mavlink-udp", "who receives datagrams to \(destination)")
    }
    if let line = configuration.mavlink.line {
      add("mavlink", "mavlink-serial", "who is connected to \(line.path)")
    }
    if let interface = configuration.nmea2000.interface {
      add("nmea2000", "nmea2000-interface", "every device of the bus at \(interface)")
    }
    add("signalk", "signalk-port", at: configuration.signalK.address)
    if let destination = configuration.signalK.destination {
      add("signalk", "signalk-udp", "who receives datagrams to \(destination)")
    }
    add("foxglove", "foxglove-port", at: configuration.foxglove.address)
    // The direction and the star at it give the place; the direction alone, of rotctl, does not.
    let pointing = configuration.pointing
    for (key, port) in [("lx200-port", pointing.lx200), ("stellarium-port", pointing.stellarium)] {
      add("pointing", key, at: StreamAddress(host: pointing.host, port: port))
    }
    if configuration.http.readers == .token, let port = configuration.http.port {
      add("http", "http-port \(port)", "who has a token of 'lodestar token'")
    } else {
      add("http", "http-port", at: configuration.http.address)
    }
    if let broker = configuration.mqtt.broker {
      add("mqtt", "mqtt-broker", "the clients of \(broker)")
    }
    for (name, tracker) in [
      ("owntracks", configuration.ownTracks), ("osmand", configuration.osmAnd),
    ] {
      if let server = tracker.server {
        add(name, "\(name)-url", "the users of \(server.place), also of the positions before now")
      }
    }
    self.lines = lines
  }
}
