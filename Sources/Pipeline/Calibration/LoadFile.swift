import LinuxIO
import Synchronization

/// Reads a load from a file ten times a second on its own thread. The file is a sensor of the
/// kernel's hwmon, or written by another program.
public final class LoadFile: Sendable {
  /// Nanoseconds between two readings.
  private static let interval: UInt64 = 100_000_000
  /// The limit of the file, bytes: only its first word is used.
  private static let largestBytes = 65_536

  private struct State {
    var newest: Double?
    var isStopped = false
  }

  private let path: String
  private let state: Mutex<State>

  /// Makes a reader, which starts at once; nil if the file holds no number now.
  /// - Parameter path: A file whose first word is a number.
  public init?(path: String) {
    self.path = path
    guard let first = Self.number(in: path) else { return nil }
    state = Mutex(State(newest: first))
    WorkerThread.start("lodestar-load") { [weak self] in
      while self?.read() == true {
        MonotonicClock.sleep(until: MonotonicClock.now.advanced(byNanoseconds: Self.interval))
      }
    }
  }

  /// The newest load; nil while the file holds no number.
  public var load: Double? { state.withLock { $0.newest } }

  /// Ends the reading.
  public func stop() { state.withLock { $0.isStopped = true } }

  private func read() -> Bool {
    let value = Self.number(in: path)
    return state.withLock { state in
      state.newest = value
      return !state.isStopped
    }
  }

  private static func number(in path: String) -> Double? {
    do {
      let bytes = try LinuxFiles(largestBytes: largestBytes).content(of: path)
      let word = String(decoding: bytes.prefix(64), as: UTF8.self).split(
        whereSeparator: \.isWhitespace)
      return word.first.flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
    } catch {
      return nil
    }
  }
}
