import Foundation

/// Usage: lodestar-bench heading TRIAL.bin | calibration TRIAL.bin | field | drivers | board |
/// fusion | receivers LOGS. Prints one JSON object; for the drivers one a chip, for the receivers'
/// logs one a stream, for the calibration one a method, for the fusion one a part.
///
/// `Benchmarks/run` calls it side by side with its peers.
let arguments = CommandLine.arguments.dropFirst()
do {
  switch (arguments.first, arguments.dropFirst().first) {
  case ("heading", let path?): try benchmarkHeading(path)
  case ("calibration", let path?): try benchmarkCalibration(path)
  case ("field", _): try benchmarkField()
  case ("drivers", _): try benchmarkDrivers()
  case ("board", _): try benchmarkBoard()
  case ("fusion", _): try benchmarkFusion()
  case ("receivers", let folder?): try benchmarkReceivers(folder)
  default:
    throw BenchmarkError(
      "usage: lodestar-bench heading TRIAL.bin | calibration TRIAL.bin | field | drivers | board | "
        + "fusion | receivers LOGS")
  }
} catch {
  FileHandle.standardError.write(Data("lodestar-bench: \(error)\n".utf8))
  exit(1)
}
