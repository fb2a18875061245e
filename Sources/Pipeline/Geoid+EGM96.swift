import CGeoidGrid
import EarthModel

extension Geoid {
  /// The EGM96 geoid, whose grid lies in the program itself: nothing is read from disk or
  /// allocated.
  /// - Source: `Sources/CGeoidGrid/README.md`.
  public static var egm96: Geoid { Geoid(grid: lodestar_egm96_grid()) }
}
