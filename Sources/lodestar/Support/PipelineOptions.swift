import ArgumentParser
import BoardFile
import Engine
import Quantities

/// How samples are to be read: the options that every command with a pipeline shares.
struct PipelineOptions: ParsableArguments {
  @Option(
    help:
      "A board file: sensors, mount, trim, receiver; or the name of one that is installed, such as gy-91."
  )
  var board: String?

  @Option(
    help:
      "What the board's x, y and z point at, such as forward,left,up, or auto; overrides the board file."
  )
  var mount: MountArgument?

  @Option(
    help: "A calibration file, 'none', or 'assumed' where the field is already calibrated.")
  var calibration = "none"

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
    if let board {
      do {
        result.board = try Board(path: BoardLibrary.path(of: board))
      } catch {
        throw .input("\(error)")
      }
    }
    if let mount { result.board.mount = mount.mount }
    switch calibration {
    case "none": result.calibration = .none
    case "assumed": result.calibration = .assumed
    default:
      do {
        result.calibration = .fitted(try MagnetometerCalibration(path: calibration))
      } catch {
        throw .input("\(error)")
      }
    }
    if let qnh {
      // The lowest and the highest pressures on record are 870 and 1085 hPa.
      guard (850...1100).contains(qnh) else {
        throw .usage("--qnh \(qnh): expected hPa from 850 to 1100")
      }
      result.qnhHectopascal = qnh
    }
    result.activity = activity
    result.utcAtStart = date?.utc
    return result
  }
}

extension Activity: ExpressibleByArgument {}

/// A mount of the command line: three axis words of a right-handed set, or auto.
struct MountArgument: ExpressibleByArgument {
  let mount: Mounting

  init?(argument: String) {
    if argument == "auto" {
      mount = .automatic
      return
    }
    let words = argument.split(separator: ",").map { AxisDirection(rawValue: String($0)) }
    guard words.count == 3, let x = words[0], let y = words[1], let z = words[2],
      let mount = AxisMount(x: x, y: y, z: z)
    else { return nil }
    self.mount = .axes(mount)
  }
}
