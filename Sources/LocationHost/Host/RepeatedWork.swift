import Synchronization

/// Work that runs on one thread at a time. A call during a run, from any thread, causes one more
/// run after it, so that the last run includes everything from before the last call.
final class RepeatedWork: Sendable {
  private enum Stage { case idle, running, repeating }
  private let stage = Mutex(Stage.idle)

  func run(_ work: () -> Void) {
    let isRunning = stage.withLock { stage in
      defer { stage = stage == .idle ? .running : .repeating }
      return stage != .idle
    }
    guard !isRunning else { return }
    var isDue = true
    while isDue {
      work()
      isDue = stage.withLock { stage in
        stage = stage == .repeating ? .running : .idle
        return stage == .running
      }
    }
  }
}
