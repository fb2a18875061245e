import LinuxIO
import Quantities

/// The queue of samples from the threads of the buses to the thread of the pipeline. Safe from any
/// thread.
final class SampleQueue: Sendable {
  /// Seconds of samples: exceeded only if the pipeline's thread hangs.
  private static let capacity = 4096

  private struct State {
    var samples: [SensorSamples] = []
    var isStopped = false
  }

  private let state = Waitable(State())

  /// True once the board was stopped.
  var isStopped: Bool { state.read { $0.isStopped } }

  func stop() { state.withLock { $0.isStopped = true } }

  /// Waits at most `seconds`, but not after the board was stopped.
  func waitForStop(atMost seconds: Double) {
    state.wait(atMost: seconds) { $0.isStopped ? () : nil }
  }

  /// Appends samples; a full queue drops its oldest.
  func put(_ new: [SensorSamples]) {
    guard !new.isEmpty else { return }
    state.withLock { state in
      state.samples += new
      let excess = state.samples.count - Self.capacity
      if excess > 0 { state.samples.removeFirst(excess) }
    }
  }

  /// Moves all samples to `taken`; waits at most `seconds` for the first.
  func moveAll(into taken: inout [SensorSamples], waitingAtMost seconds: Double) {
    taken.removeAll(keepingCapacity: true)
    state.wait(atMost: seconds) { state -> Void? in
      guard !state.samples.isEmpty || state.isStopped else { return nil }
      swap(&state.samples, &taken)
      return ()
    }
  }
}
