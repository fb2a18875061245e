import ArgumentParser
import Foundation

/// A file or standard input, read as bytes come in.
final class ByteInput {
  /// What to call the input in a message.
  let name: String
  private let descriptor: Int32
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)

  /// Opens the path; `-` is standard input.
  /// - Throws: `ValidationError`-like failure with one line that names the file and the cause.
  init(path: String) throws {
    if path == "-" {
      (name, descriptor) = ("standard input", STDIN_FILENO)
      return
    }
    (name, descriptor) = (path, open(path, O_RDONLY))
    guard descriptor >= 0 else { throw StreamFailure(doing: "open", path) }
  }

  deinit { buffer.deallocate() }

  /// The next bytes, as many as are there; nil at the end. They are valid until the next call.
  func read() throws -> UnsafeRawBufferPointer? {
    while true {
      let count = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
      if count > 0 { return UnsafeRawBufferPointer(rebasing: buffer[..<count]) }
      if count == 0 { return nil }
      guard errno == EINTR else { throw StreamFailure(doing: "read", name) }
    }
  }

  /// Closes a file.
  func close() {
    if descriptor != STDIN_FILENO { Foundation.close(descriptor) }
  }
}

/// Why a stream cannot be read or written.
struct StreamFailure: Error, CustomStringConvertible {
  let description: String

  /// Takes the cause from `errno`.
  init(doing verb: String, _ name: String) {
    description = "cannot \(verb) \(name): \(String(cString: strerror(errno)))"
  }
}

/// Lines for standard output, written in one piece when flushed.
struct ByteOutput {
  enum Failure: Error {
    /// The other end of the pipe is closed.
    case readerGone
  }

  private var bytes: [UInt8] = []

  /// Adds a line; its end is added here.
  mutating func append(_ line: [UInt8]) {
    bytes.append(contentsOf: line)
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Writes everything.
  mutating func flush() throws {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes {
        write(STDOUT_FILENO, $0.baseAddress.map { $0 + written }, bytes.count - written)
      }
      if count >= 0 {
        written += count
      } else if errno == EPIPE {
        throw Failure.readerGone
      } else if errno != EINTR {
        throw StreamFailure(doing: "write", "standard output")
      }
    }
    bytes.removeAll(keepingCapacity: true)
  }
}
