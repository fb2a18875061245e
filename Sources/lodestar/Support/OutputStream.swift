import FoundationEssentials
import Glibc
import LinuxIO

/// Buffered output to a file or standard output, with errors.
final class OutputStream {
  private let path: String
  private let descriptor: Int32
  private var buffer: [UInt8] = []

  /// Standard output.
  init() {
    path = "standard output"
    descriptor = STDOUT_FILENO
  }

  /// Creates or replaces a file; `-` is standard output. Messages have the name, which is the path
  /// unless another one is given.
  init(path: String, name: String? = nil) throws(Failure) {
    if path == "-" {
      self.path = "standard output"
      descriptor = STDOUT_FILENO
      return
    }
    self.path = name ?? path
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      throw .output("\(FileFault(action: "write", path: self.path, code: errno))")
    }
  }

  /// Appends a line.
  func line(_ append: (inout [UInt8]) -> Void) throws(Failure) {
    append(&buffer)
    buffer.append(UInt8(ascii: "\n"))
    if buffer.count >= 65_536 { try flush() }
  }

  /// Appends bytes.
  func write(_ bytes: [UInt8]) throws(Failure) {
    // Large data is not buffered.
    if buffer.isEmpty, bytes.count >= 65_536 { return try writeOut(bytes) }
    buffer.append(contentsOf: bytes)
    if buffer.count >= 65_536 { try flush() }
  }

  /// Appends a line of bytes.
  func line(_ bytes: [UInt8]) throws(Failure) { try line { $0.append(contentsOf: bytes) } }

  /// Appends a line of text.
  func line(_ text: String) throws(Failure) { try line { $0.append(contentsOf: text.utf8) } }

  /// Writes the buffer.
  func flush() throws(Failure) {
    try writeOut(buffer)
    buffer.removeAll(keepingCapacity: true)
  }

  private func writeOut(_ bytes: [UInt8]) throws(Failure) {
    var start = 0
    while start < bytes.count {
      let count = bytes.withUnsafeBytes { bytes -> Int in
        guard let base = bytes.baseAddress else { return 0 }
        return Glibc.write(descriptor, base + start, bytes.count - start)
      }
      if count < 0 {
        if errno == EINTR { continue }
        if errno == EPIPE, descriptor == STDOUT_FILENO { throw .closedOutput }
        throw .output("\(path): cannot be written: \(String(cString: strerror(errno)))")
      }
      start += count
    }
  }

  /// Writes the buffer, synchronises a file to its disk and closes it.
  func close() throws(Failure) {
    try flush()
    guard descriptor != STDOUT_FILENO else { return }
    // Pipes and devices do not support fsync: only write errors count.
    if fsync(descriptor) != 0, errno == EIO || errno == ENOSPC {
      throw .output("\(path): cannot be written: \(String(cString: strerror(errno)))")
    }
    guard Glibc.close(descriptor) == 0 else {
      throw .output("\(path): cannot be written: \(String(cString: strerror(errno)))")
    }
  }
}
