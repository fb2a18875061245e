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
    try self.init(rounds: rounds) { (_: inout UInt64) in try body() }
  }

  /// The same for work that begins with making something, whose heap blocks `body` counts: they are
  /// not those of a unit.
  init(rounds: Int, _ body: (_ making: inout UInt64) throws -> Int) rethrows {
    var times: [Double] = []
    times.reserveCapacity(rounds)
    var making: UInt64 = 0
    var units = try body(&making)
    var blocks: UInt64 = 0
    for _ in 0..<rounds {
      let before = allocation_count()
      let start = DispatchTime.now().uptimeNanoseconds
      units = try body(&making)
      times.append(Double(DispatchTime.now().uptimeNanoseconds - start) / Double(units))
      blocks = allocation_count() - before - making
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
