import Monitoring
import ServiceProtocol

extension EstimateDemand {
  /// Seconds between fixes that suffice for a coarse place.
  private static let (coarse, coarsest) = (10.0, 60.0)
  /// Seconds between fixes that keep the declination right for headings alone.
  private static let forHeadings = 300.0

  /// How often a fix is needed for it.
  ///
  /// A desired accuracy of 100 m or more lets the receiver sleep in between, one of 1000 m or more for longer;
  /// headings alone need a place now and then, for true north.
  var fixDemand: FixDemand {
    guard fixes else { return headings ? .every(seconds: Self.forHeadings) : .none }
    let byAccuracy: Double =
      switch desiredAccuracyMetres ?? 0 {
      case ..<100: 0
      case ..<1000: Self.coarse
      default: Self.coarsest
      }
    let seconds = max(byAccuracy, fixInterval ?? 0)
    return seconds > 1 ? .every(seconds: seconds) : .continuous
  }
}
