import LocationHost

/// The servers of TCP ports: each is a folder with its sessions, and one line here.
enum StreamCatalogue {
  /// The ports of a configuration at which a server listens now.
  static func ports(_ configuration: ServeConfiguration, log: HostLog) -> [StreamPort] {
    let services: [(any StreamService, StreamAddress)] = [
      (GPSDService(), configuration.gpsd),
      (NMEAService(), configuration.nmea),
    ]
    return services.compactMap { service, address in
      StreamPort(service, at: address, log: log)
    }
  }
}
