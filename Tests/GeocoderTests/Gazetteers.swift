import Foundation
import Geocoder
import Quantities

/// The program's own gazetteer, opened once.
enum Gazetteers {
  private static let opened = Result { () throws(GazetteerError) in try Gazetteer(.builtIn) }

  static func builtIn() throws -> Gazetteer { try opened.get() }
  static func geocoder() throws -> Geocoder { Geocoder(try builtIn()) }
}

extension GeodeticPosition {
  init(_ latitude: Double, _ longitude: Double) {
    self.init(latitudeDegrees: latitude, longitudeDegrees: longitude)
  }
}

extension ForwardAnswer {
  /// The places found; empty where only a part of the address was found.
  var places: [GeocodedPlace] { if case .found(let places) = self { places } else { [] } }
}
