import Configuration
import Monitoring

extension MonitoringConfiguration {
  /// The rules that the policy sets; the rest keeps its default.
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
