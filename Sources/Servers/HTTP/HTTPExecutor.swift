import Dispatch

/// Runs the HTTP server's tasks on a queue of its own, so that blocked threads of Swift's shared pool do not stop it, and its
/// clients occupy one processor at most.
final class HTTPExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "lodestar-http")

  func enqueue(_ job: consuming ExecutorJob) {
    let unowned = UnownedJob(job)
    queue.async { unowned.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
