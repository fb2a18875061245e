/// Elements in the order in which they came, each for one of those who ask. Safe from any thread.
///
/// Unlike an `AsyncStream` it outlives a cancelled reader: what that one did not take waits for the next.
final class WaitingLine<Element: Sendable>: Sendable {
  private let state = Locked(State())
  private let limit: Int

  private struct State {
    var elements: [Element] = []
    var readers: [(key: Int, continuation: CheckedContinuation<Element?, Never>)] = []
    var cancelled: Set<Int> = []
    var nextKey = 0
  }

  /// Makes a line in which at most `limit` elements wait; the oldest go first.
  init(limit: Int) { self.limit = limit }

  /// Adds an element, for the reader that has waited longest if there is one.
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

  /// Takes out the elements that still wait and are meant.
  func removeAll(where isMeant: (Element) -> Bool) -> [Element] {
    state.withLock { state in
      let removed = state.elements.filter(isMeant)
      state.elements.removeAll(where: isMeant)
      return removed
    }
  }

  /// The first element, once there is one; nil where the task is cancelled, which takes none.
  func next() async -> Element? {
    let key = state.withLock { state in
      state.nextKey += 1
      return state.nextKey
    }
    // A cancellation that comes after the answer leaves its mark.
    defer { state.withLock { _ = $0.cancelled.remove(key) } }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let outcome = state.withLock { state -> Element?? in
          // Cancelled before it came to wait.
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
