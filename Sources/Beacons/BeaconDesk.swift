import Quantities

/// What a user of `BeaconService` hears about ranging.
public enum RangingReport: Equatable, Sendable {
  /// The beacons, nearest first; empty where there are none. Once a second.
  case ranged([RangedBeacon], at: Timestamp)
  /// Beacons cannot be heard for now: told once. Reports come again by themselves.
  case failed(BeaconError)
}

/// What a user of `BeaconService` hears about a region.
public enum PresenceReport: Equatable, Sendable {
  /// The state changed, the first state included.
  case changed(BeaconPresence.Transition)
  /// Beacons cannot be heard for now: told once. The state is what it was.
  case failed(BeaconError)
}

/// Who wants to hear of which beacons, and what they are told: the service without threads, clocks and radio.
package struct BeaconDesk {
  /// Something to be handed to a user.
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

  /// What has to be listened for; nil where nobody wants to hear.
  package var purpose: BeaconScanPurpose? {
    if !rangers.isEmpty { return .ranging }
    return presences.isEmpty ? nil : .presence
  }

  /// A new user; what keeps beacons from being heard is told at once.
  package mutating func range(_ key: Int, _ ranger: BeaconRanger) -> [Message] {
    rangers[key] = ranger
    return fault.map { [.ranging(key: key, .failed($0))] } ?? []
  }

  /// A new user; what keeps beacons from being heard is told at once.
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

  package mutating func take(_ event: BeaconScanEvent) -> [Message] {
    switch event {
    case .listening:
      isListening = true
      fault = nil
      return []
    case .sighting(let sighting):
      for key in rangers.keys { rangers[key]?.hear(sighting) }
      return presences.keys.sorted().compactMap { key in
        presences[key]?.hear(sighting).map { .presence(key: key, .changed($0)) }
      }
    case .unavailable(let error):
      isListening = false
      fault = error
      for key in presences.keys { presences[key]?.pause() }
      return rangers.keys.sorted().map { .ranging(key: $0, .failed(error)) }
        + presences.keys.sorted().map { .presence(key: $0, .failed(error)) }
    }
  }

  /// A second passed: reports, and regions that were left.
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
