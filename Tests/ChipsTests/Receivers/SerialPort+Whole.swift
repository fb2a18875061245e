import Chips
import Quantities

/// Reading and writing of whole arrays.
extension SerialPort {
  /// Reads until a time, by parts of at most `size` bytes; `now` is the clock of the bus.
  func read(until end: Timestamp, size: Int, now: () -> Timestamp) throws -> [UInt8] {
    var all: [UInt8] = []
    while now() < end {
      var bytes = [UInt8](repeating: 0xEE, count: size)
      // Not through a closure with a typed error.
      var failure: BusError?
      let count = bytes.withUnsafeMutableBytes { buffer -> Int in
        do throws(BusError) { return try read(into: buffer, until: end) } catch {
          failure = error
          return 0
        }
      }
      if let failure { throw failure }
      all += bytes.prefix(count)
    }
    return all
  }

  /// Writes all bytes.
  func write(_ bytes: [UInt8]) throws {
    var failure: BusError?
    bytes.withUnsafeBytes {
      do throws(BusError) { try write($0) } catch { failure = error }
    }
    if let failure { throw failure }
  }
}
