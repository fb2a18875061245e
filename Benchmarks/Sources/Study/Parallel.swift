import Foundation

/// The results of `body` for 0 to `count`, computed on all cores.
public func parallel<T: Sendable>(_ count: Int, _ body: @escaping @Sendable (Int) -> T) -> [T] {
  let results = Results<T>(count)
  DispatchQueue.concurrentPerform(iterations: count) { n in results.set(n, body(n)) }
  return results.all
}

/// A list that threads fill. Sendable because the lock stands before every use.
private final class Results<T: Sendable>: @unchecked Sendable {
  private var list: [T?]
  private let lock = NSLock()

  init(_ count: Int) { list = Array(repeating: nil, count: count) }

  func set(_ n: Int, _ value: T) {
    lock.withLock { list[n] = value }
  }

  var all: [T] { lock.withLock { list.compactMap { $0 } } }
}
