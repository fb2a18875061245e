import Configuration
import CoreLocation
import HostClient
import LocationHost
import Radio

/// Hosts over scripted sources.
package enum ScriptedHost {
  /// The application name of the host's client.
  package static let application = "test"
  package static var key: ApplicationKey { ApplicationKey(uid: getuid(), id: application) }

  /// The access of a policy; nothing is stored without a folder.
  package static func access(_ policy: Policy = Policy(), stateFolder: String? = nil)
    -> AccessKeeper
  {
    AccessKeeper(stateFolder: stateFolder, log: HostLog { _, _ in }) { (policy, nil) }
  }

  /// Makes a host in this process.
  package static func make(
    _ opening: SourceOpening, clock: any HostClock = MachineClock(),
    access: (any AccessRules)? = nil, journals: any MonitoringJournals = VolatileMonitoring(),
    stateFolder: String? = nil, beacons: BeaconService = BeaconService()
  ) -> LocationHost {
    var configuration = HostConfiguration(stateFolder: stateFolder)
    configuration.isInProcess = true
    var parts = LocationHost.Parts(
      access: access ?? Self.access(), journals: journals, isLive: opening.isLive,
      log: HostLog { _, _ in },
      source: { OnDemandSource(opening, events: $0, clock: clock) })
    (parts.clock, parts.beacons) = (clock, beacons)
    let host = LocationHost(configuration, parts)
    host.start()
    return host
  }
}

extension LocationServices {
  /// Makes services over a host in this process.
  package convenience init(
    over host: LocationHost, clock: any HostClock = MachineClock(), isInBackground: Bool = false,
    beacons: BeaconService = BeaconService()
  ) {
    self.init(
      client: HostClient(application: ScriptedHost.application, host: host), clock: clock,
      isInBackground: isInBackground, beacons: beacons)
  }
}
