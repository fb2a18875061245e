import Quantities

/// Parts of the oceans far from any continent, as boxes of latitude and longitude.
///
/// The gazetteer has no coastlines: only these boxes separate water from empty land. They are a
/// degree or more away from continents, and away from most inhabited islands; on an island within
/// one, a place of the gazetteer has priority.
/// - Source: coasts and islands as on any map; bounds between oceans after IHO S-23 (3rd edition, 1953).
enum OpenOcean {
  private struct Box {
    let south, north, west, east: Double
    let name: String
  }

  private static let boxes: [Box] = {
    let northAtlantic = "North Atlantic Ocean"
    let southAtlantic = "South Atlantic Ocean"
    let northPacific = "North Pacific Ocean"
    let southPacific = "South Pacific Ocean"
    let indian = "Indian Ocean"
    let arctic = "Arctic Ocean"
    let southern = "Southern Ocean"
    let rows: [(Double, Double, Double, Double, String)] = [
      (0, 10, -43, -19, northAtlantic), (10, 30, -55, -19, northAtlantic),
      (30, 45, -60, -12, northAtlantic), (45, 58, -45, -14, northAtlantic),
      (25, 38, -70, -55, northAtlantic),
      (-10, 0, -32, 5, southAtlantic), (-35, -10, -30, 8, southAtlantic),
      (-53, -35, -50, 10, southAtlantic),
      (-45, -10, 66, 103, indian), (-45, -12, 103, 110, indian), (-8, 3, 62, 71, indian),
      (-8, 3, 76, 92, indian), (5, 15, 60, 70, indian), (8, 15, 83.5, 90, indian),
      (-45, -35, 35, 66, indian),
      (25, 50, -180, -130, northPacific), (5, 17, -152, -115, northPacific),
      (17, 32, -150, -122, northPacific), (20, 43, 150, 180, northPacific),
      (-60, -5, -128, -112, southPacific), (-25, -5, -107, -95, southPacific),
      (-60, -30, -107, -82, southPacific), (-25, -10, -95, -82, southPacific),
      (-60, -30, -170, -128, southPacific), (-42, -32, 161, 168, southPacific),
      (84.3, 90, -180, 180, arctic), (73, 84.3, -170, -130, arctic), (78, 84.3, 150, 180, arctic),
      (-64, -60, -180, -75, southern), (-64, -60, -35, 180, southern),
    ]
    return rows.map { Box(south: $0.0, north: $0.1, west: $0.2, east: $0.3, name: $0.4) }
  }()

  /// The ocean's name; nil if unknown.
  static func name(at position: GeodeticPosition) -> String? {
    let (latitude, longitude) = (
      position.latitude.degrees, position.longitude.wrappedToHalfTurn.degrees
    )
    return boxes.first {
      ($0.south...$0.north).contains(latitude) && ($0.west...$0.east).contains(longitude)
    }?.name
  }
}
