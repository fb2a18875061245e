import CFuzz
import Foundation
import FuzzTargets

/// libFuzzer calls functions with fixed names from one thread; what lasts from one to the next is here.
nonisolated(unsafe) private var harness: Harness?

/// Which decoder: libFuzzer starts the program anew for some of its work and hands on its own options
/// only, so the name comes in the environment.
private let variable = "LODESTAR_FUZZ_TARGET"

private func say(_ text: String) {
  FileHandle.standardError.write(Data("lodestar-fuzz: \(text)\n".utf8))
}

/// Called once, before the first input.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ argc: UnsafeMutableRawPointer?, _ argv: UnsafeMutableRawPointer?) -> CInt {
  let name = ProcessInfo.processInfo.environment[variable]
  guard let target = name.flatMap({ FuzzTarget(rawValue: $0) }) else {
    say(
      "\(variable) is '\(name ?? "")'; set it to one of "
        + FuzzTarget.allCases.map(\.rawValue).joined(separator: ", "))
    exit(2)
  }
  harness = Harness(target)
  atexit {
    guard let harness else { return }
    say("inputs \(harness.inputs) held \(harness.held) most-held \(harness.mostHeld)")
  }
  return 0
}

/// Called with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  do throws(Violation) {
    try harness?.run(UnsafeRawBufferPointer(start: start, count: count))
  } catch {
    say("broken promise: \(error)")
    fuzz_finding()
  }
  return 0
}

/// Called for each new input: libFuzzer's own mutation, and in two of three the checksums mended.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutate(
  _ bytes: UnsafeMutablePointer<UInt8>, _ count: Int, _ most: Int, _ seed: UInt32
) -> Int {
  let count = LLVMFuzzerMutate(bytes, count, most)
  if harness?.target.isReceiverStream == true, seed % 3 > 0 {
    Seal.mend(UnsafeMutableBufferPointer(start: bytes, count: count))
  }
  return count
}
