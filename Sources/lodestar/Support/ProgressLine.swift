import Foundation
import Terminal

/// A progress line on standard error, only where lines can be replaced; removed at the end.
struct ProgressLine {
  init(name: String = "probe") { self.name = name }

  private let name: String

  func show(_ text: String) { StandardStream.errors.replaceLine("\(name): \(text)") }

  func clear() { StandardStream.errors.replaceLine("") }
}

/// The progress of reading a long file, on a `ProgressLine`.
struct ReadingProgress {
  /// The time before the line is shown, s.
  private static let delay = 1.0
  /// The interval between two updates of the line, s.
  private static let interval = 0.25
  /// The number of calls between two readings of the clock.
  private static let stride = 256

  private let line: ProgressLine
  private let start = ProcessInfo.processInfo.systemUptime
  private var nextWrite = Self.delay
  private var calls = 0
  private var isShown = false

  /// Starts the clock; shows nothing yet.
  init(of file: String) { line = ProgressLine(name: "lodestar: \(file)") }

  /// Updates the line when it is due.
  /// - Parameter fraction: The share of the file that was read; nil if its size is not known.
  mutating func update(_ fraction: @autoclosure () -> Double?) {
    calls += 1
    guard calls % Self.stride == 0 else { return }
    let elapsed = ProcessInfo.processInfo.systemUptime - start
    guard elapsed >= nextWrite, let fraction = fraction(), fraction > 0 else { return }
    nextWrite = elapsed + Self.interval
    isShown = true
    let left = elapsed * (1 / fraction - 1)
    line.show(String(format: "%.0f %%, %.0f s left", fraction * 100, left))
  }

  /// Removes the line.
  mutating func clear() {
    if isShown { line.clear() }
    isShown = false
  }
}
