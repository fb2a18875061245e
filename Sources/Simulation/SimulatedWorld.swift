import EarthModel
import Quantities

/// One reading of a simulated board. Its timestamp counts from the world's start.
public enum SimulatedSample: Equatable, Sendable {
  /// A sample of the gyroscope and the accelerometer.
  case inertial(InertialSample<SensorFrame>)
  /// A sample of the magnetometer.
  case field(FieldSample<SensorFrame>)
  /// A sample of the barometer.
  case pressure(PressureSample)
  /// A fix of the receiver; its kind is `.simulated`, or `.none` without a position.
  case fix(Fix)
  /// A heading of the receiver's two antennas; without a value while it has none.
  case heading(HeadingSample)

  /// The instant of the measurement; of a fix or heading the instant of its
  /// arrival.
  public var timestamp: Timestamp {
    switch self {
    case .inertial(let sample): sample.timestamp
    case .field(let sample): sample.timestamp
    case .pressure(let sample): sample.timestamp
    case .fix(let fix): fix.timestamp
    case .heading(let heading): heading.timestamp
    }
  }

  /// A row of this sample alone.
  public var row: SensorSamples {
    var row = SensorSamples(timestamp: timestamp)
    switch self {
    case .inertial(let sample): row.inertial = sample
    case .field(let sample): row.field = sample
    case .pressure(let sample): row.pressure = sample
    case .fix(let fix): row.fix = fix
    case .heading(let heading): row.heading = heading.true == nil ? nil : heading
    }
    return row
  }
}

/// A simulated world: delivers the samples of a board in order of time, and the true state at any
/// instant. The same scenario, seed and start give the same samples.
///
/// A sample allocates nothing. Samples of one instant have the order inertial, field, pressure,
/// fix, heading.
public struct SimulatedWorld: Sendable, Sequence, IteratorProtocol {
  /// The scenario.
  public var scenario: Scenario { physics.scenario }
  /// Civil time at timestamp zero.
  public var startUTC: UTCTime { physics.startUTC }

  private let physics: WorldPhysics
  private let end: Timestamp?
  private let bodyToSensor: Rotation<BodyFrame, SensorFrame>

  private var inertialClock: SampleClock?
  private var fieldClock: SampleClock?
  private var pressureClock: SampleClock?
  private var receiverClock: SampleClock?
  private var antennaClock: SampleClock?

  private var inertialRandom: RandomStream
  private var fieldRandom: RandomStream
  private var pressureRandom: RandomStream
  private var receiverRandom: RandomStream
  private var antennaRandom: RandomStream

  private var gyroscope: InertialTriad
  private var accelerometer: InertialTriad
  private var barometer: SimulatedBarometer
  private var receiver: SimulatedReceiver
  private var antennas: SimulatedAntennas?

  /// Makes a world at its start.
  /// - Throws: `ScenarioError` for a parameter out of range, or a date outside the magnetic model's
  ///   validity.
  public init(scenario: Scenario, seed: UInt64, startUTC: UTCTime) throws(ScenarioError) {
    physics = try WorldPhysics(scenario: scenario, startUTC: startUTC)
    end = scenario.durationSeconds.flatMap { Timestamp(seconds: $0) }
    bodyToSensor = scenario.mount.rotation.inverse

    inertialRandom = RandomStream(seed: seed, stream: 1)
    fieldRandom = RandomStream(seed: seed, stream: 2)
    pressureRandom = RandomStream(seed: seed, stream: 3)
    receiverRandom = RandomStream(seed: seed, stream: 4)
    antennaRandom = RandomStream(seed: seed, stream: 5)

    let unit = scenario.inertialUnit ?? .ideal
    gyroscope = InertialTriad(unit.gyroscope, rateHertz: unit.rateHertz, random: &inertialRandom)
    accelerometer = InertialTriad(
      unit.accelerometer, rateHertz: unit.rateHertz, random: &inertialRandom)
    barometer = SimulatedBarometer(scenario.barometer ?? .ideal, random: &pressureRandom)
    receiver = SimulatedReceiver(scenario.receiver ?? .ideal, random: &receiverRandom)

    if let pair = scenario.antennas {
      antennas = SimulatedAntennas(pair, random: &antennaRandom)
      antennaClock = SampleClock(
        epochsPerSecond: pair.rateHertz, startUTC: startUTC, latency: pair.latencySeconds)
    }
    inertialClock = scenario.inertialUnit.map { SampleClock(rateHertz: $0.rateHertz) }
    fieldClock = scenario.magnetometer.map { SampleClock(rateHertz: $0.rateHertz) }
    pressureClock = scenario.barometer.map { SampleClock(rateHertz: $0.rateHertz) }
    receiverClock = scenario.receiver.map {
      SampleClock(epochsPerSecond: $0.rateHertz, startUTC: startUTC, latency: $0.latencySeconds)
    }
  }

