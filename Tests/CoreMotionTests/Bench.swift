import Board
import CoreLocation
import CoreMotion
import LinuxIO
import LocationHost
import Quantities
import ScriptedSource
import Testing

/// Services over a scripted source.
struct Bench {
  let publisher: ScriptedPublisher
  let services: LocationServices

  init(
    failure: SourceError? = nil, hasMagnetometer: Bool = true, hasReceiver: Bool = true,
    clock: any HostClock = MachineClock()
  ) {
    let publisher = ScriptedPublisher(hasMagnetometer: hasMagnetometer, hasReceiver: hasReceiver)
    self.publisher = publisher
    services = LocationServices(
      over: ScriptedHost.make(
        SourceOpening(isLive: true) { () throws(SourceError) in
          if let failure { throw failure }
          return OpenedSource(publisher: publisher)
        }, clock: clock), clock: clock)
  }

  func use<Result>(_ body: () throws -> Result) rethrows -> Result {
    try LocationServices.$current.withValue(services, operation: body)
  }

  /// A row whose vectors are along the board's x (forward), y (left) and z (up).
  func send(
    _ seconds: Double, force: SIMD3<Double> = SIMD3(0, 0, 9.80665), rate: SIMD3<Double> = .zero,
    hectopascal: Double = 1013.25
  ) {
    let time = Timestamp(nanoseconds: UInt64(nanosecondsIn: seconds))
    var row = SensorSamples(timestamp: time)
    row.inertial = InertialSample(
      timestamp: time, angularRate: AngularRate(radiansPerSecond: rate),
      specificForce: SpecificForce(metresPerSecondSquared: force))
    row.field = FieldSample(timestamp: time, field: MagneticField(microtesla: SIMD3(20, -3, -44)))
    row.pressure = PressureSample(timestamp: time, hectopascal: hectopascal, celsius: 20)
    publisher.send(row)
  }

  /// A level estimate with its forward axis at a magnetic heading.
  func send(heading degrees: Double, trueHeading: Double? = nil, at seconds: Double) {
    var estimate = Estimate(timestamp: Timestamp(nanoseconds: UInt64(nanosecondsIn: seconds)))
    estimate.magneticHeading = MagneticHeading(Angle(degrees: degrees))
    estimate.trueHeading = trueHeading.map { TrueHeading(Angle(degrees: $0)) }
    estimate.isLevelKnown = true
    estimate.attitude = Rotation(rotationVector: SIMD3(0, 0, Angle(degrees: degrees).radians))
    estimate.field = MagneticField(microtesla: SIMD3(20, 3, 44))
    estimate.calibration = .fair
    publisher.send(estimate)
  }
}

func eventually(_ holds: @Sendable () -> Bool) async throws -> Bool {
  for _ in 0..<6000 {
    if holds() { return true }
    try await Task.sleep(nanoseconds: 5_000_000)
  }
  return false
}

/// What is read from the archive of an object.
func archived<Item: NSObject & NSSecureCoding>(_ item: Item) throws -> Item {
  let data = try NSKeyedArchiver.archivedData(withRootObject: item, requiringSecureCoding: true)
  return try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: Item.self, from: data))
}

func isNear(_ a: Double, _ b: Double, within bound: Double = 1e-9) -> Bool {
  abs(a - b) < bound
}
