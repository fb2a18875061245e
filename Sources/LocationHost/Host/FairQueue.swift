import Dispatch
import Synchronization

/// Work of several applications on one serial queue, an operation at a time. The turns rotate over
/// the users, and for each user over the applications: whatever one application requests, another
/// waits for one operation of each other user, and of each other application of its own user, at
/// most.
///
/// Operations that are added to the serial queue directly, such as fixes, wait for one operation. In
/// process there is one application: its operations run on the caller's thread.
final class FairQueue: Sendable {
  typealias Work = @Sendable () -> Void

  private let queue: DispatchQueue
  private let isInProcess: Bool
  private let state = Mutex(State())

  private struct State {
    var waiting = FairOrder<Work>()
    var isRunning = false
    var isClosed = false
  }

  init(_ queue: DispatchQueue, isInProcess: Bool = false) {
    (self.queue, self.isInProcess) = (queue, isInProcess)
  }

  /// Adds an operation of an application, or in process runs it. After `close` what is added is
  /// dropped.
  func add(_ key: ApplicationKey, _ work: @escaping Work) {
    if isInProcess { return work() }
    let mustStart = state.withLock { state in
      guard !state.isClosed else { return false }
      state.waiting.add(work, of: key)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if mustStart { queue.async { [self] in runNext() } }
  }

  /// Drops the waiting operations and all later ones.
  func close() { state.withLock { ($0.isClosed, $0.waiting) = (true, FairOrder()) } }

  /// Returns after all added operations, for tests.
  func waitUntilIdle() { repeat { queue.sync {} } while state.withLock({ $0.isRunning }) }

  private func runNext() {
    let work = state.withLock { state in
      let next = state.waiting.next()
      state.isRunning = next != nil
      return next
    }
    guard let work else { return }
    work()
    queue.async { [self] in runNext() }
  }
}

/// The order of a `FairQueue`: users in turn, each user's applications in turn, each application's
/// items as added.
package struct FairOrder<Item> {
  private typealias Application = (id: String, items: [Item])
  private var users: [(uid: UInt32, applications: [Application])] = []

  /// Makes an order without items.
  package init() {}

  /// Appends an item to those of an application.
  package mutating func add(_ item: Item, of key: ApplicationKey) {
    guard let user = users.firstIndex(where: { $0.uid == key.uid }) else {
      return users.append((key.uid, [(key.id, [item])]))
    }
    if let one = users[user].applications.firstIndex(where: { $0.id == key.id }) {
      users[user].applications[one].items.append(item)
    } else {
      users[user].applications.append((key.id, [item]))
    }
  }

  /// Removes and returns the item whose turn it is; nil without items.
  package mutating func next() -> Item? {
    guard !users.isEmpty else { return nil }
    var user = users.removeFirst()
    var application = user.applications.removeFirst()
    let item = application.items.removeFirst()
    if !application.items.isEmpty { user.applications.append(application) }
    if !user.applications.isEmpty { users.append(user) }
    return item
  }
}
