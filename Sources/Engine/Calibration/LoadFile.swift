import Foundation

/// Reads a load from a file ten times a second on its own thread. The file is a sensor of the kernel's
/// hwmon, or written by another program.
public final class LoadFile: @unchecked Sendable {
  private static let interval = 0.1

  private let path: String
  private let lock = NSLock()
  private var newest: Double?
  private var isStopped = false

  /// Makes a reader, which starts at once; nil if the file holds no number now.
  /// - Parameter path: A file whose first word is a number.
  public init?(path: String) {
    self.path = path
    guard let first = Self.number(in: path) else { return nil }
    newest = first
    let thread = Thread { [weak self] in
      while let reader = self, reader.read() { Thread.sleep(forTimeInterval: Self.interval) }
    }
    thread.name = "lodestar-load"
    thread.start()
  }

  /// The newest load; nil while the file holds no number.
  public var load: Double? { lock.withLock { newest } }

  /// Ends the reading.
  public func stop() { lock.withLock { isStopped = true } }

  private func read() -> Bool {
    let value = Self.number(in: path)
    return lock.withLock {
      newest = value
      return !isStopped
    }
  }

  private static func number(in path: String) -> Double? {
    guard let data = FileManager.default.contents(atPath: path) else { return nil }
    let word = String(decoding: data.prefix(64), as: UTF8.self).split(
      whereSeparator: \.isWhitespace)
    return word.first.flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
  }
}
