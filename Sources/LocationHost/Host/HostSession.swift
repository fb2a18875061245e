import Board
import HostProtocol
import LinuxIO
import Quantities
import Synchronization

/// An item that a host passes to a client's transport, in delivery order.
package enum HostDelivery: Sendable {
  /// A message that must not be lost.
  case message(HostMessage)
  /// An estimate with a new fix: every one is delivered.
  case fix(SharedEstimate)
  /// An estimate without a new fix: a newer one replaces it.
  case heading(SharedEstimate)
  /// The samples of one timestamp; the oldest in the queue may be dropped.
  case samples(SharedSamples)
  /// What the receiver sent beyond fixes; the oldest in the queue may be dropped.
  case receiver(SharedReceiverOutput)
  /// Remove fixes and headings from the queue: they are no longer wanted or allowed.
  case dropEstimates
  /// Remove samples from the queue.
  case dropSamples
  /// Remove the receiver's output from the queue.
  case dropReceiver
  /// Whether fixes are queued while the client does not read.
  case lease(Bool)
  /// Close the connection after everything before it is written.
  case close
}

/// The line of a message, which is encoded at its first use.
private struct EncodedLine: ~Copyable {
  private let encoded = Mutex<[UInt8]?>(nil)

  /// The message with its line end.
  func line(of message: @autoclosure () -> HostMessage) -> [UInt8] {
    encoded.withLock { line in
      if let line { return line }
      let new = message().line + [UInt8(ascii: "\n")]
      line = new
      return new
    }
  }
}

/// An estimate that several clients receive; it is encoded once.
package final class SharedEstimate: Sendable {
  package let estimate: Estimate
  private let encoded = EncodedLine()

  init(_ estimate: Estimate) { self.estimate = estimate }

  /// The encoded message with its line end.
  package var line: [UInt8] { encoded.line(of: .estimate(estimate)) }
}

extension SharedEstimate {
  /// The estimate without the place, its kind and its accuracy; `self` if it has no place.
  var withoutPlace: SharedEstimate {
    guard estimate.position != nil else { return self }
    var rest = estimate
    (rest.position, rest.fixKind, rest.fixTimestamp) = (nil, nil, nil)
    rest.rejectedPosition = nil
    rest.horizontalAccuracyMetres = nil
    return SharedEstimate(rest)
  }
}

/// Samples that several clients receive; they are encoded once.
package final class SharedSamples: Sendable {
  package let samples: SensorSamples
  private let encoded = EncodedLine()

  init(_ samples: SensorSamples) { self.samples = samples }

  /// The encoded message with its line end.
  package var line: [UInt8] { encoded.line(of: .samples(samples)) }
}

/// A receiver's output that several clients receive; it is encoded once.
package final class SharedReceiverOutput: Sendable {
  package let output: ReceiverOutput
  private let encoded = EncodedLine()

  init(_ output: ReceiverOutput) { self.output = output }

  /// The encoded message with its line end.
  package var line: [UInt8] { encoded.line(of: .receiver(output)) }
}

/// One client of a host: its identity, its access and its demand.
final class HostSession: Sendable {
  /// Unique within its host.
  let number: Int
  /// The process at the other end.
  let peer: PeerCredentials
  let claim: Claim
  private let deliver: @Sendable (HostDelivery) -> Void
  private let state = Mutex(State())
  /// Held from the access check to the delivery, so that no exact value is delivered after a change
  /// to reduced accuracy. Recursive: a client in this process may send a message from within a
  /// delivery.
  let delivery = RecursiveLock()

  struct State {
    var hello: ClientHello?
    var key: ApplicationKey?
    var access = GrantedAccess(authorization: .denied, accuracy: .reduced)
    /// The revision of the access rules at which `access` was found.
    var accessRevision = 0
    var demand = EstimateDemand.none
    var wantsSamples = false
    var wantsReceiver = false
    var hasBegunCalibration = false
    /// The purpose for which full accuracy was granted: until the connection ends, or a policy
    /// grants it no more.
    var purpose: String?
    /// The welcome is sent: other messages follow it.
    var isWelcome = false
    var isClosing = false
    var lastHeading: Timestamp?

