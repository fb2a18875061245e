#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension TerminalRestore {
  /// Signals that end the process: the terminal is restored first, then the previous action runs.
  private static let endings = [
    SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE,
  ]
  private static let others = [SIGTSTP, SIGCONT, SIGWINCH]
  // Above every signal number of Linux (64) and Darwin (31).
  static let signalLimit = 65

  static func installHandlers() {
    for number in endings {
      install(number) { number in
        TerminalRestore.restoreModes()
        TerminalRestore.putBack(number)
        // Delivered to the previous handler as soon as this one returns.
        raise(number)
      }
    }
    installSuspension()
    install(SIGCONT) { _ in TerminalRestore.wasContinued = 1 }
    // Only interrupts the poll between two frames.
    install(SIGWINCH) { _ in }
  }

  private static func installSuspension() {
    install(SIGTSTP) { _ in TerminalRestore.wantsSuspension = 1 }
  }

  /// Restores the terminal and stops the whole job as Ctrl-Z would. Returns after `fg`, or at once
  /// if no shell can continue the job (the kernel then ignores SIGTSTP, not SIGSTOP).
  static func suspendJob() {
    wantsSuspension = 0
    restoreModes()
    putBack(SIGTSTP)
    kill(0, SIGTSTP)
    installSuspension()
    wasContinued = 1
  }

  static func removeHandlers() {
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
    // A signal that the parent process ignores (nohup) stays ignored.
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
