import Quantities
import RealModule

/// Attitude and magnetic heading from gyroscope, accelerometer and magnetometer.
///
/// Model. The gyroscope carries the attitude. An error-state Kalman filter estimates 24 errors beside it
/// (`ErrorState`): attitude, gyroscope bias and scale, velocity, the field's disturbance here, iron that
/// moves with the body, the earth field's strength, the magnetometer's latency.
/// - Level: a body does not gain speed for ever. Velocity integrated from specific force and gravity is
///   measured to be zero with a wide variance; what it drifts by tells tilt, bias and scale. Gravity never
///   touches heading.
/// - Field: what is measured, turned to the earth, is the earth's field, plus a disturbance that is another
///   a step away (it fades in motion and stays at rest), plus iron that turns with the body. Standing still
///   teaches nothing about the room; moving averages it. The field corrects heading, bias, scale and its
///   own model, never level. The innovation is taken in strength, direction and depth, so that a heading
///   that is wrong by half a turn is still one that can be corrected.
/// - Surprise: a mean innovation larger than its covariance opens disturbance, iron, strength and, a
///   little, heading, by as much as it is larger. There is no gate that shuts, so no magnet and no hour of
///   disturbance is for ever.
/// - Overruling: a field that has the earth's strength and dip and steadily points elsewhere is the earth's,
///   and heading starts again from it. Iron could explain it as well until the body turns.
/// - Latency of the magnetometer after the gyroscope: an error like the others, seen in every turn.
/// - Rest: a body at rest tells the bias; its place in the room stays as it is.
/// - Start: level from the first specific force, heading from the field through it, both anew until level
///   is found; after a start in motion heading and strength stay open for some seconds.
///
/// Only differences of heading enter, so no azimuth is a favourite. Time comes from timestamps alone.
/// Prediction is made at every sample, correction every `correctionInterval`; no step allocates.
///
/// - Source: the idea of the velocity measurement, of the latency and of iron that jumps are the project's
///   measurements on BROAD (doi 10.3390/data6070072); gain restricted to some errors with Joseph's form
///   is the consider filter of Schmidt (1966).
public struct StrapdownFilter: AttitudeFilter, Sendable {
  /// What the filter can be tuned by.
  public var parameters: Parameters

  // What is believed.
  var attitude: Rotation<BodyFrame, MagneticEarthFrame>?
  var isHeadingKnown = false
  var bias = SIMD3<Double>.zero
  var scale = GyroscopeScale()
  var velocity = SIMD3<Double>.zero
  var field = FieldModel()
  var errors: ErrorCovariance

  // What is watched.
  var rest = RestDetector()
  var fieldTurn = FieldTurn()
  var biasDoubt = BiasDoubt()
  var alignment = Alignment()
  var monitor = DisturbanceMonitor()
  var sensor = FieldSensorWatch()
  var witness = FieldWitness()

  // The newest samples.
  var timestamp: Timestamp?
  var fieldTimestamp: Timestamp?
  var rate = SIMD3<Double>.zero
  var waitingField: SIMD3<Double>?
  var interval = CorrectionInterval()
  var turnRate = 0.0
  var acceleration = SIMD3<Double>.zero
  /// By how much heading was corrected since somebody asked, rad.
  var headingCorrection = 0.0

  /// Makes a filter that knows nothing yet.
  public init(parameters: Parameters = Parameters()) {
    self.parameters = parameters
    errors = Self.initialErrors(parameters)
  }

  /// Carries the attitude to the sample's instant. A sample without rate or force is passed over.
  public mutating func update(_ sample: InertialSample<BodyFrame>) {
    guard let w = sample.angularRate?.components, let f = sample.specificForce?.components,
      Self.isPlausible(rate: w, force: f)
    else { return }
    guard let last = timestamp, let current = attitude else {
      start(w, f, sample.timestamp)
      return
    }
    let dt = sample.timestamp.seconds(since: last)
    guard dt > 0 else { return }
    timestamp = sample.timestamp
    rest.update(rate: w, force: f, seconds: dt)
    predict(current, w, f, min(dt, parameters.longestStep))
    if dt > parameters.longestStep { bridge(gap: dt) }
    if interval.seconds >= parameters.correctionInterval { correct() }
  }

