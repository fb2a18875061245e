import Board
import CoreLocation
import CoreMotion
import LinuxIO
import LocationHost
import Quantities
import ScriptedSource
import Testing

@Suite("Core Motion", .timeLimit(.minutes(30))) struct CoreMotionTests {
  /// One handler at a time, so that they see the samples in their order.
  private let queue = {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    return queue
  }()

  @Test("a magnetometer's sample is the raw field along right, top and out of the face")
  func magnetometer() async throws {
    let bench = Bench()
    let manager = bench.use { CMMotionManager() }
    let seen = Locked<[CMMagnetometerData]>([])
    #expect(bench.use { manager.isMagnetometerAvailable } && !manager.isMagnetometerActive)
    bench.use {
      manager.startMagnetometerUpdates(to: queue) { data, error in
        #expect(error == nil)
        if let data { seen.withLock { $0.append(data) } }
      }
    }
    #expect(try await eventually { bench.publisher.rowObserverCount == 1 })
    bench.send(1)
    #expect(try await eventually { seen.withLock { $0.count } == 1 })
    let data = try #require(seen.withLock { $0.first })
    #expect(isNear(data.magneticField.x, 3) && isNear(data.magneticField.y, 20))
    #expect(isNear(data.magneticField.z, -44) && data.timestamp == 1)
    let (read, field) = (try archived(data), data.magneticField)
    #expect(read.magneticField.x == field.x && read.magneticField.y == field.y)
    #expect(read.magneticField.z == field.z && read.timestamp == 1)
    #expect(manager.isMagnetometerActive && manager.magnetometerData === data)
    manager.stopMagnetometerUpdates()
    #expect(try await eventually { bench.publisher.rowObserverCount == 0 })
    #expect(manager.magnetometerData == nil)
  }

  @Test("at rest, face up, the acceleration is -1 along z; samples come at most at the interval")
  func accelerometer() async throws {
    let bench = Bench()
    let manager = bench.use { CMMotionManager() }
    let seen = Locked<[CMAccelerometerData]>([])
    manager.accelerometerUpdateInterval = 0.1
    bench.use {
      manager.startAccelerometerUpdates(to: queue) { data, _ in
        if let data { seen.withLock { $0.append(data) } }
      }
    }
    #expect(try await eventually { bench.publisher.rowObserverCount == 1 })
    for step in 0...100 { bench.send(1 + Double(step) / 100) }
    #expect(try await eventually { seen.withLock { $0.count } == 11 })
    let first = try #require(seen.withLock { $0.first })
    #expect(isNear(first.acceleration.z, -1) && isNear(first.acceleration.x, 0))
    #expect(try archived(first).acceleration.z == first.acceleration.z)
    manager.stopAccelerometerUpdates()
  }

  @Test("an interval that changes while samples come is theirs at once")
  func liveIntervals() async throws {
    let bench = Bench()
    let manager = bench.use { CMMotionManager() }
    let seen = Locked<[TimeInterval]>([])
    manager.gyroUpdateInterval = 10
    bench.use {
      manager.startGyroUpdates(to: queue) { data, _ in
        if let data { seen.withLock { $0.append(data.timestamp) } }
      }
    }
    #expect(try await eventually { bench.publisher.rowObserverCount == 1 })
    for step in 0..<50 { bench.send(1 + Double(step) / 10) }
    #expect(try await eventually { seen.withLock { $0 } == [1] })
    manager.gyroUpdateInterval = 0.5
    #expect(manager.gyroUpdateInterval == 0.5 && manager.isGyroActive)
    let second = Locked(10.0)
    #expect(
      try await eventually {
        let start = second.withLock { second in
          second += 1
          return second
        }
        for step in 0..<10 { bench.send(start + Double(step) / 10) }
        return seen.withLock { $0.count } > 8
      })
    let steps = seen.withLock { zip($0.dropFirst(2), $0.dropFirst(1)).map { $0 - $1 } }
    #expect(steps.contains { abs($0 - 0.5) < 0.01 } && !steps.contains { $0 < 0.4 }, "\(steps)")
    #expect(manager.gyroData != nil)
    manager.stopGyroUpdates()
    #expect(try await eventually { bench.publisher.rowObserverCount == 0 })
    // Device motion: of ten estimates a second every second one, then all.
    let motions = Locked<[TimeInterval]>([])
    manager.deviceMotionUpdateInterval = 0.2
    bench.use {
      manager.startDeviceMotionUpdates(to: queue) { motion, _ in
        if let motion { motions.withLock { $0.append(motion.timestamp) } }
      }
    }
    // The first ones may come before the manager listens.
    let isFirst = try await eventually {
      bench.send(heading: 30, at: 50)
      return motions.withLock { $0.count } == 1
    }
    #expect(isFirst)
    for step in 0..<10 { bench.send(heading: 30, at: 100 + Double(step) / 10) }
    #expect(try await eventually { motions.withLock { $0.count } == 6 })
    manager.deviceMotionUpdateInterval = 0
    for step in 10..<20 { bench.send(heading: 30, at: 100 + Double(step) / 10) }
    #expect(try await eventually { motions.withLock { $0.count } == 16 })
    manager.stopDeviceMotionUpdates()
  }

  @Test("without a compass the arbitrary frame is there, and a frame with north is an error")
  func noCompass() async throws {
    let bench = Bench(hasMagnetometer: false)
    let manager = bench.use { CMMotionManager() }
    #expect(
      bench.use { CMMotionManager.availableAttitudeReferenceFrames() } == .xArbitraryZVertical)
    #expect(bench.use { manager.isDeviceMotionAvailable })
    let seen = Locked<(motion: CMDeviceMotion?, codes: [Int])>((nil, []))
    func start(_ frame: CMAttitudeReferenceFrame) {
      bench.use {
        manager.startDeviceMotionUpdates(using: frame, to: queue) { motion, error in
          seen.withLock { seen in
            seen.motion = motion ?? seen.motion
            if let error { seen.codes.append((error as NSError).code) }
          }
        }
      }
    }
    start(.xTrueNorthZVertical)
    start(.xMagneticNorthZVertical)
    let codes = [CMErrorTrueNorthNotAvailable, CMErrorNotAvailable].map { Int($0.rawValue) }
    #expect(try await eventually { seen.withLock { $0.codes } == codes })
    start(.xArbitraryZVertical)
    #expect(try await eventually { bench.publisher.observerCount == 1 })
    var estimate = Estimate(timestamp: Timestamp(nanoseconds: 1_000_000_000))
    estimate.isLevelKnown = true
    estimate.attitude = Rotation(rotationVector: SIMD3(0, 0, 0.7))
    // The first ones may come before the manager listens.
    let isSeen = try await eventually { [estimate] in
      bench.publisher.send(estimate)
      return seen.withLock { $0.motion } != nil
    }
    #expect(isSeen)
    let motion = try #require(seen.withLock { $0.motion })
    #expect(motion.heading == -1 && isNear(motion.attitude.yaw, 0))
    #expect(motion.magneticField.accuracy == .uncalibrated && motion.magneticField.field.x == 0)
    manager.stopDeviceMotionUpdates()
  }

  @Test(
    "the attitude's frame has its x to magnetic north, to true north, or where it was first",
    arguments: [
      (CMAttitudeReferenceFrame.xMagneticNorthZVertical, 30.0, -30.0 - 90),
      (.xTrueNorthZVertical, 34.0, -34.0 - 90), (.xArbitraryZVertical, -1, 0),
    ])
  func frames(frame: CMAttitudeReferenceFrame, heading: Double, yaw: Double) async throws {
    let bench = Bench()
    let manager = bench.use { CMMotionManager() }
    let seen = Locked<CMDeviceMotion?>(nil)
    bench.use {
      manager.startDeviceMotionUpdates(using: frame, to: queue) { motion, _ in
        seen.withLock { $0 = motion ?? $0 }
      }
    }
    #expect(
      try await eventually {
        bench.publisher.rowObserverCount == 1 && bench.publisher.observerCount == 1
      })
    bench.send(heading: 30, trueHeading: 34, at: 1)
    #expect(try await eventually { seen.withLock { $0 } != nil })
    let motion = try #require(seen.withLock { $0 })
    // The device's right is 90 degrees clockwise of its top; yaw is counterclockwise.
    let turned = (motion.attitude.yaw * 180 / .pi - yaw).remainder(dividingBy: 360)
    #expect(isNear(turned, 0, within: 1e-6), "\(motion.attitude.yaw * 180 / .pi)")
    #expect(isNear(motion.attitude.pitch, 0) && isNear(motion.attitude.roll, 0))
    #expect(isNear(motion.heading, heading, within: 1e-6))
    #expect(isNear(motion.gravity.z, -1) && isNear(motion.gravity.x, 0))
    #expect(motion.magneticField.accuracy == .medium && isNear(motion.magneticField.field.y, 20))
    #expect(manager.attitudeReferenceFrame == frame)
    let read = try archived(motion)
    #expect(read.attitude.yaw == motion.attitude.yaw && read.heading == motion.heading)
    #expect(read.gravity.z == motion.gravity.z && read.timestamp == motion.timestamp)
    #expect(read.magneticField.accuracy == .medium)
    #expect(read.magneticField.field.y == motion.magneticField.field.y)
    manager.stopDeviceMotionUpdates()
  }

  @Test("user acceleration is the accelerometer's less gravity, and the rate is the gyroscope's")
  func motion() async throws {
    let bench = Bench()
    let manager = bench.use { CMMotionManager() }
    manager.deviceMotionUpdateInterval = 0
    bench.use { manager.startDeviceMotionUpdates() }
    #expect(
      try await eventually {
        bench.publisher.rowObserverCount == 1 && bench.publisher.observerCount == 1
      })
    bench.send(1, force: SIMD3(0, 0, 2 * 9.80665), rate: SIMD3(0.1, 0.2, 0.3))
    var step = 0.0
    // The samples arrive on a thread of their own.
    while step < 200, manager.deviceMotion.map({ !isNear($0.rotationRate.z, 0.3) }) ?? true {
      step += 1
      bench.send(heading: 0, at: 1 + step)
      try await Task.sleep(nanoseconds: 5_000_000)
    }
    let motion = try #require(manager.deviceMotion)
    #expect(isNear(motion.rotationRate.x, -0.2) && isNear(motion.rotationRate.y, 0.1))
    #expect(isNear(motion.userAcceleration.z, -1) && isNear(motion.userAcceleration.y, 0))
    manager.stopDeviceMotionUpdates()
    #expect(manager.deviceMotion == nil && !manager.isDeviceMotionActive)
  }

  @Test("an attitude relative to another one is the turn between them")
  func multiply() async throws {
    let bench = Bench()
    let manager = bench.use { CMMotionManager() }
    bench.use { manager.startDeviceMotionUpdates(using: .xMagneticNorthZVertical) }
    #expect(try await eventually { bench.publisher.observerCount == 1 })
    // The first ones may come before the manager listens.
    var waits = 0
    while manager.deviceMotion == nil, waits < 400 {
      waits += 1
      bench.send(heading: 10, at: Double(waits) * 1e-3)
      try await Task.sleep(nanoseconds: 5_000_000)
    }
    let first = try #require(manager.deviceMotion?.attitude.copy() as? CMAttitude)
    bench.send(heading: 55, at: 2)
    while abs((manager.deviceMotion?.attitude.yaw ?? 0) - first.yaw) < 0.1, waits < 400 {
      waits += 1
      try await Task.sleep(nanoseconds: 5_000_000)
    }
    let second = try #require(manager.deviceMotion?.attitude.copy() as? CMAttitude)
    second.multiply(byInverseOf: first)
    #expect(isNear(second.yaw * 180 / .pi, -45, within: 1e-6))
    let matrix = second.rotationMatrix
    #expect(isNear(matrix.m33, 1) && isNear(matrix.m11, cos(.pi / 4)))
    // From the frame into the device, as Apple's: clockwise by 45 degrees, seen from above.
    #expect(isNear(matrix.m12, -sin(.pi / 4)) && isNear(matrix.m21, sin(.pi / 4)))
    manager.stopDeviceMotionUpdates()
  }

  @Test("the altimeter reports the pressure in kilopascal, and metres from the first one")
  func altimeter() async throws {
    let bench = Bench()
    let altimeter = CMAltimeter()
    let seen = Locked<[CMAltitudeData]>([])
    #expect(bench.use { CMAltimeter.isRelativeAltitudeAvailable() })
    #expect(bench.use { CMAltimeter.authorizationStatus() } == .authorized)
    bench.use {
      altimeter.startRelativeAltitudeUpdates(to: queue) { data, _ in
        if let data { seen.withLock { $0.append(data) } }
      }
    }
    #expect(try await eventually { bench.publisher.rowObserverCount == 1 })
    bench.send(1, hectopascal: 1013.25)
    // One hectopascal is 8.3 m near the sea.
    bench.send(2, hectopascal: 1012.25)
    #expect(try await eventually { seen.withLock { $0.count } == 2 })
    let data = seen.withLock { $0 }
    #expect(data[0].relativeAltitude == 0 && data[0].pressure == 101.325)
    #expect(isNear(data[1].relativeAltitude.doubleValue, 8.3, within: 0.05))
    altimeter.stopRelativeAltitudeUpdates()
    #expect(try await eventually { bench.publisher.rowObserverCount == 0 })
  }

  @Test("absolute altitudes come with their accuracy")
  func absolute() async throws {
    let bench = Bench()
    let altimeter = CMAltimeter()
    let seen = Locked<CMAbsoluteAltitudeData?>(nil)
    bench.use {
      altimeter.startAbsoluteAltitudeUpdates(to: queue) { data, _ in
        seen.withLock { $0 = data ?? $0 }
      }
    }
    #expect(try await eventually { bench.publisher.observerCount == 1 })
    // After the start.
    #expect(bench.services.isOpen)
    var fix = Estimate.fix(latitude: 47, longitude: 11)
    (fix.altitudeMetres, fix.verticalAccuracyMetres) = (574, 3)
    bench.publisher.send(fix)
    #expect(try await eventually { seen.withLock { $0?.altitude } == 574 })
    #expect(seen.withLock { $0?.accuracy } == 3)
    altimeter.stopAbsoluteAltitudeUpdates()
  }

  @Test("activities come when they change, with their confidence and beginning")
  func activities() async throws {
    let bench = Bench()
    let manager = CMMotionActivityManager()
    let seen = Locked<[CMMotionActivity]>([])
    #expect(bench.use { CMMotionActivityManager.isActivityAvailable() })
    bench.use {
      manager.startActivityUpdates(to: queue) { activity in
        if let activity { seen.withLock { $0.append(activity) } }
      }
    }
    #expect(try await eventually { bench.publisher.observerCount == 1 })
    @Sendable func send(
      _ state: MotionState?, _ probability: Double, speed: Double, at seconds: Double
    ) {
      var estimate = Estimate.fix(latitude: 47, longitude: 11)
      estimate.timestamp = Timestamp(nanoseconds: UInt64(nanosecondsIn: seconds))
      estimate.fixTimestamp = estimate.timestamp
      estimate.speedMetresPerSecond = speed
      (estimate.motionState, estimate.motionProbability) = (state, probability)
      estimate.motionSince = Timestamp(nanoseconds: UInt64(nanosecondsIn: seconds - 5))
      bench.publisher.send(estimate)
    }
    let second = Locked(10.0)
    func reports(_ count: Int, _ body: @Sendable (Double) -> Void) async throws -> Bool {
      try await eventually {
        body(
          second.withLock {
            $0 += 1; return $0
          })
        return seen.withLock { $0.count } == count
      }
    }
    #expect(try await reports(1) { send(.walking, 0.8, speed: 1.3, at: $0) })
    #expect(try await reports(2) { send(.driving, 0.97, speed: 0, at: $0) })
    #expect(try await reports(3) { send(nil, 0, speed: 200, at: $0) })
    let data = seen.withLock { $0 }
    try #require(data.count == 3)
    #expect(data[0].walking && data[0].confidence == .medium && !data[0].unknown)
    #expect(data[1].automotive && data[1].stationary && data[1].confidence == .high)
    #expect(data[2].unknown && !data[2].automotive && data[2].confidence == .low)
    manager.stopActivityUpdates()
    #expect(try await eventually { bench.publisher.observerCount == 0 })
    // The past is what was reported.
    let past = Locked<[[CMMotionActivity]]>([])
    bench.use {
      for (start, end) in [(-3600.0, 3600.0), (3600, 7200), (-7200, -3600)] {
        manager.queryActivityStarting(
          from: Date(timeIntervalSinceNow: start), to: Date(timeIntervalSinceNow: end), to: queue
        ) { activities, error in
          #expect(error == nil)
          past.withLock { $0.append(activities ?? []) }
        }
      }
    }
    #expect(try await eventually { past.withLock { $0.count } == 3 })
    let found = past.withLock { $0 }
    #expect(found[0].map(\.walking) == [true, false, false], "\(found)")
    #expect(found[1].map(\.unknown) == [true] && found[2].isEmpty, "\(found)")
    let codes = Locked<[Int]>([])
    bench.use {
      manager.queryActivityStarting(from: .distantFuture, to: .distantPast, to: queue) { _, error in
        codes.withLock { $0.append((error as? NSError)?.code ?? 0) }
      }
    }
    #expect(
      try await eventually {
        codes.withLock { $0 } == [Int(CMErrorInvalidParameter.rawValue)]
      })
  }

  @Test("without a source nothing is available, and a handler receives the reason")
  func noSource() async throws {
    let bench = Bench(failure: .noSensors(searched: []))
    let manager = bench.use { CMMotionManager() }
    let codes = Locked<[Int]>([])
    bench.use {
      #expect(!manager.isMagnetometerAvailable && !manager.isDeviceMotionAvailable)
      #expect(!CMAltimeter.isRelativeAltitudeAvailable())
      #expect(CMMotionManager.availableAttitudeReferenceFrames() == [])
      manager.startDeviceMotionUpdates(to: queue) { motion, error in
        #expect(motion == nil)
        codes.withLock { $0.append((error as? NSError)?.code ?? 0) }
      }
    }
    #expect(try await eventually { codes.withLock { $0 } == [Int(CMErrorNotAvailable.rawValue)] })
  }
}
