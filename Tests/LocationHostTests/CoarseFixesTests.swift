import Engine
import Foundation
import LocationHost
import Monitoring
import Quantities
import Radio
import TestSupport
import Testing

@Suite("Coarse fixes of Wi-Fi")
struct CoarseFixesTests {
  private static func position(_ number: Int) -> CoarsePlace {
    CoarsePlace(
      position: GeodeticPosition(
        latitudeDegrees: 48 + Double(number) * 0.01, longitudeDegrees: 11), radius95Metres: 50,
      time: UTCTime(nanosecondsSince1970: 1_767_571_200_000_000_000 + Int64(number)))
  }

  @Test("with no sensor each fix bears the instant at which it was found")
  func alone() {
    let searches = Searches()
    let fixes = CoarseFixes(nil, every: 0.02) { () throws(WiFiError) in
      Self.position(searches.next())
    }
    let told = Collected<Estimate>()
    let observation = fixes.observe { told.add($0) }
    #expect(told.wait { $0.count >= 3 })
    observation.cancel()
    let places = told.all.compactMap { PlaceFix($0, now: UTCTime(nanosecondsSince1970: 0)) }
    #expect(places.count == told.all.count)
    let instants = told.all.compactMap(\.fixTimestamp)
    #expect(zip(instants, instants.dropFirst()).allSatisfy { $0 < $1 })
    #expect(zip(places, places.dropFirst()).allSatisfy { $0.time < $1.time })
    #expect(told.all.allSatisfy { $0.timestamp == $0.fixTimestamp })
  }

  @Test("a source that falls silent holds no fix back, and the fix is as old as it is")
  func silentSource() {
    let base = Spoken()
    let (searches, told) = (Searches(), Collected<Estimate>())
    let fixes = CoarseFixes(base, every: 3600, timeout: 0.05) { () throws(WiFiError) in
      Self.position(searches.next())
    }
    let observation = fixes.observe { told.add($0) }
    #expect(told.wait { !$0.isEmpty })
    #expect(told.all.first?.fixKind == .network)
    // And is carried on once the source speaks again.
    let later = told.all[0].timestamp.advanced(byNanoseconds: 1_000_000_000)
    base.say(Estimate(timestamp: later))
    #expect(told.all.count == 2 && told.all[1].position == told.all[0].position)
    #expect(told.all[1].fixTimestamp == told.all[0].fixTimestamp)
    observation.cancel()
  }

  @Test("a source that speaks bears the fix itself")
  func speakingSource() {
    let base = Spoken()
    let (searches, told) = (Searches(), Collected<Estimate>())
    let fixes = CoarseFixes(base, every: 3600, timeout: 60) { () throws(WiFiError) in
      defer { searches.found() }
      return Self.position(searches.next())
    }
    let observation = fixes.observe { told.add($0) }
    #expect(searches.places.wait { !$0.isEmpty })
    // The fix is taken soon after it was found.
    let end = Date(timeIntervalSinceNow: 20)
    while told.all.last?.fixKind != .network, Date() < end {
      base.say(Estimate(timestamp: Timestamp(nanoseconds: 1_000_000_000)))
      usleep(1000)
    }
    #expect(told.all.last?.fixKind == .network)
    #expect(told.all.allSatisfy { $0.timestamp.nanoseconds == 1_000_000_000 })
    #expect(told.all.last?.fixTimestamp == told.all.last?.timestamp)
    observation.cancel()
  }

  @Test("nothing is searched while no fix is wanted, and at once when one is")
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

  @Test("why there is no fix is told once for each reason, and again after a fix")
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
    let told = Collected<String>()
    fixes.onNotice { told.add($0) }
    let observation = fixes.observe { _ in }
    #expect(searches.places.wait { $0.count >= 10 })
    observation.cancel()
    let expected: [WiFiError.Kind] = [.notFound, .tooFew(1), .notFound]
    #expect(told.all == expected.map { "\(WiFiError($0))" })
  }
}

/// Counts searches.
private final class Searches: @unchecked Sendable {
  let places = Collected<Int>()
  private let lock = NSLock()
  private var count = 0

  /// The number of this one, from 0.
  func next() -> Int {
    lock.withLock {
      defer { count += 1 }
      return count
    }
  }

  func found() { places.add(0) }
}

/// A source that tells what a test says.
private final class Spoken: EstimatePublisher, @unchecked Sendable {
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

  func say(_ estimate: Estimate) { lock.withLock { observer }?(estimate) }
}
