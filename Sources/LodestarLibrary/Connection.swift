import CLodestar
import FoundationEssentials
import Glibc
import HostClient
import LinuxIO
import Observers
import Quantities

/// A failed call: its result and its text.
struct CallFault: Error {
  let code: Int
  let text: String

  init(_ code: Int, _ text: String) { (self.code, self.text) = (code, text) }

  init(_ error: HostError) {
    text = "\(error)"
    code =
      switch error {
      case .noSocket, .notRunning, .gone: LODESTAR_ERROR_NO_DAEMON
      case .noAccess, .rejected, .refused: LODESTAR_ERROR_ACCESS
      case .noAnswer: LODESTAR_ERROR_NO_ANSWER
      case .socket: LODESTAR_ERROR_SYSTEM
      }
  }
}

/// A connection to the daemon for programs in C.
final class Connection: Sendable {
  /// The age of the newest estimate that is current, seconds: a daemon sends one a second at least.
  private static let lifetime = 5.0

  private static let noData = CallFault(
    LODESTAR_ERROR_NO_DATA, "nothing has been received yet: wait for it")

  private struct State {
    var newest: (estimate: Estimate, arrival: Timestamp)?
    var lastFix = LastFix()
    /// Why the daemon cannot be reached now.
    var loss: HostError?
    var observations: [Observation] = []
  }

  private let client: HostClient
  private let state = Locked(State())
  private let news: Wakener

  init(application: String, socket: String?) throws(CallFault) {
    var environment = ProcessInfo.processInfo.environment
    // The library's name of the variable that `SocketPath` reads.
    if let socket { environment["LODESTAR_SOCKET"] = socket }
    do throws(NetworkError) {
      news = try Wakener()
    } catch { throw CallFault(LODESTAR_ERROR_SYSTEM, "\(error)") }
    do throws(HostError) {
      client = try HostClient(application: application, environment: environment)
    } catch { throw CallFault(error) }
    client.access.request(.whenInUse)
    let observations = [
      client.publisher.observe { [weak self] in self?.receive($0) },
      client.observeConnection { [weak self] in self?.connectionChanged($0) },
      client.access.observe { [weak self] in self?.accessChanged() },
    ]
    state.withLock { $0.observations = observations }
  }

  func close() {
    let observations = state.withLock { state in
      defer { state.observations = [] }
      return state.observations
    }
    for observation in observations { observation.cancel() }
    client.stop()
  }

  var descriptor: Int32 { news.file }

  /// Waits for news; false at the timeout.
  func wait(milliseconds: Int32) throws(CallFault) -> Bool {
    let end =
      milliseconds < 0 ? nil : MonotonicClock.now.advanced(bySeconds: Double(milliseconds) / 1000)
    while true {
      var file = pollfd(fd: news.file, events: Int16(POLLIN), revents: 0)
      let rest = end.map { max(0, ($0.seconds(since: MonotonicClock.now) * 1000).rounded(.up)) }
      let count = poll(&file, 1, rest.map { Int32(bounded: $0) } ?? -1)
      if count > 0 {
        news.clear()
        return true
      }
      if count == 0 { return false }
      guard errno == EINTR else {
        throw CallFault(LODESTAR_ERROR_SYSTEM, "cannot wait: \(String(cString: strerror(errno)))")
      }
    }
  }

  /// The newest estimate, with the newest valid place.
  func estimate() throws(CallFault) -> Estimate {
    let (newest, loss) = state.withLock { ($0.newest, $0.loss) }
    if let loss { throw CallFault(loss) }
    guard let newest else { throw Self.noData }
    guard MonotonicClock.now.seconds(since: newest.arrival) < Self.lifetime else {
      throw CallFault(
        LODESTAR_ERROR_NO_ANSWER,
        "\(client.place): the daemon has sent nothing for \(Int(bounded: Self.lifetime)) s; see "
          + "'systemctl status lodestar'")
    }
    var estimate = newest.estimate
    // A recording is none of the board's measurements either.
    if !client.source.isLive { estimate.isSimulated = true }
    return estimate
  }

  /// The same for a position, which the policy may refuse.
  func placedEstimate() throws(CallFault) -> Estimate {
    let access = client.access.current
    if access.authorization == .denied || access.authorization == .restricted {
      throw CallFault(
        LODESTAR_ERROR_ACCESS,
        "the policy gives this program no position; add its name to the applications of the policy")
    }
    let estimate = try estimate()
    // The first estimates after a request have no place yet.
    let isGiven = [.live, .late, .contradicted].contains(estimate.positionState)
    if isGiven, estimate.position == nil { throw Self.noData }
    return estimate
  }

  private func receive(_ estimate: Estimate) {
    let accuracy = client.access.current.accuracy
    state.withLock { state in
      state.newest = (state.lastFix.complete(estimate, accuracy), MonotonicClock.now)
    }
    news.wake()
  }

  private func connectionChanged(_ loss: HostError?) {
    state.withLock { state in
      state.loss = loss
      state.newest = nil
      state.lastFix.forget()
    }
    news.wake()
  }

  private func accessChanged() {
    state.withLock { state in
      state.newest = nil
      state.lastFix.forget()
    }
    news.wake()
  }
}
