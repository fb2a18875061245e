package import Monitoring

/// The values of one visit.
package struct VisitValues: Sendable {
  /// The arrival; `distantPast` where it was before visits were monitored.
  package var arrival = Date.distantPast
  /// The departure; `distantFuture` while the visit continues.
  package var departure = Date.distantFuture
  /// The middle.
  package var coordinate = CLLocationCoordinate2D()
  /// The radius of 68 % probability, metres.
  package var horizontalAccuracy: Double = 0

  /// Makes values of which none is known.
  package init() {}

  /// Makes the values of a visit of monitoring.
  package init(_ visit: Visit) {
    arrival = visit.arrival.map(Date.init(_:)) ?? .distantPast
    departure = visit.departure.map(Date.init(_:)) ?? .distantFuture
    coordinate = CLLocationCoordinate2D(visit.position)
    horizontalAccuracy = visit.horizontalAccuracyMetres
  }

  init?(coder: NSCoder) {
    let keys = ["arrival", "departure", "latitude", "longitude", "horizontalAccuracy"]
    guard keys.allSatisfy(coder.containsValue(forKey:)) else { return nil }
    let numbers = keys.map(coder.decodeDouble(forKey:))
    arrival = Date(timeIntervalSinceReferenceDate: numbers[0])
    departure = Date(timeIntervalSinceReferenceDate: numbers[1])
    coordinate = CLLocationCoordinate2D(latitude: numbers[2], longitude: numbers[3])
    horizontalAccuracy = numbers[4]
  }

  func encode(with coder: NSCoder) {
    coder.encode(arrival.timeIntervalSinceReferenceDate, forKey: "arrival")
    coder.encode(departure.timeIntervalSinceReferenceDate, forKey: "departure")
    coder.encode(coordinate.latitude, forKey: "latitude")
    coder.encode(coordinate.longitude, forKey: "longitude")
    coder.encode(horizontalAccuracy, forKey: "horizontalAccuracy")
  }
}
