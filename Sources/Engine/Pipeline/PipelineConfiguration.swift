import BoardFile
import CalibrationFit
import CalibrationStore
import Chips
import EarthModel
import Quantities

/// What a pipeline has to know beside the samples.
public struct PipelineConfiguration: Sendable {
  /// How the sensors sit on the body.
  public var board: Board = .standard
  /// What the sensors show at their limits; nil: as the drivers of the board's chips set them, and found in
  /// the data where the board names no chip.
  public var fullScale: SensorFullScale?
  /// What takes the magnetometer's own errors out.
  public var calibration: CalibrationChoice = .none
  /// How uncertain that is, where a fit told; it makes the heading's accuracy one of each attitude.
  public var calibrationEstimate: DistortionEstimate?
  /// Whether the magnetometer is calibrated during use, from what is there or from nothing.
  public var onlineCalibration = false
  /// What a load adds to the field; it is taken out while the load is told.
  public var load: LoadCompensation?
  /// What the gyroscope and the accelerometer are off by.
  public var inertialCorrection: InertialCorrection?
  /// What course has taught of a vehicle's deviation before.
  public var keptDeviation: StoredDeviation?
  /// Whether an attached board begins with the calibration that was kept for it and keeps what it finds.
  public var usesKeptCalibration = true
  /// Hears of what an online calibration has found.
  package var onCalibration: (@Sendable (OnlineCalibrationEvent) -> Void)?
  /// Hears of what course has taught of the vehicle, every hour.
  package var onDeviation: (@Sendable (StoredDeviation) -> Void)?
  /// Where the pipeline looks for a calibration that it is to go over to.
  package var handOver: (any CalibrationHandOver)?
  /// Where the fits of a live board run; nil: within the way of the samples, as a replay needs it.
  package var refitRunner: (any RefitRunner)?
  /// What the body does; it sets how far motion is trusted to be smooth.
  public var activity: Activity = .other
  /// Civil time of the first instant, for the magnetic model where the data has no time of its own.
  public var utcAtStart: UTCTime?
  /// True where `utcAtStart` is this machine's clock: it then dates the magnetic model, but no fix. A receiver
  /// that has not yet sent the date must not be given another clock's.
  public var isStartMachineClock = false
  /// Pressure at sea level, hPa: refers pressure altitude to the sea without a receiver.
  public var qnhHectopascal: Double?
  /// The magnetic model that turns magnetic to true heading.
  public var magneticModel: MagneticModel = .wmm2025
  /// True where a simulated world stands behind the samples.
  public var isSimulated = false

  /// The configuration of a recording of which nothing is said.
  public init() {}

  /// What the sensors show at their limits.
  var sensorLimits: SensorFullScale { fullScale ?? board.fullScale }
}

/// What takes the magnetometer's own errors out of the field.
public enum CalibrationChoice: Equatable, Sendable {
  /// Nothing: the field is used as it is and the heading's accuracy is not known.
  case none
  /// Nothing, because the field is already calibrated.
  case assumed
  /// A calibration of this sensor on this board.
  case fitted(MagnetometerCalibration)

  /// What an estimate says about the field.
  public var state: CalibrationState {
    switch self {
    case .none: .uncalibrated
    case .assumed: .assumed
    case .fitted(let calibration): calibration.quality
    }
  }
}

/// What the body is doing, in Core Location's words.
public enum Activity: String, CaseIterable, Sendable {
  /// Nothing is known.
  case other
  /// In a car.
  case automotiveNavigation
  /// On foot or on a bicycle.
  case fitness
  /// In a boat, a train or anything else that is not a car.
  case otherNavigation
  /// In the air.
  case airborne

  /// True of what may lie on water, and then heave.
  var mayFloat: Bool {
    switch self {
    case .other, .otherNavigation: true
    case .automotiveNavigation, .fitness, .airborne: false
    }
  }

  /// Vertical acceleration that an altitude filter must allow for, m/s²·√s: a car follows the road, an
  /// aeroplane climbs and sinks at will.
  var verticalAccelerationNoise: Double {
    switch self {
    case .automotiveNavigation: 0.3
    case .other, .fitness, .otherNavigation: 0.5
    case .airborne: 2
    }
  }
}
