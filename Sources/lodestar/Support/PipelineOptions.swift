import ArgumentParser
import CalibrationFit
import CalibrationStore
import Engine
import Quantities

/// How samples are to be read: the options that every command with a pipeline shares.
struct PipelineOptions: ParsableArguments {
  @OptionGroup var board: BoardOptions

  @Option(
    help:
      "A calibration file, 'none', or 'assumed' where the field is already calibrated; an attached board has the one that was kept for it."
  )
  var calibration: String?

  @OptionGroup var load: LoadOptions

  @Option(
    help: "\(Activity.allCases.map(\.rawValue).joined(separator: ", ")).")
  var activity: Activity = .other

  @Option(help: "The date at the start where the data has no time: 2026.5 or 2026-07-01.")
  var date: DateArgument?

  @Option(help: "Pressure at sea level, hPa: refers altitude to the sea without a receiver.")
  var qnh: Double?

  /// The pipeline's configuration.
  func configuration() throws(Failure) -> PipelineConfiguration {
    var result = PipelineConfiguration()
    try board.apply(to: &result)
    result.usesKeptCalibration = calibration == nil
    switch calibration {
    case nil, "none": result.calibration = .none
    case "assumed": result.calibration = .assumed
    case .some(let path):
      (result.calibration, result.calibrationEstimate) = try Self.calibration(path)
    }
    if let qnh {
      // The lowest and the highest pressures on record are 870 and 1085 hPa.
      guard (850...1100).contains(qnh) else {
        throw .usage("--qnh \(qnh): expected hPa from 850 to 1100")
      }
      result.qnhHectopascal = qnh
    }
    result.load = try load.compensation(for: result.board)
    result.activity = activity
    result.utcAtStart = date?.utc
    return result
  }
}

extension PipelineOptions {
  /// A calibration from a file; one that knows how uncertain it is says so.
  private static func calibration(
    _ path: String
  ) throws(Failure) -> (CalibrationChoice, DistortionEstimate?) {
    do {
      let file = try CalibrationFile(path: path)
      return (.fitted(file.result.calibration), file.estimate)
    } catch {
      throw .input("\(error)")
    }
  }
}

/// Whether the magnetometer is calibrated during use.
enum OnlineCalibrationArgument: String, ExpressibleByArgument, CaseIterable { case on, off }

extension Activity: ExpressibleByArgument {}
