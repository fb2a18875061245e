import Quantities
import RealModule

/// The start, and the alignment while level is being found.
extension StrapdownFilter {
  mutating func start(_ w: SIMD3<Double>, _ f: SIMD3<Double>, _ at: Timestamp) {
    // In free fall or with a dead accelerometer there is no down to start from.
    guard f.length > 0.3 * Self.gravity,
      let level = Rotation<BodyFrame, MagneticEarthFrame>(from: f, to: SIMD3(0, 0, -1))
    else { return }
    attitude = level
    (timestamp, rate) = (at, w)
    rest.update(rate: w, force: f, seconds: 0)
    // A push of any size hides in the specific force; its length tells at least how much.
    let pushed = Double.acos(min(1, Self.gravity / f.length))
    let tilt = max(parameters.initialTiltSigma, 2 * pushed)
    errors.grow(ErrorState.attitude, count: 2, by: tilt * tilt)
    orientHeading()
  }

  /// Turns the level attitude to the waiting field's north.
  mutating func orientHeading() {
    guard let level = attitude, let m = waitingField else { return }
    let z = level.rotate(m)
    guard z.x * z.x + z.y * z.y > 1 else { return }
    waitingField = nil
    isHeadingKnown = true
    align(to: z)
  }

  /// Turns north to where the field `z` points, and takes its strength.
  mutating func align(to z: SIMD3<Double>) {
    guard let current = attitude else { return }
    let angle = -Double.atan2(y: z.y, x: z.x)
    let turn = Rotation<MagneticEarthFrame, MagneticEarthFrame>(
      rotationVector: SIMD3(0, 0, angle))
    headingCorrection += angle
    attitude = turn * current
    velocity = turn.rotate(velocity)
    field.disturbance = turn.rotate(field.disturbance)
    acceleration = turn.rotate(acceleration)
    errors.turnEarth(by: Matrix3(turn))
    interval.clear()
    witness = FieldWitness()
    let p = parameters
    errors.reset(ErrorState.heading, variance: p.initialHeadingSigma * p.initialHeadingSigma)
    field.earth = EarthField(of: z)
  }

  /// After a start in motion level is found roughly before it is found well: what was taken through it
  /// stays open meanwhile.
  mutating func reopen() {
    let doubt = alignment.doubt
    guard doubt > 0.01 else { return }
    errors.raise(ErrorState.heading, to: parameters.alignmentHeadingSigma * doubt)
    errors.raise(ErrorState.horizontal, to: parameters.initialStrengthSigma * doubt)
    errors.raise(ErrorState.down, to: parameters.initialStrengthSigma * doubt)
  }

  static func initialErrors(_ p: Parameters) -> ErrorCovariance {
    var d = ErrorVector()
    func variance(_ sigma: Double) -> SIMD3<Double> { SIMD3(repeating: sigma * sigma) }
    d[ErrorState.heading] = p.initialHeadingSigma * p.initialHeadingSigma
    d[block: ErrorState.bias] = variance(p.initialBiasSigma)
    // Half the variance beside the diagonal makes the prior the same for every choice of axes.
    d[block: ErrorState.scale] = variance(p.initialScaleSigma)
    d[block: ErrorState.scale + 3] = variance(p.initialScaleSigma) / 2
    d[block: ErrorState.velocity] = variance(p.initialVelocitySigma)
    d[block: ErrorState.disturbance] = variance(p.disturbanceSigma)
    d[block: ErrorState.iron] = variance(p.ironSigma)
    d[ErrorState.horizontal] = p.initialStrengthSigma * p.initialStrengthSigma
    d[ErrorState.down] = d[ErrorState.horizontal]
    d[ErrorState.latency] = p.initialLatencySigma * p.initialLatencySigma
    return ErrorCovariance(diagonal: d)
  }
}

/// How far the search for level has come.
struct Alignment: Equatable, Sendable {
  /// True once level is known well enough to look at the field through it.
  private(set) var isLevelFound = false
  /// How much of the start's doubt is left, 1 to 0. A body that rests has none.
  private(set) var doubt = 1.0
  private var seconds = 0.0

  init() {}

  mutating func update(
    tiltVariance: Double, isAtRest: Bool, seconds t: Double, _ p: StrapdownFilter.Parameters
  ) {
    if isAtRest { doubt = 0 } else if isLevelFound { doubt *= Double.exp(-t / p.alignmentTime) }
    guard !isLevelFound else { return }
    seconds += t
    let limit = p.settledTiltSigma * p.settledTiltSigma
    isLevelFound = tiltVariance < limit || seconds > p.longestAlignment
  }
}

extension Alignment {
  mutating func code(_ c: inout StateCoder) {
    c.code(&isLevelFound)
    c.code(&doubt)
    c.code(&seconds)
  }
}
