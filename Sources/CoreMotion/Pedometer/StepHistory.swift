internal import CoreLocation
internal import EarthModel
import Foundation
internal import Fusion
internal import HostProtocol
internal import LinuxIO
internal import Observers
internal import Quantities

/// The steps that this process has seen, for all its pedometers.
final class StepHistory: Sendable {
  /// What observers receive.
  enum News: Sendable {
    /// The totals have changed, until a date. One who walks has a cadence and a speed.
    case progress(until: Date, cadenceHertz: Double?, metresPerSecond: Double?)
    case event(CMPedometerEventType, Date)
    case fault(NSError)
  }

  /// Feeds that count while they are held.
  final class Counting: Sendable {
    private let samples: SampleFeed
    private let speeds: EstimateFeed?

    init(_ samples: SampleFeed, _ speeds: EstimateFeed?) {
      (self.samples, self.speeds) = (samples, speeds)
    }
  }

  fileprivate struct State: Sendable {
    var pedometer = Pedometer()
    var log = StepLog()
    weak var counting: Counting?
    /// The end of the present walk, or of the last one.
    var walked: Date?
    var isPaused = true
    /// The newest reading, by both clocks.
    var newest: (date: Date, time: Timestamp)?
    var reported = (steps: 0.0, isWalking: false)
  }

  /// The least interval of the samples, s.
  private static let interval = 0.01
  /// A larger difference between the clocks is a step of the civil one, s.
  fileprivate static let clockStep: TimeInterval = 60
  /// Time without steps that counts as a pause, s.
  fileprivate static let pause: TimeInterval = 3

  private let state = Locked(State())
  private let observers = ObserverList<News>()

  /// Receives the news until the observation is released.
  func observe(_ body: @escaping @Sendable (News) -> Void) -> Observation { observers.add(body) }

  /// Counts from now on, while the result is held.
  func count() -> Counting {
    if let counting = state.withLock({ $0.counting }) { return counting }
    let services = LocationServices.current
    let samples = SampleFeed([.accelerometer, .barometer], every: Self.interval) {
      [weak self] sample in
      guard let self else { return }
      if let sample {
        add(sample, at: services.clock.now())
      } else {
        // The stream is over: the next call counts anew.
        state.withLock { $0.counting = nil }
        observers.notify(.fault(services.motionFault))
      }
    }
    let counting = Counting(samples, services.has(\.hasReceiver) ? speedFeed() : nil)
    return state.withLock { state in
      // Another thread may have been faster.
      if let other = state.counting { return other }
      state.counting = counting
      return counting
    }
  }

  private func speedFeed() -> EstimateFeed {
    EstimateFeed(EstimateDemand(fixes: true), every: 1) { [weak self] estimate in
      // In an outage the speed is a guess.
      guard let self, let estimate, estimate.outageSeconds == nil,
        let speed = estimate.speedMetresPerSecond
      else { return }
      state.withLock {
        $0.pedometer.update(speedMetresPerSecond: speed, at: estimate.timestamp)
      }
    }
  }

  private func add(_ sample: CLSensorSample, at now: Date) {
    let t = Timestamp(nanoseconds: sample.monotonicTimestamp)
    let news: [News] = state.withLock { state in
      guard sample.kind == .accelerometer else {
        state.pedometer.update(
          pressureAltitudeMetres: StandardAtmosphere.pressureAltitudeMetres(
            hectopascal: sample.value), at: t)
        return []
      }
      let force = SIMD3(sample.vector.x, sample.vector.y, sample.vector.z)
      guard let reading = state.pedometer.update(force, at: t) else { return [] }
      return state.news(of: reading, at: now.addingTimeInterval(-t.seconds(since: reading.time)))
    }
    for item in news { observers.notify(item) }
  }

  /// What happened in a period.
  func values(from start: Date, to end: Date, hasBarometer: Bool) -> CMPedometerData.Values {
    state.withLock { $0.log }.values(from: start, to: end, hasBarometer: hasBarometer)
  }
}

extension StepHistory.State {
  /// Stores a reading; the news of it.
  fileprivate mutating func news(
    of reading: Pedometer.Reading, at date: Date
  ) -> [StepHistory.News] {
    if let newest {
      let elapsed = reading.time.seconds(since: newest.time)
      let step = date.timeIntervalSince(newest.date) - elapsed
      // The civil clock was set: the past keeps its distance from the present.
      if abs(step) > StepHistory.clockStep {
        log.shift(by: step)
        walked = walked?.addingTimeInterval(step)
      }
    }
    newest = (date, reading.time)
    log.add(reading.totals, at: date)
    var news: [StepHistory.News] = []
    let isWalking = reading.cadenceHertz != nil
    let steps = reading.totals.steps.rounded(.down)
    if steps != reported.steps || isWalking != reported.isWalking {
      reported = (steps, isWalking)
      news.append(
        .progress(
          until: date, cadenceHertz: reading.cadenceHertz,
          metresPerSecond: reading.metresPerSecond))
    }
    if isWalking {
      if isPaused { news.append(.event(.resume, date)) }
      (walked, isPaused) = (date, false)
    } else if !isPaused, let walked, date.timeIntervalSince(walked) >= StepHistory.pause {
      isPaused = true
      news.append(.event(.pause, walked))
    }
    return news
  }
}
