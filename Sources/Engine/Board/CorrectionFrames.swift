import Foundation

/// A queue of RTCM 3 frames between two threads. Safe from any thread.
final class CorrectionFrames: @unchecked Sendable {
  /// Bytes: about ten seconds of corrections; older ones are useless.
  private static let capacity = 32_768

  struct Frame {
    var type: Int?
    var bytes: [UInt8]
  }

  private let condition = NSCondition()
  private var frames: [Frame] = []
  private var bytes = 0
  private var handedOut: [Int: Int] = [:]
  private var droppedCount = 0

  /// Frames taken, by message type.
  var counts: [Int: Int] { locked { handedOut } }

  /// Frames removed from a full queue.
  var dropped: Int { locked { droppedCount } }

  var isEmpty: Bool { locked { frames.isEmpty } }

  /// Appends a frame; a full queue drops its oldest frames.
  func put(_ frame: Frame) {
    locked {
      frames.append(frame)
      bytes += frame.bytes.count
      while bytes > Self.capacity, frames.count > 1 {
        bytes -= frames.removeFirst().bytes.count
        droppedCount += 1
      }
      condition.broadcast()
    }
  }

  /// Waits at most `seconds` for room for a frame; false at the timeout.
  func hasRoom(for count: Int, waitingAtMost seconds: Double) -> Bool {
    locked {
      let end = Date(timeIntervalSinceNow: seconds)
      while bytes + count > Self.capacity {
        if !condition.wait(until: end) { return false }
      }
      return true
    }
  }

  /// Removes the oldest frame; nil when the queue is empty.
  func take() -> [UInt8]? {
    locked {
      guard !frames.isEmpty else { return nil }
      let frame = frames.removeFirst()
      bytes -= frame.bytes.count
      if let type = frame.type { handedOut[type, default: 0] += 1 }
      condition.broadcast()
      return frame.bytes
    }
  }

  /// Waits at most `seconds` for a frame.
  func wait(atMost seconds: Double) {
    locked {
      if frames.isEmpty { _ = condition.wait(until: Date(timeIntervalSinceNow: seconds)) }
    }
  }

  private func locked<R>(_ body: () -> R) -> R {
    condition.lock()
    defer { condition.unlock() }
    return body()
  }
}
