import Quantities

#if canImport(Glibc)
  import Glibc
#endif

/// Wakes a thread in `poll` from another thread. If the system has no descriptor left for that, the
/// thread wakes at the latest after `BusWaker.longestWait`.
final class BusWaker: Sendable {
  /// Seconds.
  static let longestWait = 0.5

  private let wakener: Wakener?

  init() {
    do { wakener = try Wakener() } catch { wakener = nil }
  }

  func wake() { wakener?.wake() }

  /// Waits until `descriptor` is ready, `wake` is called, or the time has passed.
  func wait(descriptor: Int32, isWriting: Bool, seconds: Double) {
    let events = Int16(POLLIN) | (isWriting ? Int16(POLLOUT) : 0)
    var descriptors = [
      // poll ignores a negative descriptor.
      pollfd(fd: wakener?.file ?? -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: descriptor, events: events, revents: 0),
    ]
    let longest = wakener != nil ? seconds : min(seconds, Self.longestWait)
    // Rounded up, so that a deadline 0.3 ms away does not cause a busy loop.
    let milliseconds = Int32(bounded: (max(0, min(longest, 3600)) * 1000).rounded(.up))
    if poll(&descriptors, 2, milliseconds) > 0, descriptors[0].revents != 0 {
      wakener?.clear()
    }
  }
}
