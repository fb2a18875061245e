import Board
import CalibrationFit
import Chips
import Configuration
import EarthModel
import Fusion
import Quantities
import Storage

/// The configuration of a pipeline.
public struct PipelineConfiguration: Sendable {
  /// The board with the mounting of its sensors.
  public var board: Board = .standard
  /// The ranges of the sensors; nil: as the drivers of the board's chips set them, or detected in
  /// the data if the board names no chip.
  public var fullScale: SensorFullScale?
  /// The calibration of the magnetometer.
  public var calibration: CalibrationChoice = .none
  /// Its uncertainty, if a fit has estimated it; the heading's accuracy then depends on the
  /// attitude.
  public var calibrationEstimate: DistortionEstimate?
  /// Whether the magnetometer is calibrated during use, starting with `calibration`.
  public var onlineCalibration = false
  /// Compensates the field of a load while the load is known.
  public var load: LoadCompensation?
  /// The corrections of the gyroscope and the accelerometer.
  public var inertialCorrection: InertialCorrection?
  /// The stored deviation of the vehicle.
  public var keptDeviation: StoredDeviation?
  /// Whether an attached board loads its stored calibration and stores new ones.
  public var usesKeptCalibration = true
  /// The folder of the stored calibrations; nil for the standard one. Without it a simulation and a
  /// recording store none.
  public var calibrationFolder: String?
  /// Where the receiver's aid is stored; nil to give and store none.
  package var receiverAid: ReceiverAidSettings?
  /// Whether a recording of this program is replayed as it was recorded, whatever else is set here.
  public var usesRecordedStart = true
  /// Called with each event of the online calibration.
  package var onCalibration: (@Sendable (OnlineCalibrationEvent) -> Void)?
  /// Called with the learnt deviation every hour.
  package var onDeviation: (@Sendable (StoredDeviation) -> Void)?
  /// Supplies a calibration to change to.
  package var handOver: (any CalibrationHandOver)?
  /// Runs the fits of a live board; nil: on the pipeline's thread, as a replay needs it.
  package var refitRunner: (any RefitRunner)?
  /// Receives the pipeline's inputs other than rows, for a recording.
  package var tap: (any PipelineTap)?
  /// The kind of motion; sets the process noise.
  public var activity: Activity = .other
  /// UTC of the first instant, for the magnetic model if the data has no UTC.
  public var utcAtStart: UTCTime?
  /// True if `utcAtStart` is this machine's clock: it is then used for the magnetic model, but not
  /// for a fix of a receiver that has not yet sent the date.
  public var isStartMachineClock = false
  /// Pressure at sea level, hPa: refers the pressure altitude to sea level without a receiver.
  public var qnhHectopascal: Double?
  /// The pressure at sea level from an earlier run, used where `qnhHectopascal` is nil.
  public var learntQNH: LearntQNH?
  /// The direction of the two antennas' baseline by an earlier run, where it is to be learnt.
  public var learntBaseline: LearntBaseline?
  /// The model of the declination.
  public var magneticModel: MagneticModel = .wmm2025
  /// True for simulated samples.
  public var isSimulated = false

  /// The default configuration.
  public init() {}

  /// Takes everything that changes estimates from a recorded configuration; what belongs to the
  /// running program stays.
  package mutating func start(as recorded: PipelineConfiguration) {
    let own = self
    self = recorded
    (onCalibration, onDeviation, tap) = (own.onCalibration, own.onDeviation, own.tap)
    (calibrationFolder, receiverAid) = (own.calibrationFolder, own.receiverAid)
  }

  /// The ranges of the sensors.
  var sensorLimits: SensorFullScale { fullScale ?? board.fullScale }
}

/// The correction of the magnetometer's errors.
public enum CalibrationChoice: Equatable, Sendable {
  /// None: the field is used as it is and the heading's accuracy is unknown.
  case none
  /// None, because the field is already calibrated.
  case assumed
  /// A calibration of this sensor on this board.
  case fitted(MagnetometerCalibration)

  /// The calibration state in an estimate.
  public var state: CalibrationState {
    switch self {
    case .none: .uncalibrated
    case .assumed: .assumed
    case .fitted(let calibration): calibration.quality
    }
  }
}
