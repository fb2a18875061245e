package import Engine
package import Quantities

/// Somebody who takes estimates from the shared source: a manager's session, a sequence of live updates.
///
/// Estimates come on the source's own thread; whoever takes them hands over and returns.
package protocol ServiceUser: AnyObject, Sendable {
  /// True while a service wants estimates.
  var isActive: Bool { get }
  /// How much of the receiver it needs while it is active.
  var receiverDemand: ReceiverDemand { get }
  /// The source is open.
  /// - Parameters:
  ///   - hasReceiver: Whether fixes can be expected of it.
  ///   - known: The newest fix of this process, else the last one of this machine.
  ///   - latest: The newest estimate; nil before the first.
  func sourceReady(hasReceiver: Bool, known: CLLocation?, latest: Estimate?)
  /// The source could not be opened.
  func sourceFailed(_ error: CLError)
  /// Takes an estimate, and the fix that came with it.
  func receive(_ estimate: Estimate, fix: CLLocation?, at now: Date)
  /// The authorization is known, or has changed.
  func authorizationIsKnown(_ status: CLAuthorizationStatus)
}

extension ServiceUser {
  /// Every fix.
  package var receiverDemand: ReceiverDemand { .continuous }
}
