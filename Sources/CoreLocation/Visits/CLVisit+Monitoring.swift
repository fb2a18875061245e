package import Monitoring

extension CLVisit {
  /// Makes the visit from one of monitoring.
  package convenience init(_ visit: Visit) { self.init(VisitValues(visit)) }
}
