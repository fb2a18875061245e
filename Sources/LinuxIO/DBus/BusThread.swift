import Foundation

/// The thread of a connection: all use of libdbus and all callbacks run on it.
///
/// It starts at the first use and ends with `close`. While there are subscriptions or exported objects it
/// reconnects, after `firstPause`, doubled up to `longestPause`.
final class BusThread: @unchecked Sendable {
  /// Seconds before the first attempt to reconnect; short, for a daemon that restarts.
  static let firstPause = 0.5
  /// Longest interval between attempts to reconnect, seconds.
  static let longestPause = 30.0
  /// Timeout of requests to the bus itself, seconds.
  static let busTimeout = 5.0

  let address: DBusAddress
  private let waker = BusWaker()
  private let lock = NSLock()
  private var jobs: [(BusThread) -> Void] = []
  private var isStarted = false
  private var isClosed = false

  // Used on the thread only:
  var link: BusLink?
  var uniqueName = ""
  var pending: [UInt32: PendingCall] = [:]
  var inbox: [BusLink.Received] = []
  private var timers: [(instant: Double, job: () -> Void)] = []
  var standing = StandingRequests()
  /// The unique names of the owners of tracked services.
  var owners: [String: String] = [:]
  private var pause = firstPause
  private var nextAttempt = 0.0
  private var lastFailure: DBusError?
  private var isEnding = false
  private var threadID = pthread_t()

  init(address: DBusAddress) { self.address = address }

  /// Whether the caller is on this thread.
  var isHere: Bool {
    lock.withLock { isStarted && pthread_equal(threadID, pthread_self()) != 0 }
  }

  /// Runs a job on the thread, in the order of submission; false after `close`.
  @discardableResult
  func submit(_ job: @escaping (BusThread) -> Void) -> Bool {
    lock.lock()
    defer { lock.unlock() }
    guard !isClosed else { return false }
    jobs.append(job)
    if isStarted {
      waker.wake()
    } else {
      isStarted = true
      let thread = Thread { self.run() }
      thread.name = "lodestar-dbus"
      thread.start()
    }
    return true
  }

  /// Ends the thread and closes the connection: the bus then removes its names, rules and objects.
  func close() {
    lock.withLock { isClosed = true }
    waker.wake()
  }

  private func run() {
    lock.withLock { threadID = pthread_self() }
    while !lock.withLock({ isClosed }) {
      runJobs()
      reconnect()
      turn()
      deliver()
      runTimers()
      if inbox.isEmpty && lock.withLock({ jobs.isEmpty && !isClosed }) { wait(until: nextInstant) }
    }
    // Late jobs still have waiting callers, but must not connect again.
    isEnding = true
    runJobs()
    lose(failing: .disconnected)
    standing = StandingRequests()
  }

  private func runJobs() {
    let due = lock.withLock {
      defer { jobs = [] }
      return jobs
    }
    for job in due { job(self) }
  }

  /// Runs a job on the thread after a delay; called on the thread.
  func runLater(_ seconds: Double, _ job: @escaping () -> Void) {
    timers.append((BusClock.seconds + seconds, job))
  }

  private func runTimers() {
    let now = BusClock.seconds
    let due = timers.filter { $0.instant <= now }
    guard !due.isEmpty else { return }
    timers.removeAll { $0.instant <= now }
    for timer in due.sorted(by: { $0.instant < $1.instant }) { timer.job() }
  }

  private var nextInstant: Double {
    var next = BusClock.seconds + 3600
    for timer in timers { next = min(next, timer.instant) }
    for call in pending.values { next = min(next, call.deadline) }
    if link == nil, !standing.isEmpty { next = min(next, nextAttempt) }
    return next
  }

  /// Waits for the socket, a job or an instant.
  func wait(until instant: Double) {
    waker.wait(
      descriptor: link?.descriptor ?? -1, isWriting: link?.isWriting ?? false,
      seconds: instant - BusClock.seconds)
  }

  /// Reads messages: delivers answers to their calls, moves the rest to the inbox, and ends overdue calls.
  func turn() {
    if let link {
      let isAlive = link.turn()
      while let received = link.receive() { sort(received) }
      if !isAlive { lose(failing: .disconnected) }
    }
    expire()
  }

  /// Connects if there are subscriptions or exported objects and the pause has passed.
  private func reconnect() {
    guard link == nil, !standing.isEmpty, BusClock.seconds >= nextAttempt else { return }
    do throws(DBusError) {
      try connect()
    } catch {
      lastFailure = error
    }
  }

  /// Connects now, unless an attempt has just failed.
  func connectIfNeeded() throws(DBusError) {
    guard !isEnding else { throw DBusError(.disconnected, bus: address.name) }
    guard link == nil else { return }
    let sinceFailure = BusClock.seconds - (nextAttempt - pause)
    if let lastFailure, sinceFailure < Self.firstPause / 2 { throw lastFailure }
    do throws(DBusError) {
      try connect()
    } catch {
      lastFailure = error
      throw error
    }
  }

  private func connect() throws(DBusError) {
    pause = min(pause * 2, Self.longestPause)
    nextAttempt = BusClock.seconds + pause
    let fresh = try BusLink(address)
    link = fresh
    let hello = callHere(
      .bus("Hello"), deadline: BusClock.seconds + Self.busTimeout, isConnecting: true)
    guard case .success(let values) = hello, let name = values.first?.text else {
      lose(failing: .disconnected)
      guard case .failure(let error) = hello, error.kind != .disconnected else {
        // The bus closes the connection of a rejected user.
        throw DBusError(.accessDenied("the bus closes the connection"), bus: address.name)
      }
      throw error
    }
    uniqueName = name
    pause = Self.firstPause
    lastFailure = nil
    restore()
  }

  /// Drops the connection, and ends all pending calls with an error.
  private func lose(failing kind: DBusError.Kind) {
    guard link != nil || !pending.isEmpty else { return }
    for received in inbox {
      if let call = received.call { link?.forget(call) }
    }
    inbox = []
    link = nil
    uniqueName = ""
    let failed = pending
    pending = [:]
    for call in failed.values {
      call.finish(
        .failure(DBusError(kind, bus: address.name, service: call.service, method: call.method)))
    }
    nextAttempt = BusClock.seconds + pause
    forgetOwners()
  }
}
