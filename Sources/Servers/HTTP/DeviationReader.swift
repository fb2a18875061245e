import Dispatch
import HostClient
import HostProtocol
import LinuxIO
import Observers
import Pipeline
import Quantities
import Storage

/// Asks the host for the deviation of the calibration in use.
final class DeviationReader: Sendable {
  /// Why there is no card.
  struct Absence: Error {
    let reason: String
  }

  /// Time for which an answer is repeated, seconds: the host reads files for it, and a deviation
  /// changes once an hour.
  private static let validity = 10.0

  private typealias Answer = Result<DeviationCard, Absence>
  private struct State {
    var newest: (answer: Answer, at: Timestamp)?
    var waiting: [@Sendable (Result<DeviationCard, Absence>) -> Void] = []
  }

  private let client: HostClient
  private let state = Locked(State())

  init(_ client: HostClient) { self.client = client }

  /// Calls `done` at once with a valid answer, else on another thread; one question is asked for
  /// all that wait.
  func read(_ done: @escaping @Sendable (Result<DeviationCard, Absence>) -> Void) {
    let access = client.access.current
    guard access.allowsUpdates, access.accuracy == .full else {
      // An answer that is still valid was for an earlier permission.
      state.withLock { $0.newest = nil }
      return done(
        .failure(
          Absence(reason: "the policy must grant org.lodestar.http updates with full accuracy")))
    }
    let now = MonotonicClock.now
    let (known, isFirst): (Answer?, Bool) = state.withLock { state in
      if let newest = state.newest, now.seconds(since: newest.at) < Self.validity {
        return (newest.answer, false)
      }
      state.waiting.append(done)
      return (nil, state.waiting.count == 1)
    }
    if let known { return done(known) }
    guard isFirst else { return }
    DispatchQueue.global().async { [self] in
      let answer = ask()
      let waiting = state.withLock { state in
        defer { state.waiting = [] }
        state.newest = (answer, MonotonicClock.now)
        return state.waiting
      }
      for one in waiting { one(answer) }
    }
  }

  private func ask() -> Answer {
    do throws(HostError) {
      let report = try client.profiles(.list(generation: nil))
      guard let newest = report.profiles.first else {
        return .failure(Absence(reason: "no calibration is stored"))
      }
      return card(of: newest)
    } catch {
      guard case .refused(let fault) = error else {
        return .failure(Absence(reason: "\(error)"))
      }
      return .failure(Absence(reason: fault.message))
    }
  }

  private func card(of stored: ProfileReport.Stored) -> Answer {
    do {
      let profile = try CalibrationProfile(json: Array(stored.text.utf8))
      guard let card = profile.deviation.flatMap({ DeviationCard($0) }) else {
        return .failure(Absence(reason: "the calibration in use has no deviation"))
      }
      return .success(card)
    } catch {
      let file = stored.path.split(separator: "/").last ?? "the file"
      return .failure(Absence(reason: "\(file): \(error)"))
    }
  }
}
