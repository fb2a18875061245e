package import Monitoring

/// The numbers of one stay.
package struct VisitValues: Sendable {
  /// When it began; `distantPast` where nobody saw it.
  package var arrival = Date.distantPast
  /// When it ended; `distantFuture` while it goes on.
  package var departure = Date.distantFuture
  /// The middle.
  package var coordinate = CLLocationCoordinate2D()
  /// The radius that holds the place with 68 % probability, metres.
  package var horizontalAccuracy: Double = 0

  /// Makes the values of a stay of which nothing is known.
  package init() {}

  /// The stay that monitoring tells of.
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
