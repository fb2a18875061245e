import Monitoring
import MonitoringFeeds
import Quantities

/// What the sensors say goes to the desks, and what the desks need goes to the sensors.
extension DeskKeeper {
  /// Fixes that may wait for a slow disk; beyond it new ones are passed over, as in a tunnel.
  private static let mostWaitingFixes = 512
  /// Seconds that one turn may take: a slow memory card, not one that hangs.
  private static let longestTurn = 30.0

  /// Takes a fix; on the queue, later, unless `waits`: a recording that is played fast must not overtake it.
  func take(_ estimate: Estimate, waits: Bool) {
    if waits {
      queue.sync { feed(estimate) }
      return
    }
    let isTaken = lock.withLock {
      guard waitingFixes < Self.mostWaitingFixes else { return false }
      waitingFixes += 1
      return true
    }
    guard isTaken else { return }
    queue.async { [self] in
      lock.withLock { waitingFixes -= 1 }
      feed(estimate)
    }
  }

  /// Takes what a scanner says of a beacon; it is told by `onBeacons` which are asked for.
  func take(_ report: BeaconReport) {
    queue.async { [self] in
      let time = now()
      for (key, entry) in entries where mayWatch(key, entry) {
        entry.desk.process(report, at: time)
      }
    }
  }

  func feed(_ estimate: Estimate) {
    guard let fix = PlaceFix(estimate, now: now()) else { return }
    for (key, entry) in entries where mayWatch(key, entry) {
      if access.access(of: key, groups: entry.groups).accuracy == .full {
        entry.desk.process(fix)
      } else if let coarse = places.reduce(estimate, for: key),
        let fix = PlaceFix(coarse, now: now())
      {
        entry.desk.process(fix)
      }
    }
    for key in entries.keys { launchIfDue(key) }
    tellDemand()
  }

  /// Whether an application is not even told what it has asked for; one that was not decided about is.
  func isForbidden(_ key: ApplicationKey, _ groups: Set<UInt32>) -> Bool {
    switch access.access(of: key, groups: groups).authorization {
    case .denied, .restricted: true
    case .notDetermined, .whenInUse, .always: false
    }
  }

  func mayWatch(_ key: ApplicationKey, _ entry: DeskEntry) -> Bool {
    access.access(of: key, groups: entry.groups).authorization.isGranted
  }

  /// Whether monitoring does its work.
  var isAlive: Bool { pulse.isAlive(within: Self.longestTurn) }

  func tick() {
    pulse.beat()
    let time = now()
    for entry in entries.values { entry.desk.advance(to: time) }
    for key in entries.keys { launchIfDue(key) }
    // A disk that could not be read at the start may be readable now.
    for key in failed { open(key) }
    tellDemand()
  }

  func tellDemand(commanded: Bool = false) {
    // Nothing is switched on for an application that is not told of it.
    let desks = entries.filter { mayWatch($0.key, $0.value) }.values.map(\.desk)
    let demand = desks.reduce(FixDemand.none) { FixDemand.most($0, $1.demand) }
    let beacons = desks.reduce(into: Set<BeaconPattern>()) { $0.formUnion($1.beaconPatterns) }
    // Who is new to a beacon that is watched already is told how it stands.
    if beacons != lastBeacons || commanded && !beacons.isEmpty {
      lastBeacons = beacons
      onBeacons(beacons)
    }
    guard demand != lastDemand else { return }
    lastDemand = demand
    onDemand(demand)
  }
}
