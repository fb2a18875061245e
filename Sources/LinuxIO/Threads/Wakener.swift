import CLinuxIO
import Quantities

#if canImport(Glibc)
  import Glibc
#endif

/// Wakes a thread that waits in `poll`, by a pipe.
package final class Wakener: Sendable {
  /// The descriptor for `poll`: readable after a call of `wake`.
  package let file: Int32
  private let input: Int32

  /// Opens the pipe.
  package init() throws(NetworkError) {
    var files: [Int32] = [-1, -1]
    guard cdbus_pipe(&files) else {
      throw NetworkError(code: errno, doing: "opening", peer: "pipe")
    }
    (file, input) = (files[0], files[1])
  }

  deinit {
    close(file)
    close(input)
  }

  /// Waits for `wake`, until another descriptor is readable, or until a deadline.
  package func wait(until deadline: Timestamp, orReadable other: Int32? = nil) {
    // poll ignores a negative descriptor.
    var descriptors = [file, other ?? -1].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    _ = linuxbus_poll(&descriptors, UInt32(descriptors.count), deadline.nanoseconds)
  }

  /// Ends the present wait, or the next one. Safe in a signal handler.
  package func wake() {
    // A full pipe wakes too.
    var byte: UInt8 = 1
    _ = write(input, &byte, 1)
  }

  /// Makes the descriptor wait for the next `wake`.
  package func clear() {
    var bytes = [UInt8](repeating: 0, count: 64)
    while read(file, &bytes, bytes.count) == bytes.count {}
  }
}
