import Synchronization

/// Work that one thread does at a time. A call during the work, from any thread, has it done once
/// more after it: the last run has seen everything that came before the last call.
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
