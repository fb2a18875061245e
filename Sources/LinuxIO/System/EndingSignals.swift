#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The signals with which a program is asked to end: SIGINT, SIGTERM, SIGHUP.
///
/// A child inherits the mask of the thread that starts it, and Dispatch's threads block all signals: without these calls a
/// program that was started by such a thread could only be killed.
package enum EndingSignals {
  /// Unblocks them in this thread, and in those that it starts later.
  package static func unblock() { _ = changeMask(SIG_UNBLOCK, all) }

  /// Runs `body`, which starts a child, with these signals unblocked.
  package static func unblocked<Result>(_ body: () throws -> Result) rethrows -> Result {
    let before = changeMask(SIG_UNBLOCK, all)
    defer { _ = changeMask(SIG_SETMASK, before) }
    return try body()
  }

  private static var all: sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&set, number) }
    return set
  }

  private static func changeMask(_ how: Int32, _ set: sigset_t) -> sigset_t {
    var (set, before) = (set, sigset_t())
    pthread_sigmask(how, &set, &before)
    return before
  }
}
