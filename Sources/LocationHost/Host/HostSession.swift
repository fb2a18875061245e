import Foundation
import HostProtocol
import LinuxIO
import Quantities
import Synchronization

/// What a host hands to a client's transport, in the order in which it is to arrive.
package enum HostDelivery: Sendable {
  /// A message that must not be lost.
  case message(HostMessage)
  /// An estimate with a new fix: every one is delivered.
  case fix(SharedEstimate)
  /// Another estimate: the newest is enough.
  case heading(SharedEstimate)
  /// The samples of an instant; of those that wait the oldest may be dropped.
  case samples(SharedSamples)
  /// Fixes and headings that wait are not wanted any more, or not allowed.
  case dropEstimates
  /// The same for samples.
  case dropSamples
  /// Whether fixes are stored while the client does not read.
  case lease(Bool)
  /// The connection ends once everything before has been written.
  case close
}

/// An estimate that several clients receive; it is encoded once.
package final class SharedEstimate: Sendable {
  /// The estimate.
  package let estimate: Estimate
  private let encoded = Mutex<[UInt8]?>(nil)

  init(_ estimate: Estimate) { self.estimate = estimate }

  /// The message's line with its end.
  package var line: [UInt8] {
    encoded.withLock { line in
      if let line { return line }
      let new = HostMessage.estimate(estimate).line + [UInt8(ascii: "\n")]
      line = new
      return new
    }
  }
}

extension SharedEstimate {
  /// The same without the place; itself where there is none.
  fileprivate var withoutPlace: SharedEstimate {
    guard estimate.position != nil else { return self }
    var rest = estimate
    (rest.position, rest.fixKind, rest.fixTimestamp) = (nil, nil, nil)
    rest.horizontalAccuracyMetres = nil
    return SharedEstimate(rest)
  }
}

/// Samples that several clients receive; they are encoded once.
package final class SharedSamples: Sendable {
  /// The samples.
  package let samples: SensorSamples
  private let encoded = Mutex<[UInt8]?>(nil)

  init(_ samples: SensorSamples) { self.samples = samples }

  /// The message's line with its end.
  package var line: [UInt8] {
    encoded.withLock { line in
      if let line { return line }
      let new = HostMessage.samples(samples).line + [UInt8(ascii: "\n")]
      line = new
      return new
    }
  }
}

/// One client of a host: who it is, what it may and what it wants.
final class HostSession: Sendable {
  /// Names the session within its host.
  let number: Int
  /// The process at the other end.
  let peer: PeerCredentials
  private let deliver: @Sendable (HostDelivery) -> Void
  private let state = Mutex(State())
  /// Held from the check of the access to the delivery, so that nothing exact follows a change to reduced accuracy.
  /// Recursive: a client in this process may answer a delivery on the same thread.
  let delivery = NSRecursiveLock()

  struct State {
    var hello: ClientHello?
    var key: ApplicationKey?
    var access = GrantedAccess(authorization: .denied, accuracy: .reduced)
    var demand = EstimateDemand.none
    var wantsSamples = false
    var hasBegunCalibration = false
    /// True once full accuracy was granted for a purpose, until the connection ends.
    var hasFullAccuracyForNow = false
    var isClosing = false
    var lastHeading: Timestamp?

    var mayHaveEstimates: Bool {
      access.authorization.isGranted && access.isEnabled && !isClosing
    }
    /// Samples are wanted and allowed.
    var takesSamples: Bool { mayHaveEstimates && wantsSamples }
  }

  init(
    number: Int, peer: PeerCredentials, deliver: @escaping @Sendable (HostDelivery) -> Void
  ) { (self.number, self.peer, self.deliver) = (number, peer, deliver) }

  /// Reads or changes the state; nothing is delivered from within `body`.
  func withState<Value: Sendable>(_ body: (inout sending State) -> sending Value) -> Value {
    state.withLock(body)
  }

  /// The client, for people.
  var name: String {
    let program = withState { $0.hello }.map { "\($0.client) (\($0.application))" } ?? "a client"
    return "\(program), pid \(peer.pid), uid \(peer.uid)"
  }

  /// Delivers a message that must not be lost.
  func send(_ message: HostMessage) { deliver(.message(message)) }

  /// Delivers anything.
  func hand(_ delivery: HostDelivery) { deliver(delivery) }

  /// Delivers an estimate as far as it is wanted and allowed.
  /// - Parameters:
  ///   - exact: The estimate.
  ///   - reduced: The same at reduced accuracy.
  ///   - isFix: Whether the estimate has a new fix.
  func offer(_ exact: SharedEstimate, reduced: SharedEstimate, isFix: Bool) {
    delivery.lock()
    defer { delivery.unlock() }
    let state = withState { $0 }
    guard state.mayHaveEstimates, !state.demand.isEmpty else { return }
    let isFull = state.access.accuracy == .full
    if isFix, state.demand.fixes {
      return deliver(.fix(isFull ? exact : reduced))
    }
    guard state.demand.headings, isDue(exact.estimate.timestamp) else { return }
    deliver(.heading(isFull ? exact : reduced.withoutPlace))
  }

  /// Delivers samples where they are wanted; at reduced accuracy without what depends on the place.
  func offer(_ whole: SharedSamples, reduced: SharedSamples?) {
    delivery.lock()
    defer { delivery.unlock() }
    let (takes, accuracy) = withState { ($0.takesSamples, $0.access.accuracy) }
    guard takes else { return }
    if accuracy == .full {
      deliver(.samples(whole))
    } else if let reduced {
      deliver(.samples(reduced))
    }
  }

  private func isDue(_ instant: Timestamp) -> Bool {
    withState { state in
      if let interval = state.demand.headingInterval, let last = state.lastHeading,
        instant >= last, instant.seconds(since: last) < interval - Self.headingSlack
      {
        return false
      }
      state.lastHeading = instant
      return true
    }
  }

  /// Half a sample, seconds, so that a rate that divides the board's is met.
  private static let headingSlack = 0.005
}

extension SensorSamples {
  /// The samples at reduced accuracy: without pressure (the altitude) and field (strength and inclination are known by
  /// place); nil where nothing is left.
  var reduced: SensorSamples? {
    guard inertial != nil else { return nil }
    var rest = self
    (rest.pressure, rest.field) = (nil, nil)
    return rest
  }
}
