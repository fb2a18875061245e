#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The signals with which a program is asked to end: SIGINT, SIGTERM, SIGHUP.
///
/// A child inherits the mask of the thread that starts it, and Dispatch's threads block all signals: without this call a
/// program that was started by such a thread could only be killed. A `ChildProcess` has no blocked signal.
package enum EndingSignals {
  /// Unblocks them in this thread, and in those that it starts later.
  package static func unblock() {
    var set = sigset_t()
    sigemptyset(&set)
    for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&set, number) }
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }
}
