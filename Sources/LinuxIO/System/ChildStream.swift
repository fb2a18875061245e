import CLinuxIO
import Glibc
import Synchronization

/// What a child may have as standard input, output or error.
package protocol ChildStream: AnyObject, Sendable {
  /// The child's descriptor, or a number of `linuxbus_spawn`.
  func descriptor(isInput: Bool) -> Int32
  /// Closes what only the child uses.
  func closeChildEnd(isInput: Bool)
}

/// A stream that the parent keeps open, or that is opened for the child alone.
package final class OpenStream: ChildStream {
  private let number: Int32

  private init(_ number: Int32) { self.number = number }

  /// `/dev/null`.
  package static let null = OpenStream(Int32(LINUXBUS_SPAWN_NULL))
  /// Standard error of this process.
  package static let standardError = OpenStream(STDERR_FILENO)

  package func descriptor(isInput: Bool) -> Int32 { number }
  package func closeChildEnd(isInput: Bool) {}
}

/// A pipe between this process and a child, which may have it as output and error at the same time.
/// Its end in this process is closed with the object.
package final class ChildPipe: ChildStream {
  private final class End: Sendable {
    let number: Int32
    private let isOpen = Mutex(true)

    init(_ number: Int32) { self.number = number }
    deinit { close() }

    func close() {
      isOpen.withLock { isOpen in
        if isOpen { Glibc.close(number) }
        isOpen = false
      }
    }
  }

  private let reading: End
  private let writing: End

  /// Makes a pipe.
  package init() throws(ChildProcess.Fault) {
    var ends: [Int32] = [-1, -1]
    let result = linuxbus_pipe(&ends)
    guard result == 0 else {
      throw ChildProcess.Fault(action: "make", path: "a pipe", code: -result)
    }
    (reading, writing) = (End(ends[0]), End(ends[1]))
  }

  package func descriptor(isInput: Bool) -> Int32 { isInput ? reading.number : writing.number }
  package func closeChildEnd(isInput: Bool) { (isInput ? reading : writing).close() }

  /// The child's output up to its end; what was read before where reading fails.
  package func readToEnd() -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      let part = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
        var result = read(reading.number, buffer.baseAddress, buffer.count)
        while result < 0, errno == EINTR {
          result = read(reading.number, buffer.baseAddress, buffer.count)
        }
        count = max(0, result)
      }
      guard !part.isEmpty else { return bytes }
      bytes += part
    }
  }

  /// Writes the child's whole input and ends it.
  package func write(_ bytes: [UInt8]) throws(ChildProcess.Fault) {
    defer { writing.close() }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(writing.number, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        throw ChildProcess.Fault(action: "write to", path: "the program", code: errno)
      }
      rest = rest.dropFirst(count)
    }
  }
}
