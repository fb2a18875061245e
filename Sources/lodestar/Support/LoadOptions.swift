import ArgumentParser
import Configuration
import FoundationEssentials
import Pipeline
import Quantities
import Storage

/// Options for the compensation of a load's effect on the field.
struct LoadOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The field that each unit of a load adds, in microtesla along the sensor's axes, from calibrate load; it is subtracted while the load is known.",
      valueName: "x,y,z"))
  var loadGain: GainArgument?

  @Option(
    help: ArgumentHelp(
      "A file with the present load, read ten times a second, such as one of /sys/class/hwmon; a replay uses its column 'load'.",
      valueName: "file"), completion: .file())
  var loadFile: String?

  /// The requested compensation, nil for none. `folder` has the calibrations of the board; nil for
  /// the standard one.
  func compensation(
    for board: Board, in folder: String? = nil
  ) throws(Failure) -> LoadCompensation? {
    guard loadGain != nil || loadFile != nil else { return nil }
    let gain: SIMD3<Double>
    if let loadGain {
      gain = loadGain.microtesla
    } else {
      gain = try storedGain(for: board, in: folder)
    }
    guard let loadFile else { return LoadCompensation(fieldPerUnit: gain) }
    guard let file = LoadFile(path: loadFile) else {
      throw .input(
        "\(loadFile): cannot read the load; expected a file whose first word is a number")
    }
    return LoadCompensation(fieldPerUnit: gain, isStored: loadGain == nil) { file.load }
  }

  /// The stored gain of the board's load.
  private func storedGain(for board: Board, in folder: String?) throws(Failure) -> SIMD3<Double> {
    let profile: CalibrationProfile?
    do {
      let directory: String
      if let folder {
        directory = folder
      } else {
        directory = try ProfileStore.standardDirectory(
          environment: ProcessInfo.processInfo.environment)
      }
      let store = ProfileStore(directory: directory)
      // A board that is searched for at the start is the only one with calibrations.
      let identities = try store.identities()
      let identity =
        ProfileIdentity(board: board) ?? (identities.count == 1 ? identities.first : nil)
      profile = try identity.flatMap { (identity) throws(ProfileStoreError) in
        try store.current(for: identity).stored?.profile
      }
    } catch {
      throw .output("\(error)")
    }
    guard let load = profile?.loads.last else {
      throw .usage(
        "--load-file: the load's effect on the field is not known; give --load-gain, or measure it with "
          + "lodestar calibrate load RECORDING --keep")
    }
    return load.fieldMicroteslaPerUnit
  }
}

/// Three numbers on the command line: X,Y,Z.
struct GainArgument: ExpressibleByArgument {
  let microtesla: SIMD3<Double>

  init?(argument: String) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false).map {
      SignedNumber(argument: String($0))?.value
    }
    guard parts.count == 3, let x = parts[0], let y = parts[1], let z = parts[2] else {
      RefusedValue.explain("expected three numbers in microtesla, such as 0.1,-0.2,0")
      return nil
    }
    microtesla = SIMD3(x, y, z)
  }
}
