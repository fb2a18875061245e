import CoreLocation
import LinuxIO
import Testing

/// What iOS sources take from Foundation around Core Location.
@Suite(.timeLimit(.minutes(30))) struct ShimTests {
  private let name = Notification.Name("org.lodestar.test")

  @Test("a loop over notifications receives those of its name and sender, and ends with its task")
  func notifications() async throws {
    let (center, sender) = (NotificationCenter(), NSObject())
    let received = Locked<[Int]>([])
    var iterator = center.notifications(named: name, object: sender).makeAsyncIterator()
    center.post(name: name, object: NSObject(), userInfo: ["n": 0])
    center.post(name: Notification.Name("other"), object: sender, userInfo: ["n": 1])
    for number in 2...12 { center.post(name: name, object: sender, userInfo: ["n": number]) }
    // The newest eight wait.
    for _ in 0..<8 {
      let number = await iterator.next()?.userInfo?["n"] as? Int
      received.withLock { $0.append(number ?? -1) }
    }
    #expect(received.withLock { $0 } == Array(5...12))
  }

  @Test("the constants of time are Dispatch's")
  func constants() {
    #expect(NSEC_PER_SEC == 1_000_000_000 && NSEC_PER_MSEC == 1_000_000)
    #expect(NSEC_PER_USEC == 1_000 && USEC_PER_SEC == 1_000_000)
  }
}
