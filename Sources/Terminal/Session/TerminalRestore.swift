#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Sets the terminal's modes and restores them, also in a signal handler.
///
/// A handler may run between any two instructions, so it neither allocates nor locks. Its data is
/// in raw memory that is prepared before the first handler is installed, and it calls only write,
/// fcntl, poll, tcsetattr, sigaction and raise. Where the terminal accepts no output, it waits for
/// `longestWait` at most.
/// - Source: POSIX.1-2017, 2.4.3, the table of async-signal-safe functions.
enum TerminalRestore {
  /// 1 while our modes are set.
  nonisolated(unsafe) static var isTaken: sig_atomic_t = 0
  /// 1 after SIGTSTP requested a suspension.
  nonisolated(unsafe) static var wantsSuspension: sig_atomic_t = 0
  /// 1 after SIGCONT: the screen may have been overwritten meanwhile.
  nonisolated(unsafe) static var wasContinued: sig_atomic_t = 0

  /// The longest wait for a terminal that takes no bytes, ms, and the wait between two attempts.
  private static var longestWait: Int32 { 300 }
  private static var step: Int32 { 50 }
  nonisolated(unsafe) private static var output: Int32 = -1
  nonisolated(unsafe) private static var input: Int32 = -1
  nonisolated(unsafe) private static var isExitHooked = false
  nonisolated(unsafe) private static var leavingBytes: UnsafeMutableBufferPointer<UInt8>?
  nonisolated(unsafe) private static var attributes: UnsafeMutablePointer<termios>?
  nonisolated(unsafe) static var oldActions: UnsafeMutablePointer<sigaction>?

  // End of synchronised update, colours off, cursor and wrapping on, main screen back.
  // - Source: xterm control sequences (DECTCEM 25, DECAWM 7, 1049); 2026 is contour's extension.
  private static let leavingText = "\u{1B}[?2026l\u{1B}[0m\u{1B}[?25h\u{1B}[?7h\u{1B}[?1049l"
  private static let enteringText = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J"

  /// Saves the terminal's modes and sets ours. `input` is -1 if there are no keys.
  static func enter(input: Int32, output: Int32) throws(TerminalError) {
    guard isTaken == 0 else { throw .alreadyInUse }
    prepareMemory()
    Self.input = input
    Self.output = output
    if input >= 0, let attributes {
      guard tcgetattr(input, attributes) == 0 else { throw .modesRefused(code: errno) }
    }
    if !isExitHooked {
      isExitHooked = atexit { TerminalRestore.restoreModes() } == 0
    }
    installHandlers()
    do throws(TerminalError) { try enter() } catch {
      removeHandlers()
      throw error
    }
  }

  /// Sets our modes again after a suspension; the saved ones remain.
  static func enter() throws(TerminalError) {
    if input >= 0, var raw = attributes?.pointee {
      raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
      raw.c_iflag &= ~tcflag_t(IXON | ICRNL)
      // The flag is set first: a signal right after tcsetattr must restore the terminal.
      isTaken = 1
      guard tcsetattr(input, TCSANOW, &raw) == 0 else {
        let code = errno
        isTaken = 0
        throw .modesRefused(code: code)
      }
    }
    isTaken = 1
    try write(enteringText)
  }

  /// Restores the saved modes; a second call has no effect. Safe in a signal handler.
  static func restoreModes() {
    guard isTaken != 0 else { return }
    isTaken = 0
    let code = errno
    if let leavingBytes { writeWithoutBlocking(leavingBytes) }
    if input >= 0, let attributes { tcsetattr(input, TCSANOW, attributes) }
    errno = code
  }

  /// Writes without blocking, so that the program ends although the terminal accepts no output.
  private static func writeWithoutBlocking(_ bytes: UnsafeMutableBufferPointer<UInt8>) {
    guard let base = bytes.baseAddress else { return }
    let flags = fcntl(output, F_GETFL)
    guard flags >= 0, fcntl(output, F_SETFL, flags | O_NONBLOCK) == 0 else { return }
    var (sent, waited) = (0, Int32(0))
    while sent < bytes.count, waited < longestWait {
      let count = writeBytes(output, base + sent, bytes.count - sent)
      if count > 0 {
        sent += count
      } else if errno == EAGAIN {
        var file = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
        poll(&file, 1, step)
        waited += step
      } else if errno != EINTR {
        break
      }
    }
    _ = fcntl(output, F_SETFL, flags)
  }

  /// Restores the terminal and removes the handlers.
  static func end() {
    restoreModes()
    removeHandlers()
  }

  /// Writes a whole text, with one call if possible.
  static func write(_ text: String) throws(TerminalError) {
    var text = text
    let code: Int32 = text.withUTF8 { bytes in
      guard let base = bytes.baseAddress else { return 0 }
      var sent = 0
      while sent < bytes.count {
        let count = writeBytes(output, base + sent, bytes.count - sent)
        if count > 0 { sent += count } else if errno != EINTR && errno != EAGAIN { return errno }
      }
      return 0
    }
    guard code == 0 else { throw .writeFailed(code: code) }
  }

  private static func prepareMemory() {
    guard leavingBytes == nil else { return }
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: leavingText.utf8.count)
    _ = bytes.initialize(from: leavingText.utf8)
    leavingBytes = bytes
    attributes = .allocate(capacity: 1)
    attributes?.initialize(to: termios())
    oldActions = .allocate(capacity: signalLimit)
    oldActions?.initialize(repeating: sigaction(), count: signalLimit)
  }
}
