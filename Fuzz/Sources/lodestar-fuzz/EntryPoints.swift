import CFuzz
import Foundation
import FuzzTargets

/// The state between calls: libFuzzer calls functions with fixed names, from one thread.
nonisolated(unsafe) private var harness: Harness?

/// The variable with the name of the target. It is in the environment because libFuzzer restarts
/// the program for some of its work and passes on its own options only.
private let variable = "LODESTAR_FUZZ_TARGET"

private func logMessage(_ text: String) {
  FileHandle.standardError.write(Data("lodestar-fuzz: \(text)\n".utf8))
}

/// Called once, before the first input.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ argc: UnsafeMutableRawPointer?, _ argv: UnsafeMutableRawPointer?) -> CInt {
  let name = ProcessInfo.processInfo.environment[variable]
  guard let target = name.flatMap({ FuzzTarget(rawValue: $0) }) else {
    logMessage(
      "\(variable) is '\(name ?? "")'; set it to one of "
        + FuzzTarget.allCases.map(\.rawValue).joined(separator: ", "))
    exit(2)
  }
  harness = Harness(target)
  atexit {
    guard let harness else { return }
    logMessage("inputs \(harness.inputs) held \(harness.held) most-held \(harness.mostHeld)")
  }
  return 0
}

/// Called with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  do throws(Violation) {
    try harness?.run(UnsafeRawBufferPointer(start: start, count: count))
  } catch {
    logMessage("broken promise: \(error)")
    fuzz_finding()
  }
  return 0
}

/// Called for each new input: libFuzzer's own mutation, with repaired checksums in two of three
/// cases.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutate(
  _ bytes: UnsafeMutablePointer<UInt8>, _ count: Int, _ most: Int, _ seed: UInt32
) -> Int {
  let count = LLVMFuzzerMutate(bytes, count, most)
  if harness?.target.isReceiverStream == true, seed % 3 > 0 {
    ChecksumRepair.repair(UnsafeMutableBufferPointer(start: bytes, count: count))
  }
  return count
}
