import CoreLocation
import CoreMotion
import LinuxIO
import LocationHost
import Quantities
import ScriptedSource
import Testing

@Suite("CMPedometer", .timeLimit(.minutes(30))) struct PedometerTests {
  /// A board that walks, stands and climbs by a clock that the test advances.
  private final class Walker: Sendable {
    let clock = ScriptedClock()
    let bench: Bench
    private let second = Locked(1.0)

    init(hasReceiver: Bool = true) { bench = Bench(hasReceiver: hasReceiver, clock: clock) }

    /// Sends a second of samples.
    func advance(isWalking: Bool, speed: Double? = nil, hectopascal: Double = 1013.25) {
      let start = second.withLock { second in
        defer { second += 1 }
        return second
      }
      for k in 0..<50 {
        let t = start + Double(k) / 50
        let bounce = isWalking ? 1.8 * sin(2 * .pi * 1.8 * t) : 0
        bench.send(t, force: SIMD3(0, 0, 9.81 + bounce), hectopascal: hectopascal)
      }
      if let speed {
        var estimate = Estimate.fix(latitude: 47, longitude: 11, at: start + 1)
        estimate.speedMetresPerSecond = speed
        bench.publisher.send(estimate)
      }
      clock.advance(by: 1)
    }
  }

  @Test("steps, cadence, pace and distance grow, and the past is what was seen")
  func walking() async throws {
    let walker = Walker()
    let pedometer = walker.bench.use { CMPedometer() }
    let start = walker.clock.now()
    let seen = Locked<[CMPedometerData]>([])
    walker.bench.use {
      #expect(CMPedometer.isStepCountingAvailable() && CMPedometer.isDistanceAvailable())
      #expect(CMPedometer.isFloorCountingAvailable() && CMPedometer.isPaceAvailable())
      #expect(CMPedometer.isCadenceAvailable())
      #expect(CMPedometer.isPedometerEventTrackingAvailable())
      #expect(CMPedometer.authorizationStatus() == .authorized)
      pedometer.startUpdates(from: start) { data, error in
        #expect(error == nil)
        if let data { seen.withLock { $0.append(data) } }
      }
    }
    #expect(
      try await eventually {
        walker.bench.publisher.rowObserverCount == 1 && walker.bench.publisher.observerCount == 1
      })
    let hasWalked = try await eventually {
      walker.advance(isWalking: true, speed: 1.5)
      return seen.withLock { $0.last?.numberOfSteps.intValue ?? 0 } >= 60
    }
    #expect(hasWalked)
    let last = try #require(seen.withLock { $0.last })
    #expect(last.startDate == start && last.endDate > start)
    #expect(isNear(last.currentCadence?.doubleValue ?? 0, 1.8, within: 0.1))
    #expect(isNear(last.currentPace?.doubleValue ?? 0, 1 / 1.5, within: 1e-6))
    let metres = try #require(last.distance?.doubleValue)
    #expect(isNear(metres, last.numberOfSteps.doubleValue / 1.8 * 1.5, within: 5), "\(metres)")
    #expect(isNear(last.averageActivePace?.doubleValue ?? 0, 1 / 1.5, within: 0.05))
    #expect(last.floorsAscended == 0)
    // Two halves of the time are the whole.
    let answers = Locked<[CMPedometerData]>([])
    let middle = start.addingTimeInterval(last.endDate.timeIntervalSince(start) / 2)
    walker.bench.use {
      for (a, b) in [
        (start, middle), (middle, last.endDate), (start, last.endDate),
        (start.addingTimeInterval(-3600), start.addingTimeInterval(-60)),
      ] {
        pedometer.queryPedometerData(from: a, to: b) { data, error in
          #expect(error == nil)
          if let data { answers.withLock { $0.append(data) } }
        }
      }
    }
    #expect(try await eventually { answers.withLock { $0.count } == 4 })
    let steps = answers.withLock { $0 }.map(\.numberOfSteps.intValue)
    #expect(steps[0] + steps[1] == steps[2] && steps[0] > 10 && steps[1] > 10, "\(steps)")
    #expect(steps[2] >= 60 && steps[3] == 0, "\(steps)")
    #expect(answers.withLock { $0 }[2].currentCadence == nil)
    // An archive keeps them.
    let archive = try NSKeyedArchiver.archivedData(
      withRootObject: last, requiringSecureCoding: true)
    let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: CMPedometerData.self, from: archive)
    #expect(read?.numberOfSteps == last.numberOfSteps && read?.distance == last.distance)
    #expect(read?.endDate == last.endDate && read?.currentPace == last.currentPace)
    // Another pedometer of the process knows the same.
    let other = walker.bench.use { CMPedometer() }
    let known = Locked<Int?>(nil)
    walker.bench.use {
      other.startUpdates(from: start) { data, _ in
        known.withLock { $0 = $0 ?? data?.numberOfSteps.intValue }
      }
    }
    #expect(try await eventually { known.withLock { $0 ?? 0 } >= 60 })
    pedometer.stopUpdates()
    other.stopUpdates()
  }

  @Test("a stop is a pause at its date, a start a resumption")
  func events() async throws {
    let walker = Walker(hasReceiver: false)
    let pedometer = walker.bench.use { CMPedometer() }
    let seen = Locked<[CMPedometerEvent]>([])
    walker.bench.use {
      pedometer.startEventUpdates { event, _ in
        if let event { seen.withLock { $0.append(event) } }
      }
    }
    #expect(try await eventually { walker.bench.publisher.rowObserverCount == 1 })
    for (count, isWalking) in [(1, true), (2, false), (3, true)] {
      let isSeen = try await eventually {
        walker.advance(isWalking: isWalking)
        return seen.withLock { $0.count } == count
      }
      #expect(isSeen, "\(count)")
    }
    let events = seen.withLock { $0 }
    #expect(events.map(\.type) == [.resume, .pause, .resume])
    #expect(events[0].date < events[1].date && events[1].date < events[2].date)
    pedometer.stopEventUpdates()
  }

  @Test("stairs are floors, and a released pedometer counts no more")
  func floors() async throws {
    let walker = Walker(hasReceiver: false)
    var pedometer: CMPedometer? = walker.bench.use { CMPedometer() }
    let floors = Locked(0)
    walker.bench.use {
      pedometer?.startUpdates(from: walker.clock.now()) { data, _ in
        floors.withLock { $0 = max($0, data?.floorsAscended?.intValue ?? 0) }
      }
    }
    #expect(try await eventually { walker.bench.publisher.rowObserverCount == 1 })
    let pressure = Locked(1013.25)
    let hasClimbed = try await eventually {
      // A third of a metre in a second.
      let hectopascal = pressure.withLock { pressure in
        pressure -= 0.04
        return pressure
      }
      walker.advance(isWalking: true, hectopascal: hectopascal)
      return floors.withLock { $0 } >= 2
    }
    #expect(hasClimbed)
    pedometer = nil
    #expect(try await eventually { walker.bench.publisher.rowObserverCount == 0 })
  }

  @Test("without a source there are no steps, and the handler receives why")
  func noSource() async throws {
    let bench = Bench(failure: .noSensors(searched: []))
    let pedometer = bench.use { CMPedometer() }
    let codes = Locked<[Int]>([])
    bench.use {
      #expect(!CMPedometer.isStepCountingAvailable() && !CMPedometer.isFloorCountingAvailable())
      pedometer.queryPedometerData(from: Date(), to: Date()) { data, error in
        #expect(data == nil)
        codes.withLock { $0.append((error as? NSError)?.code ?? 0) }
      }
      pedometer.startUpdates(from: Date()) { _, error in
        codes.withLock { $0.append((error as? NSError)?.code ?? 0) }
      }
    }
    let code = Int(CMErrorMotionActivityNotAvailable.rawValue)
    #expect(try await eventually { codes.withLock { $0 } == [code, code] })
  }

  @Test("a period that ends before it starts is an error")
  func wrongPeriod() async throws {
    let walker = Walker()
    let pedometer = walker.bench.use { CMPedometer() }
    let code = Locked<Int?>(nil)
    walker.bench.use {
      pedometer.queryPedometerData(from: Date(), to: .distantPast) { _, error in
        code.withLock { $0 = (error as? NSError)?.code }
      }
    }
    #expect(
      try await eventually { code.withLock { $0 } == Int(CMErrorInvalidParameter.rawValue) })
  }
}
