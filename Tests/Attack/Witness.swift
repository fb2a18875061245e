import Foundation
import LinuxIO
import Quantities
import Synchronization

/// A client of the same user with another application: it receives headings, asks for its
/// registrations four times a second, and measures how long it waits.
final class Witness: Sendable {
  /// What must arrive in time: answers only, where the daemon has no board with a compass.
  enum Requirement { case headings, answers }

  /// What the witness measured, seconds.
  struct Measured: Sendable {
    /// The longest time without a heading.
    var longestGap = 0.0
    /// The longest time until an answer.
    var longestAnswer = 0.0
    /// Why the connection has ended; nil while it lasts.
    var fault: String?
  }

  private struct State {
    var measured = Measured()
    var isOver = false
    var hasEnded = false
  }
  private let state = Mutex(State())

  /// Connects, and measures from the first heading on, where headings are required.
  init(_ daemon: AttackedDaemon, _ requirement: Requirement) throws {
    let connection = try Connection(daemon, "org.example.witness")
    connection.send([.demand(.all), .listen(true)])
    guard try connection.line(with: "\"welcome\"") != nil,
      try requirement == .answers || connection.line(with: "\"estimate\"") != nil
    else { throw AttackedDaemon.StartFault(description: "the witness received no heading") }
    // Used by the thread only from now on.
    nonisolated(unsafe) let mine = connection
    let thread = Thread { [self] in
      do { try measure(mine) } catch { state.withLock { $0.measured.fault = "\(error)" } }
      state.withLock { $0.hasEnded = true }
    }
    thread.start()
  }

  private func measure(_ connection: Connection) throws {
    var (heading, asked) = (MonotonicClock.now, MonotonicClock.now)
    var number: UInt64 = 0
    var isWaiting = false
    while !state.withLock({ $0.isOver }) {
      let line = try connection.line(until: MonotonicClock.now.advanced(bySeconds: 0.02))
      let now = MonotonicClock.now
      if line?.contains("\"estimate\"") == true {
        state.withLock { [heading] in
          $0.measured.longestGap = max($0.measured.longestGap, now.seconds(since: heading))
        }
        heading = now
      }
      if isWaiting, line?.contains("\"registrations\"") == true { isWaiting = false }
      let answer = now.seconds(since: asked)
      if isWaiting {
        state.withLock { $0.measured.longestAnswer = max($0.measured.longestAnswer, answer) }
      } else if answer > 0.25 {
        number += 1
        (asked, isWaiting) = (now, connection.send([.registrations(id: number)]))
      }
    }
    let silence = MonotonicClock.now.seconds(since: heading)
    state.withLock { $0.measured.longestGap = max($0.measured.longestGap, silence) }
  }

  /// Ends the measurement.
  func end() -> Measured {
    state.withLock { $0.isOver = true }
    while !state.withLock({ $0.hasEnded }) { Thread.sleep(forTimeInterval: 0.005) }
    return state.withLock { $0.measured }
  }
}
