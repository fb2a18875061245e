import CoreLocation.CLLocation

func metres(from start: CLLocation, to end: CLLocation) -> CLLocationDistance {
  end.distance(from: start)
}
