import Synchronization

/// The thread of a connection. It starts at the first job and ends with `close`. Safe from any
/// thread.
final class DBusThread: Sendable {
  private static let key = "lodestar-dbus"

  private struct State {
    var jobs: [@Sendable (BusLoop) -> Void] = []
    var isStarted = false
    var isClosed = false
  }

  // Unchecked: the loop is passed to its own thread only.
  private struct Running: @unchecked Sendable {
    let thread: WorkerThread.Identity
    let loop: BusLoop
  }

  let address: DBusAddress
  let waker = BusWaker()
  private let state = Mutex(State())
  private let running = Mutex<Running?>(nil)

  init(address: DBusAddress) { self.address = address }

  /// The loop for a caller on this thread; nil for one on another thread.
  var loop: BusLoop? {
    running.withLock { $0?.thread == .current ? $0 : nil }?.loop
  }

  /// True after `close`.
  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// True where the loop must not wait.
  var hasWork: Bool { state.withLock { $0.isClosed || !$0.jobs.isEmpty } }

  /// Runs a job on the thread, in the order of submission; false after `close`.
  @discardableResult
  func submit(_ job: @escaping @Sendable (BusLoop) -> Void) -> Bool {
    let (isTaken, isFirst) = state.withLock { state in
      guard !state.isClosed else { return (false, false) }
      state.jobs.append(job)
      defer { state.isStarted = true }
      return (true, !state.isStarted)
    }
    if isFirst { start() } else if isTaken { waker.wake() }
    return isTaken
  }

  /// Removes the jobs, in the order of submission.
  func removeJobs() -> [@Sendable (BusLoop) -> Void] {
    state.withLock { state in
      defer { state.jobs = [] }
      return state.jobs
    }
  }

  /// Ends the thread and closes the connection: the bus then removes its names, rules and objects.
  func close() {
    state.withLock { $0.isClosed = true }
    waker.wake()
  }

  private func start() {
    WorkerThread.start(Self.key) { [self] in
      let loop = BusLoop(self)
      running.withLock { $0 = Running(thread: .current, loop: loop) }
      loop.run()
      running.withLock { $0 = nil }
    }
  }
}
