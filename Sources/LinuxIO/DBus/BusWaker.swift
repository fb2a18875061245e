import CLinuxIO

#if canImport(Glibc)
  import Glibc
#endif

/// Wakes a thread in `poll` from another thread, by a pipe. If the system has no descriptor left, the thread
/// wakes at the latest after `BusWaker.longestWait`.
final class BusWaker: Sendable {
  /// Seconds.
  static let longestWait = 0.5

  private let reading: Int32
  private let writing: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    let isMade = cdbus_pipe(&ends)
    reading = isMade ? ends[0] : -1
    writing = isMade ? ends[1] : -1
  }

  deinit {
    guard reading >= 0 else { return }
    close(reading)
    close(writing)
  }

  func wake() {
    var byte: UInt8 = 0
    _ = write(writing, &byte, 1)
  }

  /// Waits until `descriptor` is ready, `wake` is called, or the time has passed.
  func wait(descriptor: Int32, isWriting: Bool, seconds: Double) {
    let events = Int16(POLLIN) | (isWriting ? Int16(POLLOUT) : 0)
    var descriptors = [
      pollfd(fd: reading, events: Int16(POLLIN), revents: 0),
      // poll ignores a negative descriptor.
      pollfd(fd: descriptor, events: events, revents: 0),
    ]
    let longest = reading >= 0 ? seconds : min(seconds, Self.longestWait)
    // Rounded up, so that a deadline 0.3 ms away does not cause a busy loop.
    let milliseconds = (max(0, min(longest, 3600)) * 1000).rounded(.up)
    guard poll(&descriptors, 2, Int32(milliseconds)) > 0, descriptors[0].revents != 0 else {
      return
    }
    var bytes = [UInt8](repeating: 0, count: 64)
    while read(reading, &bytes, bytes.count) > 0 {}
  }
}