  /// The gyroscope's present offset in sensor axes, which a filter should estimate.
  public var gyroscopeBias: AngularRate<SensorFrame> {
    AngularRate(radiansPerSecond: gyroscope.bias)
  }

  /// The accelerometer's offset now, in sensor axes.
  public var accelerometerBias: SpecificForce<SensorFrame> {
    SpecificForce(metresPerSecondSquared: accelerometer.bias)
  }

  /// The next sample; nil after the scenario's duration, or for a board without sensors.
  public mutating func next() -> SimulatedSample? {
    let never = UInt64.max
    let inertialDue = inertialClock?.due ?? never
    let fieldDue = fieldClock?.due ?? never
    let pressureDue = pressureClock?.due ?? never
    let fixDue = receiverClock?.due ?? never
    let headingDue = antennaClock?.due ?? never
    let due = Swift.min(inertialDue, fieldDue, pressureDue, fixDue, headingDue)
    guard due != never else { return nil }
    let timestamp = Timestamp(nanoseconds: due)
    if let end, timestamp > end { return nil }
    switch due {
    case inertialDue: return .inertial(measureInertia(at: timestamp))
    case fieldDue: return .field(measureField(at: timestamp))
    case pressureDue: return .pressure(measurePressure(at: timestamp))
    case fixDue: return .fix(measureFix(at: timestamp))
    default: return .heading(measureHeading(at: timestamp))
    }
  }

  /// The true state at any instant, past or future.
  public func truth(at timestamp: Timestamp) -> Truth { physics.truth(at: timestamp) }

  private mutating func measureInertia(at timestamp: Timestamp) -> InertialSample<SensorFrame> {
    inertialClock?.advance()
    let k = physics.kinematics(atSeconds: timestamp.seconds)
    let rate = gyroscope.measure(
      bodyToSensor.rotate(k.angularRate.radiansPerSecond), random: &inertialRandom)
    let force = accelerometer.measure(
      bodyToSensor.rotate(k.specificForce.metresPerSecondSquared), random: &inertialRandom)
    return InertialSample(
      timestamp: timestamp, angularRate: AngularRate(radiansPerSecond: rate),
      specificForce: SpecificForce(metresPerSecondSquared: force))
  }

  private mutating func measureField(at timestamp: Timestamp) -> FieldSample<SensorFrame> {
    fieldClock?.advance()
    let model = scenario.magnetometer ?? .ideal
    let t = Swift.max(0, timestamp.seconds - model.lagSeconds)
    let body = physics.bodyField(atSeconds: t)
    return FieldSample(
      timestamp: timestamp, field: model.reading(of: bodyToSensor(body), random: &fieldRandom))
  }

  private mutating func measurePressure(at timestamp: Timestamp) -> PressureSample {
    pressureClock?.advance()
    let t = timestamp.seconds
    return barometer.measure(
      physics.pressure(physics.kinematics(atSeconds: t), atSeconds: t), at: timestamp,
      random: &pressureRandom)
  }

  private mutating func measureHeading(at timestamp: Timestamp) -> HeadingSample {
    let tick = Timestamp(nanoseconds: antennaClock?.tick ?? timestamp.nanoseconds)
    antennaClock?.advance()
    return antennas?.heading(
      physics.truth(at: tick).attitude, seconds: tick.seconds, arrival: timestamp,
      random: &antennaRandom) ?? HeadingSample(timestamp: timestamp, magnetic: nil, true: nil)
  }

  private mutating func measureFix(at timestamp: Timestamp) -> Fix {
    let epoch = receiverClock?.tick ?? timestamp.nanoseconds
    receiverClock?.advance()
    let t = Timestamp(nanoseconds: epoch).seconds
    return receiver.fix(
      physics.kinematics(atSeconds: t), geoidSeparation: scenario.geoidSeparationMetres,
      epochSeconds: t,
      utc: UTCTime(nanosecondsSince1970: startUTC.nanosecondsSince1970 + Int64(epoch)),
      arrival: timestamp, random: &receiverRandom)
  }
}
