internal import LinuxIO

/// The queue or run loop on which a manager's delegate is called. It depends on where the manager
/// was created:
///
/// - On the main thread or main queue, and in a task, whose threads run no run loop: the main queue
///   or the main run loop, whichever runs first. Another thread serves the main queue under
///   `dispatchMain()` and an asynchronous `main`. A run loop that the program runs while it waits,
///   inside a delegate's call too, delivers.
/// - On another thread: that thread's run loop, which the program has to run, as on Apple's
///   platforms.
///
/// A manager made with `init(queue:)` uses its queue instead.
package enum DeliveryContext: Sendable {
  /// The main run loop and the main queue, whichever runs first. Under an asynchronous main another
  /// thread serves the main queue; the source is on its run loop.
  case main(server: RunLoopSource?)
  /// The run loop of the thread that made the manager.
  case runLoop(RunLoopCalls)
  /// The queue that the program gave.
  case queue(DispatchQueue)

  private static let mainQueueMark = QueueMark(.main)
  private static let mainCalls = RunLoopCalls(loop: .main)

  /// The context of the caller.
  package static func current() -> DeliveryContext {
    // Thread.isMainThread is false on the main actor under an asynchronous main.
    let isMain = Thread.isMainThread || mainQueueMark.isHere
    let isInTask = withUnsafeCurrentTask { $0 != nil }
    return isMain || isInTask ? main() : .runLoop(RunLoopCalls(loop: .ofThisThread))
  }

  /// The main queue and run loop, from the caller's thread.
  static func main() -> DeliveryContext {
    guard mainQueueMark.isHere, !Thread.isMainThread else { return .main(server: nil) }
    let server = RunLoopSource(.ofThisThread) {
      // The thread may serve another queue by then.
      if mainQueueMark.isHere { mainCalls.runWaiting() }
    }
    return .main(server: server)
  }

  /// Schedules `body` in the context. It never runs before this function returns.
  package func call(_ body: @escaping @Sendable () -> Void) {
    switch self {
    case .main(let server):
      let calls = Self.mainCalls
      calls.schedule(body)
      // `dispatchMain()` runs no run loop. The main queue is not served inside its own jobs, where
      // a run loop is.
      DispatchQueue.main.async { calls.runWaiting() }
      server?.signal()
    case .runLoop(let calls): calls.schedule(body)
    case .queue(let queue): queue.async(execute: body)
    }
  }
}
