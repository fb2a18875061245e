// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CoreLocation

// Geofences and beacons, monitored by an actor as in iOS 17 apps.
public actor GeofenceService {
  public static let monitorName = "PlacesMonitor"

  public private(set) var log: [String] = []
  private var monitor: CLMonitor?
  private var task: Task<Void, any Error>?

  public init() {}

  public func start(home: CLLocationCoordinate2D, beacon: UUID) async {
    let monitor = await opened()
    await monitor.add(
      CLMonitor.CircularGeographicCondition(center: home, radius: 75), identifier: "home",
      assuming: .unsatisfied)
    await monitor.add(
      CLMonitor.BeaconIdentityCondition(uuid: beacon, major: 1), identifier: "hall")
    for identifier in await monitor.identifiers {
      guard let record = await monitor.record(for: identifier) else { continue }
      log.append("\(identifier) \(Self.word(record.lastEvent.state))")
      switch record.condition {
      case let circle as CLMonitor.CircularGeographicCondition:
        log.append("\(circle.center.latitude > 0) \(circle.radius)")
      case let beacon as CLMonitor.BeaconIdentityCondition:
        log.append("\(beacon.major ?? 0) \(beacon.minor == nil)")
      default:
        break
      }
    }
    task = Task { [weak self] in
      for try await event in monitor.events { await self?.handle(event) }
    }
  }

  // Another loop of the same monitor.
  public func nextState() async throws -> CLMonitor.Event.State? {
    for try await event in await opened().events { return event.state }
    return nil
  }

  private func opened() async -> CLMonitor {
    if let monitor { return monitor }
    let opened = await CLMonitor(Self.monitorName)
    monitor = opened
    return opened
  }

  public func stop() async {
    task?.cancel()
    task = nil
    if let monitor {
      for identifier in await monitor.identifiers { await monitor.remove(identifier) }
    }
    monitor = nil
  }

  private func handle(_ event: CLMonitor.Event) async {
    guard !event.conditionUnsupported, !event.conditionLimitExceeded, !event.authorizationDenied
    else {
      log.append("\(event.identifier) not watched")
      return
    }
    if let last = await monitor?.record(for: event.identifier)?.lastEvent {
      log.append("\(event.identifier) \(Self.word(last.state)) to \(Self.word(event.state))")
    }
    if let found = event.refinement as? CLMonitor.BeaconIdentityCondition, let minor = found.minor {
      log.append("beacon \(minor)")
    }
  }

  private static func word(_ state: CLMonitor.Event.State) -> String {
    switch state {
    case .satisfied: "satisfied"
    case .unsatisfied: "unsatisfied"
    case .unknown: "unknown"
    case .unmonitored: "unmonitored"
    @unknown default: "other"
    }
  }
}

// A condition of the program's own, and the names of Apple's articles.
public struct DaylightCondition: CLCondition {
  public var hours: ClosedRange<Int>
  public init(hours: ClosedRange<Int>) { self.hours = hours }
}

public func conditions(center: CLLocationCoordinate2D, uuid: UUID) -> [any CLCondition] {
  [
    CLCircularGeographicCondition(center: center, radius: 100),
    CLBeaconIdentityCondition(uuid: uuid, major: 1, minor: 2),
    CLMonitor.BeaconIdentityCondition(uuid: uuid),
  ]
}
