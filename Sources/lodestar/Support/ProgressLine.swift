import FoundationEssentials
import Quantities
import Terminal

/// A progress line on standard error, only where lines can be replaced; removed at the end.
struct ProgressLine {
  init(name: String = "probe") { self.name = name }

  private let name: String

  func show(_ text: String) { StandardStream.errors.replaceLine("\(name): \(text)") }

  func clear() { StandardStream.errors.replaceLine("") }

  /// A bar of 20 characters.
  static func bar(_ share: Double) -> String {
    let done = Int(bounded: min(1, max(0, share)) * 20)
    let rest = String(repeating: "-", count: 20 - done)
    return "[\(String(repeating: "#", count: done))\(rest)]"
  }
}

/// The progress of a long file on a `ProgressLine`: a bar, the rate and the time left.
struct ReadingProgress {
  /// The time before the line is shown, s.
  private static let delay = 1.0
  /// The interval between two updates of the line, s.
  private static let interval = 0.25

  private let line: ProgressLine
  private let unit: String
  private let stride: Int
  private var count = 0
  private let start = ProcessInfo.processInfo.systemUptime
  private var nextWrite = Self.delay
  private var calls = 0
  private var isShown = false

  /// Starts the clock; shows nothing yet.
  /// - Parameters:
  ///   - file: The file's name.
  ///   - unit: What is counted, such as `rows`.
  ///   - stride: The number of calls of `update` between two readings of the clock.
  init(of file: String, _ unit: String, stride: Int = 256) {
    line = ProgressLine(name: "lodestar: \(file)")
    (self.unit, self.stride) = (unit, stride)
  }

  /// Updates the line when it is due.
  /// - Parameters:
  ///   - fraction: The share of the file that was read; nil if its size is not known.
  ///   - more: What was read since the last call.
  mutating func update(_ fraction: @autoclosure () -> Double?, adding more: Int = 1) {
    (calls, count) = (calls + 1, count + more)
    guard calls % stride == 0 else { return }
    let elapsed = ProcessInfo.processInfo.systemUptime - start
    guard elapsed >= nextWrite else { return }
    nextWrite = elapsed + Self.interval
    isShown = true
    line.show(Self.text(fraction: fraction(), count: count, unit: unit, seconds: elapsed))
  }

  /// The line: bar, share, rate and time left; without the size only the rate.
  static func text(fraction: Double?, count: Int, unit: String, seconds: Double) -> String {
    let rate = "\(Int(bounded: Double(count) / seconds)) \(unit)/s"
    guard let fraction, fraction > 0 else { return "\(count) \(unit), \(rate)" }
    let left = seconds * (1 / min(1, fraction) - 1)
    let share = String(fraction * 100, decimals: 0)
    let end = String(left, decimals: 0)
    return "\(ProgressLine.bar(fraction)) \(share) %, \(rate), \(end) s left"
  }

  /// Removes the line.
  mutating func clear() {
    if isShown { line.clear() }
    isShown = false
  }
}
