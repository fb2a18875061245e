/// Where a manager's delegate is called: the place where the manager was made.
///
/// - On the main thread or main queue: the main queue. It runs under `RunLoop.main.run()`, under
///   `dispatchMain()` and under an asynchronous `main`; the main run loop runs only under the first.
/// - In a task, on the cooperative pool: the main queue, because these threads run no loop.
/// - On another thread: that thread's run loop, which the program has to run, as on Apple's platforms.
///
/// A manager made with `init(queue:)` has its queue instead.
package enum DeliveryContext {
  /// The main queue.
  case mainQueue
  /// The run loop of the thread that made the manager.
  case runLoop(RunLoopBell)
  /// The queue that the program gave.
  case queue(DispatchQueue)

  private static let mainQueueMark = MainQueueMark()

  /// The place of the caller.
  package static func current() -> DeliveryContext {
    // Thread.isMainThread alone is false on the main actor under an asynchronous main.
    let isMain = Thread.isMainThread || mainQueueMark.isHere
    let isInTask = withUnsafeCurrentTask { $0 != nil }
    return isMain || isInTask ? .mainQueue : .runLoop(RunLoopBell(loop: .current))
  }

  /// Calls `body` there, later, never before this returns.
  package func call(_ body: @escaping @Sendable () -> Void) {
    switch self {
    case .mainQueue: DispatchQueue.main.async(execute: body)
    case .runLoop(let bell): bell.ring(body)
    case .queue(let queue): queue.async(execute: body)
    }
  }
}

/// Tells whether the caller runs on the main queue. The key is only ever compared, from any thread.
private final class MainQueueMark: @unchecked Sendable {
  private let key = DispatchSpecificKey<Bool>()

  init() { DispatchQueue.main.setSpecific(key: key, value: true) }

  var isHere: Bool { DispatchQueue.getSpecific(key: key) == true }
}

/// Calls closures on a run loop that belongs to one thread.
///
/// `RunLoop.perform` from another thread does not reach a secondary loop on Linux, hence a timer that
/// the owning thread adds and that looks for calls.
package final class RunLoopBell: Sendable {
  /// Seconds between two looks; the delay that a delegate on a secondary thread may see.
  package static let interval: TimeInterval = 0.02

  private let calls = Locked<[@Sendable () -> Void]>([])

  /// Adds the timer; to be called on the thread that runs `loop`.
  package init(loop: RunLoop) {
    let timer = Timer(timeInterval: Self.interval, repeats: true) { [weak self] timer in
      if let self { self.answer() } else { timer.invalidate() }
    }
    loop.add(timer, forMode: .common)
  }

  /// Keeps the call for the next look.
  func ring(_ call: @escaping @Sendable () -> Void) { calls.withLock { $0.append(call) } }

  private func answer() {
    let due = calls.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    for call in due { call() }
  }
}
