import CoreLocation
import Quantities
import ScriptedSource
import Testing

@Suite(.timeLimit(.minutes(30))) struct HeadingDeliveryTests {
  private let now = Date(timeIntervalSince1970: 1_750_000_000)

  private func running(filter: Double = 1) -> HeadingDelivery {
    var delivery = HeadingDelivery()
    delivery.filterDegrees = filter
    _ = delivery.start()
    return delivery
  }

  private func delivered(
    _ delivery: inout HeadingDelivery, _ estimate: Estimate, givesTrue: Bool = false
  ) -> Double? {
    _ = delivery.receive(estimate, givesTrueHeading: givesTrue, at: now)
    return delivery.removeNewest()?.magneticHeading
  }

  @Test("the first heading comes, and then every turn by the filter's angle across north")
  func filter() {
    var delivery = running(filter: 2)
    let came = [357.0, 358.5, 359, 0.5, 1, 2].filter {
      delivered(&delivery, .heading($0)) != nil
    }
    #expect(came == [357, 359, 1])
  }

  @Test("only the newest heading waits")
  func newest() {
    var delivery = running()
    for degrees in [10.0, 20, 30] {
      _ = delivery.receive(.heading(degrees), givesTrueHeading: false, at: now)
    }
    let first = delivery.removeNewest()?.magneticHeading ?? .nan
    #expect(abs(first - 30) < 1e-9)
    #expect(delivery.removeNewest() == nil)
  }

  @Test("a heading that has turned back before it was taken does not come")
  func turnedBack() {
    var delivery = running(filter: 5)
    #expect(delivered(&delivery, .heading(100)) != nil)
    _ = delivery.receive(.heading(110), givesTrueHeading: false, at: now)
    _ = delivery.receive(.heading(101), givesTrueHeading: false, at: now)
    #expect(delivery.removeNewest() == nil)
    #expect(delivered(&delivery, .heading(105)) != nil)
  }

  @Test("starting twice changes nothing; stopping and starting gives the heading again")
  func restart() {
    var delivery = running()
    #expect(delivered(&delivery, .heading(50)) != nil)
    #expect(delivery.start() == false)
    #expect(delivered(&delivery, .heading(50)) == nil)
    _ = delivery.receive(.heading(60), givesTrueHeading: false, at: now)
    delivery.stop()
    #expect(delivery.removeNewest() == nil)
    #expect(delivered(&delivery, .heading(70)) == nil)
    #expect(delivery.start() == true)
    #expect(delivered(&delivery, .heading(50)) != nil)
  }

  @Test("a heading is not delivered again inside its own delivery")
  func restartInside() {
    var delivery = running()
    #expect(delivered(&delivery, .heading(50)) != nil)
    delivery.stop()
    _ = delivery.start(isInsideDelivery: true)
    #expect(delivered(&delivery, .heading(50)) == nil)
    #expect(delivered(&delivery, .heading(50, at: 2)) != nil)
  }

  @Test("the true heading appearing or vanishing is an event without any turn")
  func trueHeading() {
    var delivery = running()
    let estimate = Estimate.heading(50, true: 53)
    #expect(delivered(&delivery, estimate) != nil)
    #expect(delivered(&delivery, estimate, givesTrue: true) != nil)
    #expect(delivered(&delivery, estimate, givesTrue: true) == nil)
    #expect(delivered(&delivery, estimate) != nil)
  }

  @Test("an orientation holds for later headings; face up does not change it")
  func orientation() {
    var delivery = running()
    delivery.orientation = .landscapeLeft
    delivery.orientation = .faceUp
    let heading = delivered(&delivery, .heading(10)) ?? .nan
    #expect(abs(heading - 100) < 1e-9)
    #expect(delivery.orientation == .faceUp)
  }

  @Test(
    "a disturbance that leaves no known accuracy is an error once, and the heading still comes")
  func disturbance() {
    var delivery = running()
    var lost = Estimate.heading(10, accuracy: nil)
    lost.disturbance = .disturbed
    #expect(delivery.receive(lost, givesTrueHeading: false, at: now) == .failure)
    #expect((delivery.removeNewest()?.headingAccuracy ?? 0) < 0)
    #expect(delivery.receive(lost, givesTrueHeading: false, at: now) == .nothing)
    _ = delivery.receive(.heading(10), givesTrueHeading: false, at: now)
    #expect(delivery.receive(lost, givesTrueHeading: false, at: now) == .failure)
    var bridged = Estimate.heading(40, accuracy: 8)
    bridged.disturbance = .disturbed
    #expect(delivery.receive(bridged, givesTrueHeading: false, at: now) == .heading)
  }
}

@Suite(.timeLimit(.minutes(30))) struct CalibrationQuestionTests {
  @Test("it is asked once for each loss of a usable calibration")
  func asked() {
    var question = CalibrationQuestion()
    let asked = [
      CalibrationState.uncalibrated, .uncalibrated, .poor, .fair, .good, .assumed, .poor,
      .uncalibrated,
    ].map { question.isDue($0) }
    #expect(asked == [true, false, false, false, false, false, true, false])
    #expect(question.isDue(nil) == false)
  }

  @Test("the display stays until the magnetometer is calibrated or the program dismisses it")
  func display() {
    var question = CalibrationQuestion()
    #expect(question.isDue(.uncalibrated) == true)
    question.answer(true)
    #expect(question.isDue(.poor) == false)
    #expect(question.isDisplayed)
    #expect(question.isDue(.good) == false)
    #expect(!question.isDisplayed)
    #expect(question.isDue(.poor) == true)
    question.answer(true)
    question.dismiss()
    #expect(!question.isDisplayed)
  }
}
