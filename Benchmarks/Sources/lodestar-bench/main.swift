import Foundation

/// Usage: lodestar-bench heading TRIAL.bin | field | drivers | board. Prints one JSON object, for the
/// drivers one a chip.
///
/// `Benchmarks/run` calls it side by side with its peers.
let arguments = CommandLine.arguments.dropFirst()
do {
  switch (arguments.first, arguments.dropFirst().first) {
  case ("heading", let path?): try benchmarkHeading(path)
  case ("field", _): try benchmarkField()
  case ("drivers", _): try benchmarkDrivers()
  case ("board", _): try benchmarkBoard()
  default: throw BenchmarkError("usage: lodestar-bench heading TRIAL.bin | field | drivers | board")
  }
} catch {
  FileHandle.standardError.write(Data("lodestar-bench: \(error)\n".utf8))
  exit(1)
}
