import Configuration
import Formats
import Quantities
import ReceiverProtocols

/// How the headings of a line are used.
struct LineHeadings: Equatable {
  /// False where another line has the compass.
  var areUsed = true
  /// One sigma of a heading whose message has none.
  var accuracy: Angle?

  /// Those of a receiver's line, beside the compass of the board file.
  init(ofReceiverBeside compass: Board.Compass?) {
    areUsed = compass?.port == nil
    accuracy = compass?.sigma
  }

  /// Those of the compass's own line.
  init(of compass: Board.Compass) { accuracy = compass.sigma }

  /// A report as a sample; nil without a heading.
  func sample(_ report: HeadingReport, at instant: Timestamp) -> HeadingSample? {
    guard areUsed, report.hasHeading else { return nil }
    return HeadingSample(
      timestamp: instant, magnetic: report.magneticHeading, true: report.trueHeading,
      accuracy: report.headingAccuracy ?? accuracy)
  }
}

extension Board.Compass {
  /// One sigma of the headings: 95 % are within two.
  var sigma: Angle { Angle(radians: accuracy.radians / 2) }
}
