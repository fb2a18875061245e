package import Monitoring

extension CLVisit {
  /// The stay that monitoring tells of.
  package convenience init(_ visit: Visit) { self.init(VisitValues(visit)) }
}