    var mayHaveEstimates: Bool {
      access.authorization.isGranted && access.isEnabled && !isClosing
    }
    /// Magnetic headings are requested and allowed, without the authorization for more.
    var takesMagneticHeadingsOnly: Bool {
      demand.magneticHeadings == true && access.headings == true && !mayHaveEstimates && !isClosing
    }
    /// Samples are requested and allowed.
    var takesSamples: Bool { mayHaveEstimates && wantsSamples }
    /// The receiver's output is requested and allowed: at reduced accuracy it is not, because
    /// satellites and bytes reveal the place.
    var takesReceiver: Bool { mayHaveEstimates && wantsReceiver && access.accuracy == .full }
  }

  init(
    number: Int, peer: PeerCredentials, deliver: @escaping @Sendable (HostDelivery) -> Void
  ) {
    (self.number, self.peer, self.deliver) = (number, peer, deliver)
    claim = Claim(peer)
  }

  /// Reads or changes the state. `body` must not deliver anything.
  func withState<Value: Sendable>(_ body: (inout sending State) -> sending Value) -> Value {
    state.withLock(body)
  }

  /// True where the client receives magnetic headings and nothing else.
  var takesMagneticHeadingsOnly: Bool { withState { $0.takesMagneticHeadingsOnly } }

  /// True where the client may have reduced accuracy only.
  var hasReducedAccuracy: Bool { withState { $0.access.accuracy != .full } }

  /// The client's description in log messages.
  var name: String {
    let program =
      withState { $0.hello }.map {
        "\(String(printable: $0.client)) (\($0.application))"
      } ?? "a client"
    return "\(program), pid \(peer.pid), uid \(peer.uid)"
  }

  /// Delivers a message that must not be lost.
  func send(_ message: HostMessage) { deliver(.message(message)) }

  func hand(_ delivery: HostDelivery) { deliver(delivery) }

  /// Removes from the queue what is no longer allowed.
  func dropQueued() {
    for drop in [HostDelivery.dropEstimates, .dropSamples, .dropReceiver] { deliver(drop) }
  }

  /// Delivers an estimate if it is requested and allowed.
  /// - Parameters:
  ///   - exact: The estimate.
  ///   - reduced: The estimate at reduced accuracy.
  ///   - magnetic: The magnetic heading alone, for a client without authorization.
  ///   - isFix: Whether the estimate has a new fix.
  func offer(
    _ exact: SharedEstimate, reduced: SharedEstimate?, magnetic: SharedEstimate?, isFix: Bool
  ) {
    delivery.lock()
    defer { delivery.unlock() }
    let state = withState { $0 }
    if state.takesMagneticHeadingsOnly {
      guard let magnetic, isDue(exact.estimate.timestamp) else { return }
      return deliver(.heading(magnetic))
    }
    guard state.mayHaveEstimates, !state.demand.isEmpty else { return }
    let isFull = state.access.accuracy == .full
    guard let permitted = isFull ? exact : reduced else { return }
    if isFix, state.demand.fixes { return deliver(.fix(permitted)) }
    guard state.demand.headings, isDue(exact.estimate.timestamp) else { return }
    deliver(.heading(isFull ? exact : permitted.withoutPlace))
  }

  /// Delivers samples if they are requested; at reduced accuracy, those that do not depend on the
  /// place.
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

  /// Delivers the receiver's output if it is requested and allowed.
  func offer(_ output: SharedReceiverOutput) {
    delivery.lock()
    defer { delivery.unlock() }
    if withState({ $0.takesReceiver }) { deliver(.receiver(output)) }
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

  /// Half a sample interval, seconds: a rate that divides the board's rate is met exactly.
  private static let headingSlack = 0.005
}

extension SensorSamples {
  /// The samples at reduced accuracy: without pressure (reveals the altitude) and field (strength
  /// and inclination reveal the place); nil if nothing is left.
  var reduced: SensorSamples? {
    guard inertial != nil else { return nil }
    var rest = self
    (rest.pressure, rest.field) = (nil, nil)
    return rest
  }
}