  /// Draws the heading towards the field's north. A field that no earth has, or that stands still in a
  /// body that turns, is passed over.
  public mutating func update(_ sample: FieldSample<BodyFrame>) {
    let m = sample.field.components
    guard m.isFinite, m.lengthSquared > 1 else { return }
    let elapsed = fieldTimestamp.map { sample.timestamp.seconds(since: $0) } ?? 0
    guard elapsed >= 0 else { return }
    fieldTimestamp = sample.timestamp
    let dt = min(elapsed, parameters.longestStep)
    let w = scale.correct(rate - bias)
    guard sensor.accepts(m, rate: w, seconds: dt) else { return }
    guard let attitude, let timestamp, isHeadingKnown else {
      waitingField = m
      orientHeading()
      return
    }
    fieldTurn.update(m, seconds: dt)
    // A chip that averages for long tells an older field than the newest attitude; one that is read
    // between two inertial samples a newer one.
    let most = parameters.oldestField
    let known = min(max(timestamp.seconds(since: sample.timestamp), -most), most)
    let then =
      attitude * Rotation<BodyFrame, BodyFrame>(rotationVector: w * -(field.latency + known))
    let matrix = Matrix3(then)
    interval.field.add(
      matrix * m, turning: matrix * w.cross(m), rotation: matrix, seconds: dt)
  }

  /// Corrects what an interval has predicted.
  private mutating func correct() {
    let t = interval.seconds
    growErrors(t)
    // The field first: it was turned to the earth by the attitude as it was.
    if isHeadingKnown, interval.field.count > 0 {
      if alignment.isLevelFound {
        correctField(interval.field)
      } else {
        // A field taken through a tilted horizon says little of north: anew each time until level is found.
        align(to: interval.field.meanField)
      }
    }
    correctLevel(t)
    monitor.age(t, parameters)
    interval.clear()
  }

  /// Takes errors out of what is believed.
  mutating func inject(_ c: ErrorVector) {
    guard let current = attitude else { return }
    let turn = Rotation<MagneticEarthFrame, MagneticEarthFrame>(
      rotationVector: c[block: ErrorState.attitude])
    attitude = turn * current
    witness.turn(by: c[ErrorState.heading])
    headingCorrection += c[ErrorState.heading]
    bias += c[block: ErrorState.bias]
    scale.diagonal += c[block: ErrorState.scale]
    scale.shear += c[block: ErrorState.scale + 3]
    velocity += c[block: ErrorState.velocity]
    field.disturbance += c[block: ErrorState.disturbance]
    field.iron += c[block: ErrorState.iron]
    field.earth.horizontal = max(0, field.earth.horizontal + c[ErrorState.horizontal])
    field.earth.down += c[ErrorState.down]
    field.latency = min(max(field.latency + c[ErrorState.latency], 0), parameters.largestLatency)
  }

  /// By how much heading was corrected since the last call, rad.
  mutating func takeHeadingCorrection() -> Double {
    defer { headingCorrection = 0 }
    return headingCorrection
  }

  /// True of what a sensor can say: no part measures more than 100 rad/s or 2000 m/s² (200 g).
  static func isPlausible(rate w: SIMD3<Double>, force f: SIMD3<Double>) -> Bool {
    w.lengthSquared < 1e4 && f.lengthSquared < 4e6
  }

  /// True while the body lies still and the field does not say that it turns slowly.
  var isStill: Bool { rest.isAtRest && !fieldTurn.isTurning }

  /// Standard gravity, m/s²: its local value differs by 0.3 %, which only scales a vertical velocity.
  static var gravity: Double { 9.806_65 }
}
