package import HostProtocol
package import Quantities

/// A consumer of estimates of the shared source: a manager's session, or a sequence of live
/// updates.
///
/// Estimates arrive on the source's own thread. A consumer stores or forwards them and returns at
/// once.
package protocol EstimateConsumer: AnyObject, Sendable {
  /// True while a service needs estimates.
  var isActive: Bool { get }
  /// The estimates that it needs while it is active.
  var demand: EstimateDemand { get }
  /// True to receive locations as if the program had reduced accuracy.
  var wantsCoarseLocations: Bool { get }
  /// The source is open.
  /// - Parameters:
  ///   - hasReceiver: Whether the source provides fixes.
  ///   - known: The newest fix of this process, else the last one of this machine.
  ///   - latest: The newest estimate; nil before the first.
  func sourceReady(hasReceiver: Bool, known: CLLocation?, latest: Estimate?)
  /// The source is open for magnetic headings, which need no authorization.
  func headingsReady(latest: Estimate?)
  /// The source could not be opened, or the program has no access.
  func sourceFailed(_ error: CLError)
  /// The program has no access to locations. Its headings continue.
  func locationFailed(_ error: CLError)
  /// Receives an estimate, with its fix where that is new.
  func receive(_ estimate: Estimate, fix: CLLocation?, at now: Date)
  /// The authorization is determined, or has changed.
  func authorizationIsKnown(_ status: CLAuthorizationStatus)
}

extension EstimateConsumer {
  /// Every fix.
  package var demand: EstimateDemand { EstimateDemand(fixes: true) }
  /// The exact ones.
  package var wantsCoarseLocations: Bool { false }
  /// Does nothing: it needs no headings.
  package func headingsReady(latest: Estimate?) {}
  /// The same as for all its services.
  package func locationFailed(_ error: CLError) { sourceFailed(error) }
}
