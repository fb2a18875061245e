import Chips
import Quantities

/// Detects a chip that answers but does not measure: its values are zero, never change, or cannot
/// be.
///
/// Model: the noise of a sensor exceeds its counts, so that samples differ even at rest. The
/// longest runs of equal samples in 53 recordings of six units (BROAD, RepoIMU, three phones,
/// drives by car): field 15 samples in 0.05 s, specific force 39 in 0.2 s, angular rate 10 in 0.03
/// s; no field and no specific force is zero, of angular rates at most four in 0.01 s. Their fields
/// are 8.7 to 1340 microtesla, with the iron of the devices and magnets beside them.
///
/// Limits: a run must be long in time and in samples, because slow chips repeat nothing for long
/// and fast ones may be read twice. With noise of a fifth of a count, 600 samples of a field are
/// equal once in 10^9 tries. The specific force of a unit without a gyroscope may have counts of
/// eight times its noise, so it is given ten minutes.
///
/// Acceptance: after a fault several good samples, after a constant value several changed ones.
package struct SampleCheck {
  /// How long a condition must hold.
  private struct Limit {
    var seconds: Double
    var samples: Int
  }

  private static let zeroField = Limit(seconds: 0.5, samples: 5)
  private static let zeroForce = Limit(seconds: 1, samples: 10)
  private static let constantField = Limit(seconds: 60, samples: 600)
  private static let constantUnit = Limit(seconds: 10, samples: 300)
  private static let constantRate = Limit(seconds: 60, samples: 3000)
  private static let constantForce = Limit(seconds: 600, samples: 6000)
  private static let impossibleField = Limit(seconds: 10, samples: 10)
  private static let saturatedField = Limit(seconds: 5, samples: 5)

  /// Fields outside are no measurement, microtesla: the Earth's is 22 to 67, and no supported
  /// chip's range exceeds 4912 along an axis. Iron cancels the Earth's field to less than 1 only in
  /// one attitude.
  private static let possibleField = 1.0...8600.0
  /// Pressures of the air, hectopascal: the lowest that a supported chip measures, and more than
  /// the highest on land.
  private static let possiblePressure = 10.0...1200.0

  /// Good samples after which a fault has ended; one changed sample may be that of a restart.
  private static let acceptance = 3

  /// Why the chip's samples must not be used, as the rest of a sentence; nil while they may.
  package private(set) var fault: String?

  private var field = Run()
  private var rate = Run()
  private var force = Run()
  private var impossible = Run()
  private var saturated = Run()
  private var wasConstant = false
  private var good = 0

  package init() {}

  /// Adds a sample of a magnetometer.
  package mutating func add(_ reading: Reading<MagneticField<SensorFrame>>, at instant: Timestamp) {
    guard let vector = reading.value?.components else {
      saturated.add(.zero, at: instant)
      judge(
        saturated.exceeds(Self.saturatedField)
          ? "every sample is beyond its range: a magnet, iron or a current is too near" : nil,
        constant: nil, isGood: false, isChange: false)
      return
    }
    saturated = Run()
    let isChange = field.add(vector, at: instant)
    if Self.possibleField.contains(vector.length) {
      impossible = Run()
    } else {
      impossible.add(.zero, at: instant)
    }
    judge(
      field.isZero && field.exceeds(Self.zeroField)
        ? "it reports a field of exactly zero"
        : impossible.exceeds(Self.impossibleField)
          ? "its field is no field of the Earth, not even beside iron (1 to 8600 uT)" : nil,
      constant: field.exceeds(Self.constantField)
        ? "its field has not changed by one count for a minute" : nil,
      isGood: impossible.samples == 0, isChange: isChange)
  }

  /// Adds a sample of an inertial unit.
  package mutating func add(_ reading: InertialReading, at instant: Timestamp) {
    var isChange = false
    if let value = reading.angularRate?.value {
      isChange = rate.add(value.components, at: instant)
    }
    let hasRate = rate.samples > 0
    if let value = reading.specificForce?.value {
      isChange = force.add(value.components, at: instant) || isChange
    }
    let hasForce = force.samples > 0
    let isUnitConstant =
      hasRate && hasForce && rate.exceeds(Self.constantUnit) && force.exceeds(Self.constantUnit)
    let isForceZero = hasForce && force.isZero
    judge(
      isForceZero && force.exceeds(Self.zeroForce)
        ? "it reports an acceleration of exactly zero, also without gravity" : nil,
      constant: isUnitConstant
        ? "neither its acceleration nor its angular rate has changed by one count for 10 s"
        : rate.exceeds(Self.constantRate)
          ? "its angular rate has not changed by one count for a minute"
          : force.exceeds(Self.constantForce)
            ? "its acceleration has not changed by one count for ten minutes" : nil,
      isGood: !isForceZero, isChange: isChange)
  }

  /// Adds a sample of a barometer.
  package mutating func add(hectopascal: Double) {
    let isPossible = Self.possiblePressure.contains(hectopascal)
    judge(
      isPossible ? nil : "its pressure is not that of air (10 to 1200 hPa)", constant: nil,
      isGood: isPossible, isChange: true)
  }

  private mutating func judge(
    _ finding: String?, constant: String?, isGood: Bool, isChange: Bool
  ) {
    if let finding = finding ?? constant {
      if fault == nil || constant != nil { wasConstant = constant != nil }
      (fault, good) = (finding, 0)
    } else if fault != nil, isGood, isChange || !wasConstant {
      good += 1
      if good >= Self.acceptance { (fault, wasConstant) = (nil, false) }
    }
  }

  /// Equal samples in a row.
  private struct Run {
    private var value = SIMD3<Double>.zero
    private var first = Timestamp(nanoseconds: 0)
    private var last = Timestamp(nanoseconds: 0)
    private(set) var samples = 0

    var isZero: Bool { value == .zero }

    /// - Returns: Whether the sample differs from the one before.
    @discardableResult
    mutating func add(_ new: SIMD3<Double>, at instant: Timestamp) -> Bool {
      last = instant
      guard samples > 0, new == value else {
        (value, first, samples) = (new, instant, 1)
        return true
      }
      samples += 1
      return false
    }

    func exceeds(_ limit: Limit) -> Bool {
      samples >= limit.samples && last.seconds(since: first) >= limit.seconds
    }
  }
}
