import Quantities

/// A report on ranging to a user of `BeaconService`.
public enum RangingReport: Equatable, Sendable {
  /// The beacons, nearest first; empty where there are none. Once a second.
  case ranged([RangedBeacon], at: Timestamp)
  /// Scanning is not possible now; sent once. Reports continue when it is possible again.
  case failed(BeaconError)
}

/// A report on a region to a user of `BeaconService`.
public enum PresenceReport: Equatable, Sendable {
  /// The state changed, the first state included.
  case changed(BeaconPresence.Transition)
  /// Scanning is not possible now; sent once. The state is unchanged.
  case failed(BeaconError)
  /// Scanning is possible again. The state is that of the last change.
  case resumed
}

/// The subscriptions of users and the reports to them: the service's logic, without threads, clock
/// and radio.
package struct BeaconSubscriptions {
  /// A report to deliver to a user.
  package enum Message: Equatable {
    case ranging(key: Int, RangingReport)
    case presence(key: Int, PresenceReport)
  }

  private var rangers: [Int: BeaconRanger] = [:]
  private var presences: [Int: BeaconPresence] = [:]
  private var isListening = false
  private var fault: BeaconError?

  /// Begins without users.
  package init() {}

  /// The needed kind of scan; nil without users.
  package var purpose: BeaconScanPurpose? {
    if !rangers.isEmpty { return .ranging }
    return presences.isEmpty ? nil : .presence
  }

  /// Adds a user; a present fault is reported at once.
  package mutating func range(_ key: Int, _ ranger: BeaconRanger) -> [Message] {
    rangers[key] = ranger
    return fault.map { [.ranging(key: key, .failed($0))] } ?? []
  }

  /// Adds a user; a present fault is reported at once.
  package mutating func watch(_ key: Int, _ presence: BeaconPresence) -> [Message] {
    presences[key] = presence
    return fault.map { [.presence(key: key, .failed($0))] } ?? []
  }

  package mutating func remove(_ key: Int) {
    rangers[key] = nil
    presences[key] = nil
    if purpose == nil {
      isListening = false
      fault = nil
    }
  }

  func presence(_ key: Int) -> BeaconPresence? { presences[key] }

  package mutating func receive(_ event: BeaconScanEvent) -> [Message] {
    switch event {
    case .listening:
      isListening = true
      guard fault != nil else { return [] }
      fault = nil
      return presences.keys.sorted().map { .presence(key: $0, .resumed) }
    case .sighting(let sighting):
      for key in rangers.keys { rangers[key]?.add(sighting) }
      return presences.keys.sorted().compactMap { key in
        presences[key]?.add(sighting).map { .presence(key: key, .changed($0)) }
      }
    case .unavailable(let error):
      isListening = false
      fault = error
      for key in presences.keys { presences[key]?.reset() }
      return rangers.keys.sorted().map { .ranging(key: $0, .failed(error)) }
        + presences.keys.sorted().map { .presence(key: $0, .failed(error)) }
    }
  }

  /// Makes the reports of one second: the ranged beacons and the regions that were left.
  package mutating func advance(to now: Timestamp) -> [Message] {
    guard isListening else { return [] }
    var messages: [Message] = []
    for key in rangers.keys.sorted() {
      guard let beacons = rangers[key]?.report(at: now) else { continue }
      messages.append(.ranging(key: key, .ranged(beacons, at: now)))
    }
    for key in presences.keys.sorted() {
      guard let transition = presences[key]?.advance(to: now) else { continue }
      messages.append(.presence(key: key, .changed(transition)))
    }
    return messages
  }
}
