import ArgumentParser
import Foundation
import Fusion
import Quantities
import Study

/// The steps of recordings, for `Benchmarks/steps`.
struct StepsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "steps",
    abstract: "The steps of sensor CSVs (t, ax, ay, az; packed by gzip or not), by hops.",
    discussion: "Prints for each file its name and then 'SECONDS STEPS' of each hop with steps.")

  @Argument(help: "The files.")
  var files: [String] = []

  func run() throws {
    for file in files {
      print(file)
      try count(file)
    }
  }

  private func count(_ file: String) throws {
    let unpack = Process()
    let pipe = Pipe()
    unpack.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    unpack.arguments = ["gzip", "-dcf", file]
    unpack.standardOutput = pipe
    try unpack.run()
    let content = pipe.fileHandleForReading.readDataToEndOfFile()
    unpack.waitUntilExit()
    guard unpack.terminationStatus == 0 else {
      throw ValidationError("\(file): cannot be read")
    }
    let lines = content.split(separator: UInt8(ascii: "\n"))
    let names = lines.first.map { String(decoding: $0, as: UTF8.self) }?.split(separator: ",") ?? []
    let columns = ["t", "ax", "ay", "az"].compactMap { name in names.firstIndex { $0 == name } }
    guard columns.count == 4 else { throw ValidationError("\(file): no columns t, ax, ay, az") }
    var counter = StepCounter()
    var (last, mean) = (0.0, SIMD3<Double>.zero)
    // Times begin at 0.
    func record(_ force: SIMD3<Double>, _ t: Double) {
      let at = Timestamp(nanoseconds: UInt64(nanosecondsIn: 10 + t))
      guard let progress = counter.update(force, at: at), progress.steps > 0 else { return }
      // What waited for the walk to be one belongs to the hops before.
      let hops = max(1, Int((progress.activeSeconds / 0.48).rounded()))
      for hop in 0..<hops {
        let seconds = Double(progress.time.nanoseconds) * 1e-9 - 10 - 0.48 * Double(hop)
        print(seconds, progress.steps / Double(hops))
      }
    }
    for line in lines.dropFirst() {
      let cells = String(decoding: line, as: UTF8.self)
        .split(separator: ",", omittingEmptySubsequences: false)
      let numbers = columns.compactMap { Double(cells[$0]) }
      guard numbers.count == 4 else { continue }
      let force = SIMD3(numbers[1], numbers[2], numbers[3])
      record(force, numbers[0])
      (last, mean) = (numbers[0], mean + (force - mean) * 0.02)
    }
    // The board rests for 3 s: what is in the window becomes known.
    for i in 1...75 { record(mean, last + 0.04 * Double(i)) }
  }
}
