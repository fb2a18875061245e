import Foundation
import Monitoring
import Quantities
import Recording
import ServiceProtocol

/// What the program's threads and the connection's thread share.
package final class ClientCore: @unchecked Sendable {
  let hello: ClientHello
  let candidates: [String]
  let wakener: Wakener
  let sources = Listeners<ServedSource>()
  let connections = Listeners<DaemonError?>()
  let notices = Listeners<String>()
  let accesses = Listeners<Void>()
  let calibrations = Listeners<Void>()

  private let condition = NSCondition()
  private var state = ClientState()

  /// Who hears of estimates, and what is wanted of them then.
  let estimates = Listeners<Estimate>()
  let wish = EstimateWish()
  /// Who hears of the sensors' samples.
  let rows = Listeners<SensorRow>()
  /// Who hears of events.
  let delivery = EventDelivery()

  init(hello: ClientHello, candidates: [String]) throws(DaemonError) {
    self.hello = hello
    self.candidates = candidates
    do {
      wakener = try Wakener()
    } catch {
      throw .socket(error)
    }
    // As it is when it is said: two changes may be told in another order than they came.
    estimates.onChange = { [weak self] in
      guard let self else { return }
      say { state in
        self.wish.set(isObserved: !self.estimates.isEmpty)
        return self.wish.change(&state)
      }
    }
    rows.onChange = { [weak self] in
      guard let self else { return }
      say { state in
        let wants = !self.rows.isEmpty
        guard state.wantsSamples != wants else { return nil }
        state.wantsSamples = wants
        return .samples(wants)
      }
    }
  }

  package func withState<Value>(_ body: (inout ClientState) throws -> Value) rethrows -> Value {
    condition.lock()
    defer { condition.unlock() }
    return try body(&state)
  }

  func stop() {
    withState { $0.isStopped = true }
    wakener.wake()
  }

  // MARK: Saying something

  /// Changes what is wanted and says so, where somebody hears it.
  func say(_ change: (inout ClientState) -> ClientMessage?) {
    withState { state in
      if let message = change(&state), state.isWelcome { state.outbox.append(message.line) }
    }
    wakener.wake()
  }

  /// Asks, and waits for the answer.
  /// - Returns: What came.
  /// - Throws: `DaemonError` where nothing came in time.
  func ask(
    seconds: Double, _ message: (UInt64) -> ClientMessage
  ) throws(DaemonError) -> DaemonMessage {
    let answer = Answer()
    let id = try enqueue(message) { answer.set($0) }
    guard let result = answer.wait(seconds: seconds) else {
      withState { $0.requests[id] = nil }
      throw .noAnswer(path: candidates.first ?? "")
    }
    return try result.get()
  }

  /// Asks; `completion` is called once, on the connection's thread.
  @discardableResult
  func enqueue(
    _ message: (UInt64) -> ClientMessage,
    completion: @escaping @Sendable (Result<DaemonMessage, DaemonError>) -> Void
  ) throws(DaemonError) -> UInt64 {
    let id: UInt64? = withState { state in
      guard state.isWelcome else { return nil }
      let id = state.takeID()
      state.requests[id] = completion
      state.outbox.append(message(id).line)
      return id
    }
    guard let id else { throw withState { $0.fault } ?? .gone(path: candidates.first ?? "") }
    wakener.wake()
    return id
  }

  // MARK: The first connection

  /// The daemon has answered, or not.
  func signal() { condition.broadcast() }

  func waitForWelcome(seconds: Double) throws(DaemonError) {
    let end = Date(timeIntervalSinceNow: seconds)
    condition.lock()
    defer { condition.unlock() }
    while !state.isWelcome, state.fault == nil {
      guard condition.wait(until: end) else { break }
    }
    if let fault = state.fault { throw fault }
    if !state.isWelcome { throw .noAnswer(path: candidates.first ?? "") }
  }
}

/// One answer, from one thread to another.
private final class Answer: @unchecked Sendable {
  private let condition = NSCondition()
  private var result: Result<DaemonMessage, DaemonError>?

  func set(_ new: Result<DaemonMessage, DaemonError>) {
    condition.lock()
    result = new
    condition.signal()
    condition.unlock()
  }

  func wait(seconds: Double) -> Result<DaemonMessage, DaemonError>? {
    let end = Date(timeIntervalSinceNow: seconds)
    condition.lock()
    defer { condition.unlock() }
    while result == nil {
      guard condition.wait(until: end) else { break }
    }
    return result
  }
}
