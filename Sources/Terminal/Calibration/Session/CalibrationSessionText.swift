/// The texts of a session's screen apart from the progress.
public struct CalibrationSessionText: Equatable, Sendable {
  /// An open question.
  public enum Question: Equatable, Sendable {
    /// Stop and lose the samples?
    case stop
    /// Discard all samples?
    case restart
    /// Save a calibration that is only poor?
    case savePoor
  }

  /// The sensor, for example a chip's name and its bus.
  public var sensor: String
  /// The board of the sensor; empty if unknown.
  public var board: String
  /// True if the samples are simulated.
  public var isSimulated: Bool
  /// The findings, most important first.
  public var findings: [CalibrationFinding] = []
  /// True while the session is paused.
  public var isPaused = false
  /// The open question; nil for none.
  public var question: Question?
  /// True while the help is open.
  public var showsHelp = false
  /// Seconds without a new sample, if it is long; else nil.
  public var silentSeconds: Double?
  /// Why there are no more samples; nil while there are.
  public var end: String?

  /// Makes a session's texts.
  public init(sensor: String, board: String = "", isSimulated: Bool = false) {
    self.sensor = sensor
    self.board = board
    self.isSimulated = isSimulated
  }

  /// Sensor and board in one line.
  public var subject: String { board.isEmpty ? sensor : "\(sensor), \(board)" }
}
