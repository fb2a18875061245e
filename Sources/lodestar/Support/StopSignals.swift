import Dispatch
import Foundation
import LinuxIO

/// Notes SIGINT and SIGTERM, so that a command ends in order.
final class StopSignals {
  private let stopped = Waitable(false)
  private var sources: [any DispatchSourceSignal] = []

  init() {
    let registered = DispatchSemaphore(value: 0)
    sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { [stopped] in stopped.withLock { $0 = true } }
      source.setRegistrationHandler { registered.signal() }
      source.resume()
      return source
    }
    for _ in sources { registered.wait() }
  }

  /// True after a signal.
  var isStopped: Bool { stopped.read { $0 } }

  /// Waits for a signal, at most so many seconds.
  func wait(seconds: Double) { stopped.wait(atMost: seconds) { $0 ? true : nil } }

  /// Restores the default effect of the signals.
  func end() {
    for source in sources { source.cancel() }
    for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
  }
}
