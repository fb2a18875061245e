/// Something that is wrong with a board.
package struct CheckFinding: Equatable, Sendable {
  /// What is wrong; the raw value is the finding's name.
  package enum Kind: String, CaseIterable, Sendable {
    /// Two axes of a chip are exchanged.
    case swappedAxes = "swapped-axes"
    /// One axis of a chip has the wrong sign.
    case invertedAxis = "inverted-axis"
    /// The board, or a chip on it, is mounted otherwise than the board file states.
    case wrongMount = "wrong-mount"
    /// A sensor is at the limit of its range.
    case clippedRange = "clipped-range"
    /// A chip does not answer, or does not measure.
    case deadSensor = "dead-sensor"
    /// Samples are missing.
    case lostSamples = "lost-samples"
    /// A chip measures at another rate than its driver has set.
    case wrongRate = "wrong-rate"
    /// The field is far stronger than the earth's.
    case magnetOnBoard = "magnet-on-board"
    /// The gyroscope's offset is beyond its data sheet.
    case hotGyroscope = "hot-gyroscope"
    /// The receiver sends nothing.
    case receiverMute = "receiver-mute"
    /// The receiver's line has bytes, but no sentence.
    case wrongBaud = "wrong-baud"
    /// Transfers on a bus fail.
    case busErrors = "bus-errors"
    /// A part of the receiver's sentences is damaged.
    case receiverErrors = "receiver-errors"
    /// The accelerometer does not measure gravity.
    case wrongGravity = "wrong-gravity"
    /// The numbers of a sensor are in another unit or of another range.
    case wrongScale = "wrong-scale"
    /// The magnetometer's noise at rest is that of a current beside it.
    case fieldNoise = "field-noise"
    /// The calibration in use leaves more deviation than it promises.
    case deviation
    /// Buses are read late, or the system's clock steps.
    case timing
    /// A step was not completed, so that the board is not examined in full.
    case incomplete
  }

  /// What is wrong.
  package var kind: Kind
  /// On what: a chip with bus and address, a bus, a port.
  package var device: String
  /// What is wrong, in words.
  package var what: String
  /// How it shows, with the figure.
  package var figure: String
  /// What to do.
  package var remedy: String

  package init(
    _ kind: Kind, on device: String, _ what: String, figure: String, remedy: String
  ) {
    (self.kind, self.device, self.what) = (kind, device, what)
    (self.figure, self.remedy) = (figure, remedy)
  }

  /// One line: on what, what is wrong, how it shows, what to do.
  package var text: String { "\(device): \(what): \(figure); \(remedy)" }
}
