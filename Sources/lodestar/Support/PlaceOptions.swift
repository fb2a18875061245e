import ArgumentParser
import CalibrationFit
import EarthModel
import Quantities
import Storage

/// The place of a calibration: options that the calibrating commands share.
struct PlaceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The place, in degrees (north and east positive) and metres above the ellipsoid, such as 52.5,13.4,80; the altitude may be left out.",
      valueName: "lat,lon,alt"))
  var location: LocationArgument?

  @Option(help: "The date for the magnetic model: 2026.5 or 2026-07-01; today by default.")
  var date: DateArgument?

  @Option(
    help: ArgumentHelp(
      "The field's downward component, -70 to 70 microtesla, where the place is not known.",
      valueName: "microtesla"))
  var fieldDown: SignedNumber?

  func validate() throws {
    if location != nil, fieldDown != nil {
      throw ValidationError("give --location or --field-down, not both")
    }
    if let down = fieldDown?.value, abs(down) > 70 {
      throw ValidationError("--field-down \(down): expected microtesla from -70 to 70")
    }
  }

  /// True if the field's sign is known.
  var isKnown: Bool { location != nil || fieldDown != nil }

  /// The prior knowledge of the field for the fit.
  func prior() throws(Failure) -> FieldPrior {
    if let field = try modelField() { return .model(field) }
    guard let down = fieldDown?.value else { return .unknown }
    return .down(down)
  }

  /// The field of the place by the magnetic model; nil if the place is not known.
  func modelField() throws(Failure) -> EarthField? {
    guard let location, let date = date ?? DateArgument.now else { return nil }
    do {
      return try MagneticModel.wmm2025.elements(
        at: location.position, ellipsoidalHeightMetres: location.altitudeMetres,
        decimalYear: date.decimalYear
      ).earthField
    } catch {
      throw .input(FieldText.message(error))
    }
  }

  /// Writes the place and its field into a profile's conditions.
  func describe(_ conditions: inout CalibrationConditions) throws(Failure) {
    conditions.latitudeDegrees = location?.position.latitude.degrees
    conditions.longitudeDegrees = location?.position.longitude.degrees
    conditions.altitudeMetres = location?.altitudeMetres
    conditions.modelField = try modelField()
  }
}

/// A place on the command line: LAT,LON or LAT,LON,ALT.
struct LocationArgument: ExpressibleByArgument {
  let position: GeodeticPosition
  let altitudeMetres: Double

  init?(argument: String) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false).map {
      SignedNumber(argument: String($0))?.value
    }
    guard (2...3).contains(parts.count), let latitude = parts[0], let longitude = parts[1],
      let altitude = parts.count == 3 ? parts[2] : 0
    else {
      RefusedValue.explain(
        "expected latitude,longitude or latitude,longitude,altitude with decimal points, such as 52.5,13.4,80"
      )
      return nil
    }
    if let fault = Self.fault(latitude: latitude, longitude: longitude, altitude: altitude) {
      RefusedValue.explain(fault)
      return nil
    }
    position = GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude)
    altitudeMetres = altitude
  }

  /// What is wrong with a place in degrees and metres above the ellipsoid; nil for one near the
  /// earth.
  static func fault(latitude: Double, longitude: Double, altitude: Double) -> String? {
    if !(-90...90).contains(latitude) {
      return "the latitude \(latitude) is not from -90 to 90; it comes before the longitude"
    }
    guard (-180...180).contains(longitude) else {
      let turned = (180...360).contains(longitude) ? "; write \(longitude - 360)" : ""
      return "the longitude \(longitude) is not from -180 to 180\(turned)"
    }
    guard abs(altitude) >= 1e6 else { return nil }
    return "the altitude \(altitude) is not from -1000000 to 1000000 metres above the ellipsoid"
  }
}
