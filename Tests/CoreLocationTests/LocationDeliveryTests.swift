import CoreLocation
import Testing

@Suite(.timeLimit(.minutes(30))) struct LocationDeliveryTests {
  private let start = Date(timeIntervalSince1970: 1_750_000_000)

  // On the equator: a degree of longitude is 111.2 to 111.3 km on any earth model.
  private func fix(metresEast: Double, accuracy: Double = 5, age: Double = 0) -> CLLocation {
    CLLocation(
      coordinate: CLLocationCoordinate2D(latitude: 0, longitude: metresEast / 111_250),
      altitude: 0, horizontalAccuracy: accuracy, verticalAccuracy: -1,
      timestamp: start.addingTimeInterval(-age))
  }

  private func running(filter: Double = kCLDistanceFilterNone) -> LocationDelivery {
    var delivery = LocationDelivery()
    delivery.distanceFilter = filter
    _ = delivery.start(at: start)
    _ = delivery.sourceReady(known: nil, at: start)
    return delivery
  }

  @Test("without a filter every fix comes, and nothing comes before the start or after the stop")
  func everyFix() {
    var delivery = LocationDelivery()
    #expect(delivery.receive(fix(metresEast: 0), at: start) == nil)
    delivery = running()
    for _ in 0..<3 { #expect(delivery.receive(fix(metresEast: 0), at: start) != nil) }
    delivery.stop()
    #expect(delivery.receive(fix(metresEast: 0), at: start) == nil)
  }

  @Test("the filter measures from the last delivered fix, not from the last one seen")
  func distance() {
    var delivery = running(filter: 100)
    let delivered = [0.0, 60, 99, 101, 160, 199, 202].filter {
      delivery.receive(fix(metresEast: $0), at: start) != nil
    }
    #expect(delivered == [0, 101, 202])
  }

  @Test("a fix twice as accurate comes in spite of the filter; a little better is not enough")
  func improvement() {
    var delivery = running(filter: 1000)
    let delivered = [100.0, 51, 50, 26, 25].filter {
      delivery.receive(fix(metresEast: 0, accuracy: $0), at: start) != nil
    }
    #expect(delivered == [100, 50, 25])
    #expect(delivery.receive(fix(metresEast: 0, accuracy: -1), at: start) == nil)
  }

  @Test("equal accuracies of zero are no improvement")
  func noEndlessImprovement() {
    var delivery = running(filter: 1000)
    #expect(delivery.receive(fix(metresEast: 0, accuracy: 0), at: start) != nil)
    #expect(delivery.receive(fix(metresEast: 0, accuracy: 0), at: start) == nil)
  }

  @Test("the fix known before comes first, and an old one does not hold back the first fresh one")
  func known() {
    var delivery = LocationDelivery()
    delivery.distanceFilter = 100
    #expect(delivery.start(at: start) == true)
    let old = fix(metresEast: 0, age: 3600)
    #expect(delivery.sourceReady(known: old, at: start) === old)
    #expect(delivery.sourceReady(known: old, at: start) == nil)
    #expect(delivery.receive(fix(metresEast: 1), at: start) != nil)
    #expect(delivery.receive(fix(metresEast: 2), at: start) == nil)
  }

  @Test("a known fix that is fresh counts for the filter")
  func freshKnown() {
    var delivery = LocationDelivery()
    delivery.distanceFilter = 100
    _ = delivery.start(at: start)
    #expect(delivery.sourceReady(known: fix(metresEast: 0, age: 15), at: start) != nil)
    #expect(delivery.receive(fix(metresEast: 50), at: start) == nil)
  }

  @Test("a known fix with an invalid coordinate is not delivered")
  func invalidKnown() {
    var delivery = LocationDelivery()
    _ = delivery.start(at: start)
    #expect(delivery.sourceReady(known: fix(metresEast: 0, accuracy: -1), at: start) == nil)
  }

  @Test("a fresh fix that is faster than the known one takes its place")
  func fasterThanKnown() {
    var delivery = LocationDelivery()
    _ = delivery.start(at: start)
    #expect(delivery.receive(fix(metresEast: 5), at: start) != nil)
    #expect(delivery.sourceReady(known: fix(metresEast: 0, age: 60), at: start) == nil)
  }

  @Test("the known fix does not come a second time as a new one")
  func sameFixTwice() {
    var delivery = LocationDelivery()
    _ = delivery.start(at: start)
    let same = fix(metresEast: 0)
    #expect(delivery.sourceReady(known: same, at: start) === same)
    #expect(delivery.receive(same, at: start) == nil)
  }

  @Test("the known fix is not delivered again inside its own delivery, nor within a second")
  func noRepetition() {
    let same = fix(metresEast: 0)
    for (isInside, seconds, comes) in [
      (false, 0.9, false), (false, 1, true), (true, 60, false),
    ] {
      var delivery = LocationDelivery()
      _ = delivery.start(at: start)
      #expect(delivery.sourceReady(known: same, at: start, steadyNow: start) === same)
      delivery.recordDelivery(of: same, at: start)
      delivery.stop()
      let later = start.addingTimeInterval(seconds)
      _ = delivery.start(at: later, isInsideDelivery: isInside)
      let known = delivery.sourceReady(known: same, at: later, steadyNow: later)
      #expect((known != nil) == comes)
      #expect(delivery.receive(fix(metresEast: 1), at: later) != nil)
    }
  }

  @Test("another known fix comes also where updates start again inside a delivery")
  func newKnown() {
    var delivery = LocationDelivery()
    delivery.recordDelivery(of: fix(metresEast: 0), at: start)
    _ = delivery.start(at: start, isInsideDelivery: true)
    #expect(
      delivery.sourceReady(known: fix(metresEast: 9), at: start, steadyNow: start) != nil)
  }

  @Test("starting twice changes nothing; stopping and starting gives the known fix again")
  func restart() {
    var delivery = running(filter: 100)
    _ = delivery.receive(fix(metresEast: 0), at: start)
    #expect(delivery.start(at: start) == false)
    #expect(delivery.receive(fix(metresEast: 1), at: start) == nil)
    delivery.stop()
    #expect(delivery.start(at: start) == true)
    #expect(delivery.sourceReady(known: fix(metresEast: 1), at: start) != nil)
  }

  @Test("a request ends with a fix of the wanted accuracy")
  func requestSatisfied() {
    var delivery = LocationDelivery()
    delivery.desiredAccuracy = kCLLocationAccuracyHundredMeters
    #expect(delivery.beginRequest(at: start) == start.addingTimeInterval(10))
    #expect(delivery.receive(fix(metresEast: 0, accuracy: 150), at: start) == nil)
    #expect(delivery.receive(fix(metresEast: 0, accuracy: 90), at: start) != nil)
    #expect(delivery.receive(fix(metresEast: 0, accuracy: 5), at: start) == nil)
    #expect(delivery.requestOutcome(at: start.addingTimeInterval(11)) == nil)
    #expect(!delivery.isActive)
  }

  @Test("at its deadline a request gives the best fix seen rather than an error")
  func requestCoarse() {
    var delivery = LocationDelivery()
    _ = delivery.beginRequest(at: start)
    let best = fix(metresEast: 0, accuracy: 40)
    for candidate in [fix(metresEast: 0, accuracy: 60), best, fix(metresEast: 0, accuracy: 80)] {
      #expect(delivery.receive(candidate, at: start) == nil)
    }
    #expect(
      delivery.requestOutcome(at: start.addingTimeInterval(9))
        == .wait(until: start.addingTimeInterval(10)))
    #expect(delivery.requestOutcome(at: start.addingTimeInterval(10)) == .fix(best))
    #expect(delivery.requestOutcome(at: start.addingTimeInterval(10)) == nil)
  }

  @Test("a request without any fix ends as unknown, once")
  func requestUnknown() {
    var delivery = LocationDelivery()
    _ = delivery.beginRequest(at: start)
    _ = delivery.receive(fix(metresEast: 0, accuracy: -1), at: start)
    #expect(delivery.requestOutcome(at: start.addingTimeInterval(10)) == .unknown)
    #expect(delivery.requestOutcome(at: start.addingTimeInterval(20)) == nil)
  }

  @Test("a request takes no fix from before it, neither the known one nor one that comes late")
  func requestKnown() {
    var delivery = LocationDelivery()
    delivery.desiredAccuracy = kCLLocationAccuracyKilometer
    _ = delivery.beginRequest(at: start)
    #expect(delivery.sourceReady(known: fix(metresEast: 0, age: 0.1), at: start) == nil)
    #expect(
      delivery.receive(fix(metresEast: 1), at: start.addingTimeInterval(1), age: 1.1) == nil)
    #expect(delivery.isRequesting)
    let taken = fix(metresEast: 2)
    #expect(delivery.receive(taken, at: start.addingTimeInterval(2), age: 0.2) === taken)
    _ = delivery.beginRequest(at: start)
    #expect(delivery.sourceReady(known: fix(metresEast: 0, age: 2), at: start) == nil)
    #expect(delivery.requestOutcome(at: start.addingTimeInterval(10)) == .unknown)
  }

  @Test("starting or stopping updates ends a request; during updates a request does nothing")
  func requestAndUpdates() {
    var delivery = LocationDelivery()
    _ = delivery.beginRequest(at: start)
    #expect(delivery.beginRequest(at: start) == nil)
    _ = delivery.start(at: start)
    #expect(delivery.requestOutcome(at: start.addingTimeInterval(10)) == nil)
    #expect(delivery.beginRequest(at: start) == nil)
    #expect(!delivery.isRequesting && delivery.isUpdating)
    delivery.stop()
    _ = delivery.beginRequest(at: start)
    delivery.stop()
    #expect(delivery.requestOutcome(at: start.addingTimeInterval(10)) == nil)
  }

  @Test("a timeout without a fix is reported once, and again only after another fix and timeout")
  func drought() {
    var delivery = running()
    func outcome(_ seconds: Double) -> LocationDelivery.Outcome? {
      delivery.updateOutcome(at: start.addingTimeInterval(seconds))
    }
    #expect(outcome(29) == .wait(until: start.addingTimeInterval(30)))
    #expect(outcome(30) == .unknown)
    #expect(outcome(60) != .unknown)
    _ = delivery.receive(fix(metresEast: 0), at: start.addingTimeInterval(70))
    #expect(outcome(99) == .wait(until: start.addingTimeInterval(100)))
    #expect(outcome(100) == .unknown)
    delivery.stop()
    #expect(outcome(200) == nil)
  }

  @Test("a receiver that rests for a coarse desired accuracy is no timeout")
  func rest() {
    var delivery = running()
    delivery.desiredAccuracy = kCLLocationAccuracyKilometer
    _ = delivery.receive(fix(metresEast: 0), at: start)
    for minute in 1...3 {
      let time = start.addingTimeInterval(Double(minute) * 60)
      #expect(delivery.updateOutcome(at: time) != .unknown)
      _ = delivery.receive(fix(metresEast: 0), at: time)
    }
    #expect(delivery.updateOutcome(at: start.addingTimeInterval(180 + 91)) == .unknown)
  }
}
