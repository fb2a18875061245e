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
        try StreamServer(NMEAService(settings: settings), at: settings.address, context)
      },
      ServerKind("nmea-output", \.nmea, keys: []) { settings, context throws(ServerFault) in
        try NMEAOutput(settings, context)
      },
      ServerKind(
        "http", \.http, keys: HTTPSettings.keys
      ) { settings, context throws(ServerFault) in
        try HTTPWebServer(settings, context)
      },
    ]
  }
}
