import LocationHost
import Synchronization

/// What one user, or one application of a user, occupies in the server: the requests in progress
/// and the bytes of queued messages, of all its clients together. A request counts until its work
/// is done, also after its client has left.
final class Account: Sendable {
  /// The limits of an account.
  struct Limits: Equatable, Sendable {
    /// Requests in progress; at the limit nothing more is read from the clients.
    var requests: Int
    /// Bytes of queued messages; at the limit nothing more is read from the clients, and above
    /// three times the limit the client with the longest queue is disconnected: the answers to
    /// requests in progress have room.
    var queuedBytes: Int
  }

  private let limits: Limits
  private let requests = Atomic(0)
  private let queuedBytes = Atomic(0)

  init(_ limits: Limits) { self.limits = limits }

  /// Adds to the requests in progress, or subtracts.
  func count(requests change: Int) { requests.add(change, ordering: .sequentiallyConsistent) }

  /// Adds to the bytes of queued messages, or subtracts.
  func count(queuedBytes change: Int) {
    if change != 0 { queuedBytes.add(change, ordering: .sequentiallyConsistent) }
  }

  /// True while nothing more is read from the account's clients.
  var isFull: Bool {
    requests.load(ordering: .sequentiallyConsistent) >= limits.requests
      || queuedBytes.load(ordering: .sequentiallyConsistent) >= limits.queuedBytes
  }

  /// True where an application's account has more than an eighth of its limits: nothing more is
  /// read from its clients while the user's account is full, but other applications of the user go
  /// on.
  var exceedsShare: Bool {
    requests.load(ordering: .sequentiallyConsistent) * 8 > limits.requests
      || isSubstantial(queuedBytes: queuedBytes.load(ordering: .sequentiallyConsistent))
  }

  /// Whether so many queued bytes are more than an eighth of the limit.
  func isSubstantial(queuedBytes: Int) -> Bool { queuedBytes * 8 > limits.queuedBytes }

  /// True while a client has to be disconnected.
  var isOverdrawn: Bool {
    queuedBytes.load(ordering: .sequentiallyConsistent) > 3 * limits.queuedBytes
  }

  /// True while no work of the account is in progress.
  var isIdle: Bool { requests.load(ordering: .sequentiallyConsistent) == 0 }
}

/// The accounts of all users and applications with clients or work in progress. Used by the
/// server's thread only.
struct Accounts {
  private var users: [UInt32: Account] = [:]
  private var applications: [ApplicationKey: Account] = [:]

  /// All accounts.
  var all: [Account] { Array(users.values) + Array(applications.values) }

  /// The account of a user.
  mutating func ofUser(_ uid: UInt32, _ configuration: ServeConfiguration) -> Account {
    let account = users[uid] ?? Account(configuration.userLimits)
    users[uid] = account
    return account
  }

  /// The account of an application.
  mutating func ofApplication(
    _ key: ApplicationKey, _ configuration: ServeConfiguration
  ) -> Account {
    let account = applications[key] ?? Account(configuration.applicationLimits)
    applications[key] = account
    return account
  }

  /// Removes the accounts without clients and without work in progress.
  mutating func prune(_ clients: [SocketClient]) {
    let used = Set(clients.flatMap(\.accounts).map { ObjectIdentifier($0) })
    func isUsed(_ account: Account) -> Bool {
      used.contains(ObjectIdentifier(account)) || !account.isIdle
    }
    users = users.filter { isUsed($0.value) }
    applications = applications.filter { isUsed($0.value) }
  }
}
