internal import LinuxIO

/// The queue or run loop on which a manager's delegate is called. It depends on where the manager
/// was created:
///
/// - On the main thread or main queue: the main queue. It is served under `RunLoop.main.run()`,
///   `dispatchMain()` and an asynchronous `main`; the main run loop only under the first.
/// - In a task, on the cooperative pool: the main queue, because these threads run no run loop.
/// - On another thread: that thread's run loop, which the program has to run, as on Apple's
///   platforms.
///
/// A manager made with `init(queue:)` uses its queue instead.
package enum DeliveryContext: Sendable {
  /// The main queue.
  case mainQueue
  /// The run loop of the thread that made the manager.
  case runLoop(RunLoopScheduler)
  /// The queue that the program gave.
  case queue(DispatchQueue)

  private static let mainQueueMark = QueueMark(.main)

  /// The context of the caller.
  package static func current() -> DeliveryContext {
    // Thread.isMainThread is false on the main actor under an asynchronous main.
    let isMain = Thread.isMainThread || mainQueueMark.isHere
    let isInTask = withUnsafeCurrentTask { $0 != nil }
    return isMain || isInTask ? .mainQueue : .runLoop(RunLoopScheduler(loop: .current))
  }

  /// Schedules `body` in the context. It never runs before this function returns.
  package func call(_ body: @escaping @Sendable () -> Void) {
    switch self {
    case .mainQueue: DispatchQueue.main.async(execute: body)
    case .runLoop(let scheduler): scheduler.schedule(body)
    case .queue(let queue): queue.async(execute: body)
    }
  }
}

/// Runs closures on the run loop of one thread.
///
/// On Linux `RunLoop.perform` from another thread does not wake a secondary loop. A repeating timer
/// of the owning thread polls for closures instead.
package final class RunLoopScheduler: Sendable {
  /// The polling interval in seconds: the maximum delay of a delegate call on a secondary thread.
  package static let interval: TimeInterval = 0.02

  private let calls = Locked<[@Sendable () -> Void]>([])

  /// Adds the timer. Call it on the thread that runs `loop`.
  package init(loop: RunLoop) {
    let timer = Timer(timeInterval: Self.interval, repeats: true) { [weak self] timer in
      if let self { self.runCalls() } else { timer.invalidate() }
    }
    loop.add(timer, forMode: .common)
  }

  /// Stores the closure until the next poll.
  func schedule(_ call: @escaping @Sendable () -> Void) { calls.withLock { $0.append(call) } }

  private func runCalls() {
    let due = calls.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    for call in due { call() }
  }
}
