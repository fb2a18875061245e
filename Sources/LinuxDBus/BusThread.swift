import Foundation

/// The thread of a connection: everything that touches libdbus happens on it, and so do callbacks.
///
/// It begins with the first use and ends with `close`. While somebody waits for signals or exports an object
/// it reconnects, after `firstPause` doubled up to `longestPause`.
final class BusThread: @unchecked Sendable {
  /// Seconds before the first attempt to reconnect, so that a daemon that restarts is met again soon.
  static let firstPause = 0.5
  /// Seconds between attempts on a bus that stays away.
  static let longestPause = 30.0
  /// Seconds that the bus itself may take for an answer.
  static let busPatience = 5.0

  let address: DBusAddress
  private let waker = BusWaker()
  private let lock = NSLock()
  private var jobs: [(BusThread) -> Void] = []
  private var isStarted = false
  private var isClosed = false

  // The thread's own, below.
  var link: BusLink?
  var uniqueName = ""
  var pending: [UInt32: PendingCall] = [:]
  var inbox: [BusLink.Received] = []
  private var timers: [(instant: Double, job: () -> Void)] = []
  var standing = StandingWants()
  /// The unique names behind the services that somebody watches.
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

  /// Runs a job on the thread, in the order of the submissions; false once it is closed.
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

  /// Ends the thread, which closes the connection: the bus forgets names, rules and objects with it.
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
    // Jobs that came too late still have callers who wait; they must not connect again.
    isEnding = true
    runJobs()
    lose(failing: .disconnected)
    standing = StandingWants()
  }

  private func runJobs() {
    let due = lock.withLock {
      defer { jobs = [] }
      return jobs
    }
    for job in due { job(self) }
  }

  /// Runs a job on the thread, where this is called, so many seconds from now.
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

  /// Moves what came into the inbox, answers whose call waits aside, and gives up what is overdue.
  func turn() {
    if let link {
      let isAlive = link.turn()
      while let received = link.receive() { sort(received) }
      if !isAlive { lose(failing: .disconnected) }
    }
    expire()
  }

  /// Connects where somebody waits for signals or exports an object, and it is time to.
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
      .bus("Hello"), deadline: BusClock.seconds + Self.busPatience, isConnecting: true)
    guard case .success(let values) = hello, let name = values.first?.text else {
      lose(failing: .disconnected)
      guard case .failure(let error) = hello, error.kind != .disconnected else {
        // The bus hangs up on whom it does not let in.
        throw DBusError(.accessDenied("the bus closes the connection"), bus: address.name)
      }
      throw error
    }
    uniqueName = name
    pause = Self.firstPause
    lastFailure = nil
    restore()
  }

  /// Forgets the connection, and tells everybody who waits.
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
