/// All that a session's screen says beside the progress.
public struct CalibrationSessionText: Equatable, Sendable {
  /// A question that waits for an answer.
  public enum Question: Equatable, Sendable {
    /// Stop and lose the samples?
    case stop
    /// Throw every sample away?
    case restart
    /// Save what is only poor?
    case savePoor
  }

  /// The sensor, such as a chip's name and its bus.
  public var sensor: String
  /// The board that it sits on; empty where there is nothing to say.
  public var board: String
  /// True where no sensor stands behind the samples.
  public var isSimulated: Bool
  /// Lines about what was found, most important first.
  public var findings: [CalibrationFinding] = []
  /// True while no samples are taken.
  public var isPaused = false
  /// What is being asked.
  public var question: Question?
  /// True while the help is open.
  public var showsHelp = false
  /// For how many seconds no new sample came, where that matters.
  public var silentSeconds: Double?
  /// Why there will be no more samples.
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
