import Foundation
import LocationHost
import Monitoring
import Observers
import Pipeline
import Quantities
import Radio
import TestSupport
import Testing

@Suite("Coarse fixes of Wi-Fi", .timeLimit(.minutes(30)))
struct CoarseFixesTests {
  private static func position(_ number: Int) -> CoarsePlace {
    CoarsePlace(
      position: GeodeticPosition(
        latitudeDegrees: 48 + Double(number) * 0.01, longitudeDegrees: 11), radius95Metres: 50,
      time: UTCTime(nanosecondsSince1970: 1_767_571_200_000_000_000 + Int64(number)))
  }

  @Test("without a sensor each fix has the time at which it was found")
  func alone() {
    let searches = Searches()
    let fixes = CoarseFixes(nil, every: 0.02) { () throws(WiFiError) in
      Self.position(searches.next())
    }
    let received = Collected<Estimate>()
    let observation = fixes.observe { received.add($0) }
    #expect(received.wait { $0.count >= 3 })
    observation.cancel()
    let places = received.all.compactMap { PlaceFix($0, now: UTCTime(nanosecondsSince1970: 0)) }
    #expect(places.count == received.all.count)
    let instants = received.all.compactMap(\.fixTimestamp)
    #expect(zip(instants, instants.dropFirst()).allSatisfy { $0 < $1 })
    #expect(zip(places, places.dropFirst()).allSatisfy { $0.time < $1.time })
    #expect(received.all.allSatisfy { $0.timestamp == $0.fixTimestamp })
  }

  @Test("a source without estimates does not delay a fix, and the fix retains its time")
  func silentSource() {
    let base = ScriptedBase()
    let (searches, received) = (Searches(), Collected<Estimate>())
    let fixes = CoarseFixes(base, every: 3600, timeout: 0.05) { () throws(WiFiError) in
      Self.position(searches.next())
    }
    let observation = fixes.observe { received.add($0) }
    #expect(received.wait { !$0.isEmpty })
    #expect(received.all.first?.fixKind == .network)
    // The source's next estimate contains the fix.
    let later = received.all[0].timestamp.advanced(byNanoseconds: 1_000_000_000)
    base.send(Estimate(timestamp: later))
    #expect(received.all.count == 2 && received.all[1].position == received.all[0].position)
    #expect(received.all[1].fixTimestamp == received.all[0].fixTimestamp)
    observation.cancel()
  }

  @Test("a place is left out once later searches should have found it again")
  func expired() {
    let base = ScriptedBase()
    let (searches, received) = (Searches(), Collected<Estimate>())
    let fixes = CoarseFixes(base, every: 3600, timeout: 0.05) { () throws(WiFiError) in
      Self.position(searches.next())
    }
    let observation = fixes.observe { received.add($0) }
    #expect(received.wait { !$0.isEmpty })
    for (seconds, isThere) in [(7100.0, true), (7300, false), (7400, false)] {
      base.send(Estimate(timestamp: received.all[0].timestamp.advanced(bySeconds: seconds)))
      #expect((received.all.last?.position != nil) == isThere, "\(seconds) s")
    }
    observation.cancel()
  }

  @Test("the estimates of a running source contain the fix")
  func speakingSource() {
    let base = ScriptedBase()
    let (searches, received) = (Searches(), Collected<Estimate>())
    let fixes = CoarseFixes(base, every: 3600, timeout: 60) { () throws(WiFiError) in
      defer { searches.found() }
      return Self.position(searches.next())
    }
    let observation = fixes.observe { received.add($0) }
    #expect(searches.places.wait { !$0.isEmpty })
    // The fix is published soon after it was found.
    let end = Date(timeIntervalSinceNow: 20)
    while received.all.last?.fixKind != .network, Date() < end {
      base.send(Estimate(timestamp: Timestamp(nanoseconds: 1_000_000_000)))
      usleep(1000)
    }
    #expect(received.all.last?.fixKind == .network)
    #expect(received.all.allSatisfy { $0.timestamp.nanoseconds == 1_000_000_000 })
    #expect(received.all.last?.fixTimestamp == received.all.last?.timestamp)
    observation.cancel()
  }

  @Test("a search starts at once with a demand, and no search runs without one")
  func demand() {
    let searches = Searches()
    let fixes = CoarseFixes(nil, every: 0.01) { () throws(WiFiError) in
      defer { searches.found() }
      return Self.position(searches.next())
    }
    fixes.setReceiverDemand(.none)
    let observation = fixes.observe { _ in }
    usleep(150_000)
    #expect(searches.places.all.isEmpty)
    fixes.setReceiverDemand(.every(seconds: 3600))
    #expect(searches.places.wait { $0.count == 1 })
    usleep(100_000)
    #expect(searches.places.all.count == 1)
    fixes.setReceiverDemand(.continuous)
    #expect(searches.places.wait { $0.count >= 3 })
    observation.cancel()
  }

  @Test("a reason for a missing fix is reported once, and again after a fix")
  func notices() {
    let searches = Searches()
    let faults: [WiFiError.Kind?] = [
      .notFound, .notFound, .tooFew(1), .tooFew(2), .tooSoon(seconds: 3), nil, .notFound,
    ]
    let fixes = CoarseFixes(nil, every: 0.01) { () throws(WiFiError) in
      let number = searches.next()
      defer { searches.found() }
      if let fault = faults[min(number, faults.count - 1)] { throw WiFiError(fault) }
      return Self.position(number)
    }
    let received = Collected<String>()
    fixes.onNotice { received.add($0) }
    let observation = fixes.observe { _ in }
    #expect(searches.places.wait { $0.count >= 10 })
    observation.cancel()
    let expected: [WiFiError.Kind] = [.notFound, .tooFew(1), .notFound]
    #expect(received.all == expected.map { "\(WiFiError($0))" })
  }
}

/// Counts searches.
private final class Searches: @unchecked Sendable {
  let places = Collected<Int>()
  private let lock = NSLock()
  private var count = 0

  /// The number of this search, from 0.
  func next() -> Int {
    lock.withLock {
      defer { count += 1 }
      return count
    }
  }

  func found() { places.add(0) }
}

/// A source that publishes what a test sends.
private final class ScriptedBase: EstimatePublisher, @unchecked Sendable {
  private let lock = NSLock()
  private var observer: (@Sendable (Estimate) -> Void)?

  let hasMagnetometer = true
  let hasReceiver = false
  let isSimulated = false
  let latest: Estimate? = nil

  func observe(_ body: @escaping @Sendable (Estimate) -> Void) -> Observation {
    lock.withLock { observer = body }
    return Observation {}
  }

  func send(_ estimate: Estimate) { lock.withLock { observer }?(estimate) }
}
