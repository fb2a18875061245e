#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Takes the terminal over and gives it back, also out of a signal handler.
///
/// A handler may run between any two instructions, so it allocates nothing and takes no lock: what
/// it needs lies ready in raw memory before the first handler is installed, and it calls only
/// write, tcsetattr, sigaction and raise.
/// - Source: POSIX.1-2017, 2.4.3, the table of async-signal-safe functions.
enum TerminalRestore {
  /// 1 while the terminal is ours.
  nonisolated(unsafe) static var isTaken: sig_atomic_t = 0
  /// 1 after SIGTSTP asked for a pause.
  nonisolated(unsafe) static var wantsSuspension: sig_atomic_t = 0
  /// 1 after SIGCONT: somebody may have written on the screen meanwhile.
  nonisolated(unsafe) static var wasContinued: sig_atomic_t = 0

  nonisolated(unsafe) private static var output: Int32 = -1
  nonisolated(unsafe) private static var input: Int32 = -1
  nonisolated(unsafe) private static var isExitHooked = false
  nonisolated(unsafe) private static var leaving: UnsafeMutableBufferPointer<UInt8>?
  nonisolated(unsafe) private static var attributes: UnsafeMutablePointer<termios>?
  nonisolated(unsafe) private static var oldActions: UnsafeMutablePointer<sigaction>?

  // End of synchronised update, colours off, cursor and wrapping on, main screen back.
  // - Source: xterm control sequences (DECTCEM 25, DECAWM 7, 1049); 2026 is contour's extension.
  private static let leavingText = "\u{1B}[?2026l\u{1B}[0m\u{1B}[?25h\u{1B}[?7h\u{1B}[?1049l"
  private static let enteringText = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J"

  /// Signals that end the process: the terminal goes back first, then the old action follows.
  private static let endings = [
    SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE
  ]
  private static let others = [SIGTSTP, SIGCONT, SIGWINCH]
  // Above every signal number of Linux (64) and Darwin (31).
  private static let signalLimit = 65

  /// Remembers the terminal's modes and sets ours. `input` is -1 where there are no keys to read.
  static func take(input: Int32, output: Int32) throws(TerminalError) {
    guard isTaken == 0 else { throw .alreadyInUse }
    prepareMemory()
    Self.input = input
    Self.output = output
    if input >= 0, let attributes {
      guard tcgetattr(input, attributes) == 0 else { throw .modesRefused(code: errno) }
    }
    if !isExitHooked {
      isExitHooked = atexit { TerminalRestore.giveBack() } == 0
    }
    installHandlers()
    do throws(TerminalError) { try enter() } catch {
      removeHandlers()
      throw error
    }
  }

  /// Sets our modes again after a pause; the remembered ones stay.
  static func enter() throws(TerminalError) {
    if input >= 0, var raw = attributes?.pointee {
      raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
      raw.c_iflag &= ~tcflag_t(IXON | ICRNL)
      // Flagged first: a signal right after tcsetattr must find the terminal taken.
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

  /// Restores the remembered modes; does nothing a second time. Safe in a signal handler.
  static func giveBack() {
    guard isTaken != 0 else { return }
    isTaken = 0
    let code = errno
    if let leaving, let base = leaving.baseAddress {
      var sent = 0
      while sent < leaving.count {
        #if canImport(Darwin)
          let count = Darwin.write(output, base + sent, leaving.count - sent)
        #elseif canImport(Musl)
          let count = Musl.write(output, base + sent, leaving.count - sent)
        #else
          let count = Glibc.write(output, base + sent, leaving.count - sent)
        #endif
        if count <= 0 && errno != EINTR { break }
        sent += max(0, count)
      }
    }
    if input >= 0, let attributes { tcsetattr(input, TCSANOW, attributes) }
    errno = code
  }

  /// Gives the terminal back for good.
  static func end() {
    giveBack()
    removeHandlers()
  }

  /// Writes all of a text, in one call where the terminal takes it.
  static func write(_ text: String) throws(TerminalError) {
    var text = text
    let code: Int32 = text.withUTF8 { bytes in
      guard let base = bytes.baseAddress else { return 0 }
      var sent = 0
      while sent < bytes.count {
        #if canImport(Darwin)
          let count = Darwin.write(output, base + sent, bytes.count - sent)
        #elseif canImport(Musl)
          let count = Musl.write(output, base + sent, bytes.count - sent)
        #else
          let count = Glibc.write(output, base + sent, bytes.count - sent)
        #endif
        if count > 0 { sent += count } else if errno != EINTR && errno != EAGAIN { return errno }
      }
      return 0
    }
    guard code == 0 else { throw .writeFailed(code: code) }
  }

  private static func prepareMemory() {
    guard leaving == nil else { return }
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: leavingText.utf8.count)
    _ = bytes.initialize(from: leavingText.utf8)
    leaving = bytes
    attributes = .allocate(capacity: 1)
    attributes?.initialize(to: termios())
    oldActions = .allocate(capacity: signalLimit)
    oldActions?.initialize(repeating: sigaction(), count: signalLimit)
  }
}

// MARK: - Signals

extension TerminalRestore {
  private static func installHandlers() {
    for number in endings {
      install(number) { number in
        TerminalRestore.giveBack()
        TerminalRestore.putBack(number)
        // Delivered as soon as this handler returns, to whoever had the signal before.
        raise(number)
      }
    }
    installSuspension()
    install(SIGCONT) { _ in TerminalRestore.wasContinued = 1 }
    // Only to wake the poll between two frames.
    install(SIGWINCH) { _ in }
  }

  private static func installSuspension() {
    install(SIGTSTP) { _ in TerminalRestore.wantsSuspension = 1 }
  }

  /// Gives the terminal back and stops the whole job as Ctrl-Z would; returns after `fg`, or at once
  /// where no shell could ever continue the job (the kernel then ignores SIGTSTP, not SIGSTOP).
  static func suspendJob() {
    wantsSuspension = 0
    giveBack()
    putBack(SIGTSTP)
    kill(0, SIGTSTP)
    installSuspension()
    wasContinued = 1
  }

  private static func removeHandlers() {
    for number in endings + others { putBack(number) }
  }

  private static func install(_ number: Int32, _ body: @escaping @convention(c) (Int32) -> Void) {
    var action = sigaction()
    #if canImport(Glibc)
      action.__sigaction_handler.sa_handler = body
    #elseif canImport(Musl)
      action.__sa_handler.sa_handler = body
    #else
      action.__sigaction_u.__sa_handler = body
    #endif
    sigemptyset(&action.sa_mask)
    guard let old = oldActions?.advanced(by: Int(number)) else { return }
    sigaction(number, &action, old)
    // What the parent told us to ignore (nohup) stays ignored.
    if isIgnored(old) { sigaction(number, old, nil) }
  }

  private static func putBack(_ number: Int32) {
    guard let old = oldActions?.advanced(by: Int(number)) else { return }
    sigaction(number, old, nil)
  }

  private static func isIgnored(_ action: UnsafePointer<sigaction>) -> Bool {
    #if canImport(Glibc)
      let handler = action.pointee.__sigaction_handler.sa_handler
    #elseif canImport(Musl)
      let handler = action.pointee.__sa_handler.sa_handler
    #else
      let handler = action.pointee.__sigaction_u.__sa_handler
    #endif
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
