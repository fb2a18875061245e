import EarthModel
import Quantities
import ReceiverProtocols

extension RTCM3Statistics {
  /// The length of the geodesic from a place to the reference station, metres; nil until the
  /// station's position was received.
  package func stationDistanceMetres(from place: GeodeticPosition) -> Double? {
    stationPosition.map { Geodesic.inverse(from: place, to: $0).distanceMetres }
  }
}
