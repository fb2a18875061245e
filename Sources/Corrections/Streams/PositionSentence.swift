import Formats
import Quantities

/// The sentence that tells a caster where the receiver is.
package enum PositionSentence {
  /// GGA of a fix, with its line end; nil without a position.
  package static func bytes(of fix: Fix) -> [UInt8]? {
    guard fix.position != nil, fix.kind != .none else { return nil }
    var estimate = Estimate(timestamp: fix.timestamp)
    estimate.fixKind = fix.kind
    estimate.utc = fix.utc
    estimate.position = fix.position
    estimate.altitudeMetres = fix.altitudeMetres
    estimate.ellipsoidalAltitudeMetres = fix.ellipsoidalAltitudeMetres
    estimate.satellitesUsed = fix.satellitesUsed
    estimate.horizontalDilution = fix.horizontalDilution
    estimate.horizontalAccuracyMetres = fix.horizontalAccuracyMetres
    return NMEAReport.sentence(.gga, of: estimate)
  }
}
