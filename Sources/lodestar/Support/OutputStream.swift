import Foundation

/// Buffers bytes for a file or standard output and says when they cannot be written.
final class OutputStream {
  private let path: String
  private let descriptor: Int32
  private var buffer: [UInt8] = []

  /// Standard output.
  init() {
    path = "standard output"
    descriptor = STDOUT_FILENO
  }

  /// Makes or replaces a file; `-` is standard output.
  init(path: String) throws(Failure) {
    if path == "-" {
      self.path = "standard output"
      descriptor = STDOUT_FILENO
      return
    }
    self.path = path
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      throw .output("\(path): cannot be written: \(String(cString: strerror(errno)))")
    }
  }

  /// Appends a line.
  func line(_ append: (inout [UInt8]) -> Void) throws(Failure) {
    append(&buffer)
    buffer.append(UInt8(ascii: "\n"))
    if buffer.count >= 65_536 { try flush() }
  }

  /// Appends bytes as they are.
  func write(_ bytes: [UInt8]) throws(Failure) {
    // A large piece goes out as it is.
    if buffer.isEmpty, bytes.count >= 65_536 { return try handOver(bytes) }
    buffer.append(contentsOf: bytes)
    if buffer.count >= 65_536 { try flush() }
  }

  /// Appends a line of bytes.
  func line(_ bytes: [UInt8]) throws(Failure) { try line { $0.append(contentsOf: bytes) } }

  /// Appends a line of text.
  func line(_ text: String) throws(Failure) { try line { $0.append(contentsOf: text.utf8) } }

  /// Hands over everything to the system.
  func flush() throws(Failure) {
    try handOver(buffer)
    buffer.removeAll(keepingCapacity: true)
  }

  private func handOver(_ bytes: [UInt8]) throws(Failure) {
    var start = 0
    while start < bytes.count {
      let count = bytes.withUnsafeBytes { bytes -> Int in
        guard let base = bytes.baseAddress else { return 0 }
        return Foundation.write(descriptor, base + start, bytes.count - start)
      }
      if count < 0 {
        if errno == EINTR { continue }
        // A reader that had enough, such as `head`, is no fault.
        if errno == EPIPE, descriptor == STDOUT_FILENO { exit(0) }
        throw .output("\(path): cannot be written: \(String(cString: strerror(errno)))")
      }
      start += count
    }
  }

  /// Hands over everything and waits until a file is on its disk.
  func close() throws(Failure) {
    try flush()
    guard descriptor != STDOUT_FILENO else { return }
    // Some kinds of file, such as pipes, have no disk: only a real fault of writing counts.
    if fsync(descriptor) != 0, errno == EIO || errno == ENOSPC {
      throw .output("\(path): cannot be written: \(String(cString: strerror(errno)))")
    }
    guard Foundation.close(descriptor) == 0 else {
      throw .output("\(path): cannot be written: \(String(cString: strerror(errno)))")
    }
  }
}
