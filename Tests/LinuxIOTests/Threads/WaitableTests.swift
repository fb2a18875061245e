import Foundation
import LinuxIO
import Testing

@Suite("A value to wait for", .timeLimit(.minutes(30)))
struct WaitableTests {
  /// Seconds; only reached by a test that fails.
  private static let timeout = 30.0

  private static func detach(_ body: @escaping @Sendable () -> Void) { Thread(block: body).start() }

  @Test("a change wakes a waiting thread", arguments: [30, Double.infinity])
  func change(seconds: Double) {
    let value = Waitable(0)
    let seen = Waitable<Int?>(nil)
    Self.detach {
      let found = value.wait(atMost: seconds) { $0 >= 2 ? $0 : nil }
      seen.withLock { $0 = found }
    }
    // The first change does not yet meet the condition.
    value.withLock { $0 = 1 }
    value.withLock { $0 = 2 }
    #expect(seen.wait(atMost: Self.timeout) { $0 } == 2)
  }

  @Test(
    "a timeout that is no positive number does not wait",
    arguments: [0, -1, -Double.infinity, Double.nan])
  func noWait(seconds: Double) {
    let value = Waitable(0)
    let found = value.wait(atMost: seconds) { $0 > 0 ? $0 : nil }
    #expect(found == nil)
  }

  @Test("all waiting threads see a change")
  func allThreads() {
    let value = Waitable(false)
    let count = Waitable(0)
    for _ in 0..<3 {
      Self.detach {
        let found: Bool? = value.wait(atMost: Self.timeout) { $0 ? true : nil }
        if found == true { count.withLock { $0 += 1 } }
      }
    }
    value.withLock { $0 = true }
    #expect(count.wait(atMost: Self.timeout) { $0 == 3 ? true : nil } == true)
  }

  @Test("a wait without a change ends with nil after the timeout, not before")
  func timeout() {
    let value = Waitable(0)
    let begin = MonotonicClock.now
    let found: Int? = value.wait(atMost: 0.05) { $0 > 0 ? $0 : nil }
    #expect(found == nil)
    #expect(MonotonicClock.now.seconds(since: begin) >= 0.05)
  }

  @Test("zero and less look once and do not wait", arguments: [0, -1, -Double.infinity])
  func zero(seconds: Double) {
    let value = Waitable(7)
    #expect(value.wait(atMost: seconds) { $0 } == 7)
    let none: Int? = value.wait(atMost: seconds) { _ in nil }
    #expect(none == nil)
  }

  @Test("a wait may take its result out of the value")
  func removeNext() {
    let queue = Waitable([1, 2])
    #expect(queue.wait(atMost: 0) { $0.popLast() } == 2)
    #expect(queue.read { $0 } == [1])
  }

  @Test("an error of a change passes through, and the value is free again")
  func fault() {
    let value = Waitable(0)
    #expect(throws: CancellationError.self) {
      try value.withLock { (value: inout Int) throws(CancellationError) in
        value = 1
        throw CancellationError()
      }
    }
    #expect(value.read { $0 } == 1)
  }
}
