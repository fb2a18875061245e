import Quantities

/// A place, state or country with the searched name.
struct NameMatch {
  enum Subject {
    case place(Place)
    case area(AdministrativeArea, Country)
    case country(Country)
  }

  let subject: Subject
  /// The weighted population for the ranking.
  let weight: Double

  var isPlace: Bool { if case .place = subject { true } else { false } }

  var name: String {
    switch subject {
    case .place(let place): place.name
    case .area(let area, _): area.name
    case .country(let country): country.name
    }
  }

  var country: Country {
    switch subject {
    case .place(let place): place.country
    case .area(_, let country): country
    case .country(let country): country
    }
  }

  var centre: GeodeticPosition {
    switch subject {
    case .place(let place): place.position
    case .area(let area, _): area.centre
    case .country(let country): country.centre
    }
  }

  var radiusMetres: Double {
    switch subject {
    case .place(let place): place.builtUpRadiusMetres
    case .area(let area, _): area.radiusMetres
    case .country(let country): country.radiusMetres
    }
  }

  /// Whether this is a place in that area with the same name.
  func isNamesake(of area: AdministrativeArea) -> Bool {
    guard case .place(let place) = subject else { return false }
    return place.country.isoCode == area.countryCode && place.areaCode == area.code
      && FoldedName.of(place.name) == FoldedName.of(area.name)
  }

  var areaCode: String? {
    switch subject {
    case .place(let place): place.areaCode
    case .area(let area, _): area.code
    case .country: nil
    }
  }
}
