import CLinuxIO

#if canImport(Glibc)
  import Glibc
#endif

/// A pseudo-terminal with a stable name, for programs that read a serial port: written here, read
/// through a symbolic link. Every user may open it. What it is sent is discarded.
package final class TerminalOutput: Sendable {
  /// The other end, such as `/dev/pts/3`.
  package let terminal: String
  private let link: String
  private let file: Int32
  /// The rest of an output that the reader had no room for.
  private let rest = Locked<[UInt8]>([])

  /// Makes a terminal and its link, which replaces an earlier link.
  /// - Parameter link: The path of the link.
  /// - Throws: `FileFault`, where the path is that of another file too.
  package init(link: String) throws(FileFault) {
    var number: Int32 = 0
    file = linuxbus_terminal_open(&number)
    guard file >= 0 else {
      throw FileFault(action: "open", path: "/dev/ptmx", code: -file)
    }
    (self.link, terminal) = (link, "/dev/pts/\(number)")
    // Every property has its value: where these fail, `deinit` closes the file.
    try Self.setUp(terminal)
    try Self.replace(link, by: terminal)
  }

  deinit { close(file) }

  /// Sets raw mode, which lasts until this end is closed. The other end is closed again: the kernel
  /// then reports here whether a program has opened it.
  private static func setUp(_ terminal: String) throws(FileFault) {
    let end = open(terminal, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard end >= 0 else { throw FileFault(action: "open", path: terminal, code: errno) }
    defer { close(end) }
    var settings = termios()
    guard tcgetattr(end, &settings) == 0 else {
      throw FileFault(action: "set up", path: terminal, code: errno)
    }
    cfmakeraw(&settings)
    guard tcsetattr(end, TCSANOW, &settings) == 0, fchmod(end, 0o666) == 0 else {
      throw FileFault(action: "set up", path: terminal, code: errno)
    }
  }

  private static func replace(_ link: String, by terminal: String) throws(FileFault) {
    var status = stat()
    if lstat(link, &status) == 0, status.st_mode & S_IFMT != S_IFLNK {
      throw FileFault(
        action: "replace", path: link, code: EEXIST, detail: "it is not a symbolic link")
    }
    let new = "\(link).new-\(getpid())"
    unlink(new)
    guard symlink(terminal, new) == 0, rename(new, link) == 0 else {
      let code = errno
      unlink(new)
      throw FileFault(action: "make", path: link, code: code)
    }
  }

  /// Writes without waiting. The output is dropped while no program has the terminal open, or the
  /// program does not read.
  package func write(_ bytes: [UInt8]) {
    var state = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
    poll(&state, 1, 0)
    if state.revents & Int16(POLLIN) != 0 {
      var input = [UInt8](repeating: 0, count: 4096)
      _ = read(file, &input, input.count)
    }
    rest.withLock { rest in
      guard state.revents & Int16(POLLHUP) == 0 else {
        rest = []
        return
      }
      // A sentence that has begun is completed first.
      if !rest.isEmpty { rest.removeFirst(put(rest)) }
      guard rest.isEmpty else { return }
      let count = put(bytes)
      if count > 0 { rest = Array(bytes[count...]) }
    }
  }

  private func put(_ bytes: [UInt8]) -> Int { max(0, Glibc.write(file, bytes, bytes.count)) }

  /// Removes the link, if it is still that of this terminal.
  package func removeLink() {
    var target = [UInt8](repeating: 0, count: 64)
    let count = target.withUnsafeMutableBytes { bytes in
      bytes.bindMemory(to: CChar.self).baseAddress.map { readlink(link, $0, bytes.count) } ?? 0
    }
    guard count > 0, String(decoding: target[..<count], as: UTF8.self) == terminal else { return }
    unlink(link)
  }
}
