import LinuxIO
import Observers
import Testing

@Suite("The list of observers", .timeLimit(.minutes(30)))
struct ObserverListTests {
  @Test("every observer receives each value until its observation is cancelled or released")
  func observers() {
    let list = ObserverList<Int>()
    let (first, second) = (Locked<[Int]>([]), Locked<[Int]>([]))
    let observation = list.add { value in first.withLock { $0.append(value) } }
    do {
      let released = list.add { value in second.withLock { $0.append(value) } }
      list.notify(1)
      #expect(list.count == 2)
      withExtendedLifetime(released) {}
    }
    list.notify(2)
    #expect(list.count == 1)
    observation.cancel()
    list.notify(3)
    #expect(list.isEmpty)
    #expect(first.withLock { $0 } == [1, 2])
    #expect(second.withLock { $0 } == [1])
  }

  @Test("observers are called in the order in which they were added, also after one was removed")
  func order() {
    let list = ObserverList<Int>()
    let called = Locked<[Int]>([])
    let observations = (0..<20).map { index in
      list.add { _ in called.withLock { $0.append(index) } }
    }
    observations[7].cancel()
    list.notify(0)
    #expect(called.withLock { $0 } == (0..<20).filter { $0 != 7 })
    withExtendedLifetime(observations) {}
  }

  @Test("a change is reported for the first observer and the last, outside the lock")
  func changes() {
    let list = ObserverList<Int>()
    let counts = Locked<[Int]>([])
    // `count` takes the list's lock.
    list.onChange { [weak list] in
      if let count = list?.count { counts.withLock { $0.append(count) } }
    }
    let observations = [list.add { _ in }, list.add { _ in }]
    #expect(counts.withLock { $0 } == [1])
    for observation in observations { observation.cancel() }
    // The second end of an observation changes nothing.
    for observation in observations { observation.cancel() }
    #expect(counts.withLock { $0 } == [1, 0])
  }

  @Test("an observer may add and cancel observers")
  func nested() {
    let list = ObserverList<Int>()
    let kept = Locked<[Observation]>([])
    let values = Locked<[Int]>([])
    let observation = list.add { [weak list] value in
      values.withLock { $0.append(value) }
      let more = list?.add { value in values.withLock { $0.append(-value) } }
      kept.withLock { $0 = [more].compactMap { $0 } }
    }
    list.notify(1)
    observation.cancel()
    list.notify(2)
    #expect(values.withLock { $0 } == [1, -2])
    for more in kept.withLock({ $0 }) { more.cancel() }
    #expect(list.isEmpty)
  }
}
