import Configuration
import Monitoring

extension MonitoringConfiguration {
  /// The rules of the policy; other values are defaults.
  public init(_ policy: Policy) {
    self.init()
    cushionFactor = policy.regions.cushionFactor
    minimumCushionMetres = policy.regions.minimumCushionMetres
    dwellSeconds = policy.regions.dwellSeconds
    significantDistanceMetres = policy.significantChange.distanceMetres
    significantIntervalSeconds = policy.significantChange.intervalSeconds
    visitRadiusMetres = policy.visits.radiusMetres
    visitMinimumStaySeconds = policy.visits.dwellSeconds
  }
}
