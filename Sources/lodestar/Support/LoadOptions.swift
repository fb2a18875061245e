import ArgumentParser
import BoardFile
import CalibrationStore
import Engine
import Quantities

/// What a load adds to the field, to be taken out on request.
struct LoadOptions: ParsableArguments {
  @Option(
    help:
      "What each unit of a load adds to the field, X,Y,Z in microtesla along the sensor's axes, as calibrate load tells it; it is taken out while the load is told."
  )
  var loadGain: GainArgument?

  @Option(
    help:
      "A file that tells the load now, read ten times a second, such as one of /sys/class/hwmon; a replay has it in its column 'load'."
  )
  var loadFile: String?

  /// The compensation that was asked for; nil where none was.
  func compensation(for board: Board) throws(Failure) -> LoadCompensation? {
    guard loadGain != nil || loadFile != nil else { return nil }
    let gain: SIMD3<Double>
    if let loadGain { gain = loadGain.microtesla } else { gain = try kept(for: board) }
    guard let loadFile else { return LoadCompensation(fieldPerUnit: gain) }
    guard let file = LoadFile(path: loadFile) else {
      throw .input("\(loadFile): no load: expected a file whose first word is a number")
    }
    return LoadCompensation(fieldPerUnit: gain) { file.load }
  }

  /// What was kept of the board's load.
  private func kept(for board: Board) throws(Failure) -> SIMD3<Double> {
    let archive = try ArchiveOptions.parsed().archive(of: board.sensors.isEmpty ? nil : board)
    guard let load = try archive.current().stored?.profile.loads.last else {
      throw .usage(
        "--load-file: what the load does to the field is not known; give --load-gain, or find it with "
          + "lodestar calibrate load RECORDING --keep")
    }
    return load.fieldMicroteslaPerUnit
  }
}

extension ArchiveOptions {
  /// The standard store, no board named.
  fileprivate static func parsed() -> ArchiveOptions {
    var options = ArchiveOptions()
    (options.board, options.store) = (nil, nil)
    return options
  }
}

/// Three numbers of the command line: X,Y,Z.
struct GainArgument: ExpressibleByArgument {
  let microtesla: SIMD3<Double>

  init?(argument: String) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false).map {
      SignedNumber(argument: String($0))?.value
    }
    guard parts.count == 3, let x = parts[0], let y = parts[1], let z = parts[2] else { return nil }
    microtesla = SIMD3(x, y, z)
  }
}
