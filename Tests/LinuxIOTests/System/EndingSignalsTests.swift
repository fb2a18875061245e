import Foundation
import LinuxIO
import TestSupport
import Testing

@Suite("Signals that end a program", .timeLimit(.minutes(30)))
struct EndingSignalsTests {
  @Test("reach a thread that blocked all signals; the others stay blocked")
  func unblocked() {
    let numbers = [SIGINT, SIGTERM, SIGHUP, SIGUSR1]
    let blocked = Waitable<[Int32]?>(nil)
    Thread {
      var (all, after) = (sigset_t(), sigset_t())
      sigfillset(&all)
      pthread_sigmask(SIG_SETMASK, &all, nil)
      EndingSignals.unblock()
      pthread_sigmask(SIG_SETMASK, nil, &after)
      let found = numbers.filter { sigismember(&after, $0) == 1 }
      blocked.withLock { $0 = found }
    }.start()
    #expect(blocked.wait(atMost: 30) { $0 } == [SIGUSR1])
  }
}
