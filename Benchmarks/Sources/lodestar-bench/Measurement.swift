import CAllocationCounter
import Foundation

struct BenchmarkError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// What one body of work cost a unit of it: the fastest and the median of several rounds, and the
/// heap blocks of a round after the first.
struct Measurement: Encodable {
  let nanosecondsFastest: Double
  let nanosecondsMedian: Double
  let allocations: Double
  let units: Int
  let rounds: Int

  /// Measures `body`, which does the work once and returns how many units it was, so many `rounds`.
  init(rounds: Int, _ body: () throws -> Int) rethrows {
    var times: [Double] = []
    times.reserveCapacity(rounds)
    var units = try body()
    var blocks: UInt64 = 0
    for _ in 0..<rounds {
      let before = allocation_count()
      let start = DispatchTime.now().uptimeNanoseconds
      units = try body()
      times.append(Double(DispatchTime.now().uptimeNanoseconds - start) / Double(units))
      blocks = allocation_count() - before
    }
    times.sort()
    nanosecondsFastest = times[0]
    nanosecondsMedian = times[times.count / 2]
    allocations = Double(blocks) / Double(units)
    self.units = units
    self.rounds = rounds
  }

  func report() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    print(String(decoding: try encoder.encode(self), as: UTF8.self))
  }
}
