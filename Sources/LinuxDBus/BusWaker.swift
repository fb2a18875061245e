import CDBus

#if canImport(Glibc)
  import Glibc
#endif

/// Ends the waiting of a thread in `poll` from another thread: a pipe. Where the system has no descriptor
/// left, the thread looks again after `BusWaker.longestWait`.
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

  /// Waits until there is something to do with `descriptor`, somebody wakes, or so many seconds pass.
  func wait(descriptor: Int32, isWriting: Bool, seconds: Double) {
    let events = Int16(POLLIN) | (isWriting ? Int16(POLLOUT) : 0)
    var descriptors = [
      pollfd(fd: reading, events: Int16(POLLIN), revents: 0),
      // poll passes over a negative descriptor.
      pollfd(fd: descriptor, events: events, revents: 0),
    ]
    let longest = reading >= 0 ? seconds : min(seconds, Self.longestWait)
    // Rounded up: a deadline that is 0.3 ms away must not be polled for in a loop.
    let milliseconds = (max(0, min(longest, 3600)) * 1000).rounded(.up)
    guard poll(&descriptors, 2, Int32(milliseconds)) > 0, descriptors[0].revents != 0 else {
      return
    }
    var bytes = [UInt8](repeating: 0, count: 64)
    while read(reading, &bytes, bytes.count) > 0 {}
  }
}
