import Foundation
import LinuxIO
import Testing

@Suite("Threads", .timeLimit(.minutes(30)))
struct WorkerThreadTests {
  /// Seconds; only reached by a test that fails.
  private static let timeout = 30.0

  private struct Found: Sendable {
    var name: String
    var thread: WorkerThread.Identity
  }

  @Test(
    "have a name that the kernel shows, and an identity",
    arguments: [("lodestar-a", "lodestar-a"), ("lodestar-calibrate", "lodestar-calibr"), ("", "")])
  func name(given: String, shown: String) {
    let found = Waitable<Found?>(nil)
    WorkerThread.start(given) {
      let path = "/proc/thread-self/comm"
      let name = String(
        decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
      let same = WorkerThread.Identity.current == WorkerThread.Identity.current
      found.withLock { $0 = Found(name: same ? name : "another", thread: .current) }
    }
    let thread = found.wait(atMost: Self.timeout) { $0 }
    #expect(thread?.name == shown + "\n")
    #expect(thread?.thread != WorkerThread.Identity.current)
  }

  @Test("release what they have used when they end")
  func memory() {
    final class Used: Sendable {
      let isReleased: Waitable<Bool>
      init(_ isReleased: Waitable<Bool>) { self.isReleased = isReleased }
      deinit { isReleased.withLock { $0 = true } }
    }
    let isReleased = Waitable(false)
    WorkerThread.start("lodestar-used") { [used = Used(isReleased)] in _ = used }
    #expect(isReleased.wait(atMost: Self.timeout) { $0 ? true : nil } == true)
  }

  @Test("a recursive lock is taken again by its holder, and by no other thread")
  func recursiveLock() {
    let lock = RecursiveLock()
    let order = Waitable<[Int]>([])
    lock.withLock {
      lock.lock()
      let isStarted = Waitable(false)
      WorkerThread.start("lodestar-lock") {
        isStarted.withLock { $0 = true }
        lock.withLock { order.withLock { $0.append(2) } }
      }
      #expect(isStarted.wait(atMost: Self.timeout) { $0 ? true : nil } == true)
      lock.unlock()
      order.withLock { $0.append(1) }
    }
    #expect(order.wait(atMost: Self.timeout) { $0.count == 2 ? $0 : nil } == [1, 2])
  }
}
