/// A fault that is injected into the simulated board, where it occurs on a real one: in a chip, on
/// the bus, on the receiver's line, or in how the board is mounted. Its details (which chip, how
/// much) depend on the seed.
public enum BoardFault: String, CaseIterable, Sendable {
  /// The magnetometer, gyroscope or accelerometer measures two of its axes for each other, as with
  /// a wrong driver.
  case swappedAxes = "swapped-axes"
  /// One axis of the magnetometer, gyroscope or accelerometer has the wrong sign.
  case invertedAxis = "inverted-axis"
  /// The board is mounted otherwise than its board file states.
  case wrongMount = "wrong-mount"
  /// A gyroscope or magnetometer has a flat top within the measured motion.
  case clippedRange = "clipped-range"
  /// A chip does not answer, or answers with constant bytes.
  case deadSensor = "dead-sensor"
  /// Every fifth sample, at random, is lost in the inertial unit's memory.
  case lostSamples = "lost-samples"
  /// The inertial unit measures at half or twice the rate that is set, as clones with another
  /// divider do.
  case wrongRate = "wrong-rate"
  /// A magnet is fastened to the board.
  case magnetOnBoard = "magnet-on-board"
  /// The gyroscope's offset is beyond its data sheet, and grows while it warms up.
  case hotGyroscope = "hot-gyroscope"
  /// The receiver sends nothing.
  case receiverMute = "receiver-mute"
  /// The port is read at another speed than the receiver sends at.
  case wrongBaud = "wrong-baud"
  /// Some transfers on the bus fail.
  case busErrors = "bus-errors"
}
