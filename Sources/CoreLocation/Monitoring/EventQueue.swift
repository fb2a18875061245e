internal import LinuxIO

/// A queue whose elements go to one reader each, in order. Safe from any thread.
///
/// Unlike an `AsyncStream` it stays open after a reader is cancelled: the next reader receives the
/// remaining elements.
final class EventQueue<Element: Sendable>: Sendable {
  private let state = Locked(State())
  private let limit: Int

  private struct State {
    var elements: [Element] = []
    var readers: [(key: Int, continuation: CheckedContinuation<Element?, Never>)] = []
    var cancelled: Set<Int> = []
    var nextKey = 0
  }

  /// Makes a queue of at most `limit` elements; the oldest are dropped beyond that.
  init(limit: Int) { self.limit = limit }

  /// Passes an element to the reader that has waited longest, or stores it.
  func append(_ element: Element) {
    let reader = state.withLock { state -> CheckedContinuation<Element?, Never>? in
      guard !state.readers.isEmpty else {
        if state.elements.count >= limit { state.elements.removeFirst() }
        state.elements.append(element)
        return nil
      }
      return state.readers.removeFirst().continuation
    }
    reader?.resume(returning: element)
  }

  /// Removes and returns the waiting elements that satisfy the predicate.
  func removeAll(where isRemoved: (Element) -> Bool) -> [Element] {
    state.withLock { state in
      let removed = state.elements.filter(isRemoved)
      state.elements.removeAll(where: isRemoved)
      return removed
    }
  }

  /// Waits for the first element; nil where the task is cancelled, which removes no element.
  func next() async -> Element? {
    let key = state.withLock { state in
      state.nextKey += 1
      return state.nextKey
    }
    // A cancellation after the result has inserted the key.
    defer { state.withLock { _ = $0.cancelled.remove(key) } }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let outcome = state.withLock { state -> Element?? in
          // Cancelled before it began to wait.
          if state.cancelled.remove(key) != nil { return .some(nil) }
          guard state.elements.isEmpty else { return .some(state.elements.removeFirst()) }
          state.readers.append((key, continuation))
          return nil
        }
        if let outcome { continuation.resume(returning: outcome) }
      }
    } onCancel: {
      let reader = state.withLock { state -> CheckedContinuation<Element?, Never>? in
        guard let place = state.readers.firstIndex(where: { $0.key == key }) else {
          state.cancelled.insert(key)
          return nil
        }
        return state.readers.remove(at: place).continuation
      }
      reader?.resume(returning: nil)
    }
  }
}
