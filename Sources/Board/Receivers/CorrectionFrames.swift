import LinuxIO
import Quantities
import ReceiverProtocols

/// A queue of RTCM 3 frames between two threads. Safe from any thread.
final class CorrectionFrames: Sendable {
  /// Bytes: about ten seconds of corrections; older ones are useless.
  private static let capacity = 32_768

  struct Frame {
    var type: Int?
    var bytes: [UInt8]
  }

  private struct State {
    var frames: [Frame] = []
    var byteCount = 0
    var taken: [Int: Int] = [:]
    var droppedCount = 0
    var statistics = RTCM3Statistics()
    var onArrival: (@Sendable () -> Void)?
  }

  private let state = Waitable(State())

  /// Frames taken, by message type.
  var counts: [Int: Int] { state.read { $0.taken } }

  /// The frames put, also those that were removed from a full queue.
  var statistics: RTCM3Statistics { state.read { $0.statistics } }

  /// Frames removed from a full queue.
  var dropped: Int { state.read { $0.droppedCount } }

  var isEmpty: Bool { state.read { $0.frames.isEmpty } }

  /// Sets what is called after each frame, by the thread that has put it; it must not wait.
  func onArrival(_ body: (@Sendable () -> Void)?) { state.withLock { $0.onArrival = body } }

  /// Appends a frame; a full queue drops its oldest frames.
  func put(_ frame: Frame) {
    let origin = RTCM3Origin(type: frame.type, bytes: frame.bytes)
    let now = MonotonicClock.now
    let notify = state.withLock { state in
      state.statistics.record(origin, byteCount: frame.bytes.count, at: now)
      state.frames.append(frame)
      state.byteCount += frame.bytes.count
      while state.byteCount > Self.capacity, state.frames.count > 1 {
        state.byteCount -= state.frames.removeFirst().bytes.count
        state.droppedCount += 1
      }
      return state.onArrival
    }
    notify?()
  }

  /// Waits at most `seconds` for room for a frame; false at the timeout.
  func hasRoom(for count: Int, waitingAtMost seconds: Double) -> Bool {
    state.wait(atMost: seconds) { $0.byteCount + count > Self.capacity ? nil : true } ?? false
  }

  /// Removes the oldest frame; nil when the queue is empty.
  func removeFirst() -> [UInt8]? {
    state.withLock { state in
      guard !state.frames.isEmpty else { return nil }
      let frame = state.frames.removeFirst()
      state.byteCount -= frame.bytes.count
      if let type = frame.type { state.taken[type, default: 0] += 1 }
      return frame.bytes
    }
  }

  /// Waits at most `seconds` for a frame.
  func wait(atMost seconds: Double) {
    _ = state.wait(atMost: seconds) { $0.frames.isEmpty ? nil : true }
  }
}
