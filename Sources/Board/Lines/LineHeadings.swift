import Configuration
import Formats
import Quantities
import ReceiverProtocols

/// How the headings of a line are used.
package struct LineHeadings: Equatable, Sendable {
  /// False where another line has the compass.
  var areUsed = true
  /// One sigma of a heading whose message has none.
  var accuracy: Angle?
  /// The line between the receiver's antennas.
  private var baseline = Board.Baseline()

  /// Those of a receiver's line, beside the compasses of the board file.
  package init(
    ofReceiverBeside compasses: [Board.Compass], baseline: Board.Baseline = Board.Baseline()
  ) {
    let own = compasses.first { $0.port == nil }
    areUsed = compasses.isEmpty || own != nil
    accuracy = own?.sigma
    self.baseline = baseline
  }

  /// Those of the compass's own line.
  init(of compass: Board.Compass) { accuracy = compass.sigma }

  /// A report as a sample; nil without a heading.
  func sample(_ report: HeadingReport, at instant: Timestamp) -> HeadingSample? {
    guard areUsed, report.hasHeading else { return nil }
    var sample = HeadingSample(
      timestamp: instant,
      magnetic: report.magneticHeading.map { MagneticHeading(ofBow($0.angle)) },
      true: report.trueHeading.map { TrueHeading(ofBow($0.angle)) },
      accuracy: report.headingAccuracy ?? accuracy)
    sample.antennas = report.antennas
    // Sentences such as HDT do not say what measured the heading, but the board file does.
    if baseline.isStated, sample.true != nil, sample.antennas == nil {
      sample.antennas = AntennaVector()
    }
    return sample
  }

  private func ofBow(_ heading: Angle) -> Angle {
    let direction = baseline.statedDirection
    return direction == .zero ? heading : (heading - direction).wrappedToTurn
  }
}

extension Board.Compass {
  /// One sigma of the headings: 95 % are within two.
  var sigma: Angle { Angle(radians: accuracy.radians / 2) }
}
