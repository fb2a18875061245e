/// The servers of the daemon: each is a folder and one entry here.
enum ServerCatalogue {
  static var kinds: [ServerKind] {
    [
      ServerKind(
        "gpsd", \.gpsd,
        keys: [
          .port("gpsd-port", \.gpsd.port),
          .text("gpsd-address", allowed: StreamAddress.allowedHosts, \.gpsd.host),
        ]
      ) { address, context throws(ServerFault) in
        try StreamServer(GPSDService(), at: address, context)
      },
      ServerKind(
        "nmea", \.nmea, keys: NMEASettings.keys
      ) { settings, context throws(ServerFault) in
        let service = NMEAService(
          application: "nmea", option: "nmea-port", settings: settings)
        return try StreamServer(service, at: settings.address, context)
      },
      ServerKind("nmea-socket", \.nmea, keys: []) { settings, context throws(ServerFault) in
        let service = NMEAService(
          application: "nmea-socket", option: "nmea-socket", settings: settings)
        return try StreamServer(
          service, atPath: settings.socket, mode: settings.socketMode, context)
      },
      ServerKind(
        "sensor-proxy", \.sensorProxy, keys: [.onOff("sensor-proxy", \.sensorProxy.isOn)]
      ) { settings, context throws(ServerFault) in
        SensorProxyServer(settings, context)
      },
      ServerKind(
        "announce", \.announcements, keys: [.onOff("announce", \.announcements.isOn)]
      ) { settings, context throws(ServerFault) in
        AvahiAnnouncer(settings, context)
      },
      ServerKind("nmea-udp", \.nmea, keys: []) { settings, context throws(ServerFault) in
        try NMEAOutput.datagrams(settings, context)
      },
      ServerKind("nmea-terminal", \.nmea, keys: []) { settings, context throws(ServerFault) in
        try NMEAOutput.terminal(settings, context)
      },
      ServerKind("json", \.json, keys: JSONSettings.keys) {
        settings, context throws(ServerFault) in
        try JSONOutput.make(settings.destination, context)
      },
      ServerKind("gdl90", \.gdl90, keys: GDL90Settings.keys) {
        settings, context throws(ServerFault) in
        try GDL90Output.make(settings.destination, context)
      },
      ServerKind("mavlink-udp", \.mavlink, keys: MAVLinkSettings.keys) {
        settings, context throws(ServerFault) in
        try MAVLinkOutput.datagrams(settings, context)
      },
      ServerKind("mavlink-serial", \.mavlink, keys: []) { settings, context throws(ServerFault) in
        try MAVLinkOutput.line(settings, context)
      },
      ServerKind(
        "nmea2000", \.nmea2000, keys: NMEA2000Settings.keys
      ) { settings, context throws(ServerFault) in
        try NMEA2000Server(settings, context)
      },
      ServerKind("rotctl", \.pointing, keys: PointingSettings.keys) {
        settings, context throws(ServerFault) in
        try PointingService.server(
          "rotctl", "rotctl-port", settings.rotctl, settings, context
        ) { RotctlDialect() }
      },
      ServerKind("lx200", \.pointing, keys: []) { settings, context throws(ServerFault) in
        try PointingService.server(
          "LX200", "lx200-port", settings.lx200, settings, context
        ) { LX200Dialect() }
      },
      ServerKind("stellarium", \.pointing, keys: []) { settings, context throws(ServerFault) in
        try PointingService.server(
          "Stellarium", "stellarium-port", settings.stellarium, settings, context
        ) { StellariumDialect() }
      },
      ServerKind("time", \.time, keys: TimeSettings.keys) { settings, context throws(ServerFault) in
        try TimeOutput(settings, context)
      },
      ServerKind(
        SignalKServer.name, \.namedSignalK, keys: SignalKSettings.keys
      ) { settings, context throws(ServerFault) in
        try SignalKServer(settings, context)
      },
      ServerKind(FoxgloveServer.name, \.namedFoxglove, keys: FoxgloveSettings.keys) {
        settings, context throws(ServerFault) in
        try FoxgloveServer(settings, context)
      },
      ServerKind("mqtt", \.mqtt, keys: MQTTSettings.keys) { settings, context throws(ServerFault) in
        try MQTTPublisher(settings, context)
      },
      ServerKind("owntracks", \.ownTracks, keys: TrackerSettings.ownTracksKeys) {
        settings, context throws(ServerFault) in
        try TrackerOutput("owntracks", settings, context)
      },
      ServerKind("osmand", \.osmAnd, keys: TrackerSettings.osmAndKeys) {
        settings, context throws(ServerFault) in
        try TrackerOutput("osmand", settings, context)
      },
      ServerKind(
        "http", \.http, keys: HTTPSettings.keys
      ) { settings, context throws(ServerFault) in
        try HTTPWebServer(settings, context)
      },
    ]
  }
}
