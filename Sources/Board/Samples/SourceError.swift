import Chips
import Formats
import LinuxIO

/// Why a source cannot be opened. The description is one line with the remedy.
public enum SourceError: Error, Equatable, Sendable, CustomStringConvertible {
  /// `LODESTAR_SOURCE` is none of `simulate`, `replay:FILE`, `recorded:FILE` and
  /// `gpsd://HOST:PORT`.
  case unknownChoice(String)
  /// No supported sensor is attached; with the devices that were searched.
  case noSensors(searched: [String])
  /// A bus or line of the board cannot be opened.
  case bus(BusError)
  /// No chip of the board answers.
  case chips([ChipError])
  /// The gpsd daemon is the only source and cannot be reached.
  case gpsd(GPSDFault)
  /// The Signal K server is the only source and cannot be reached.
  case signalK(SignalKFault)
  /// The NMEA 2000 bus is the only source and cannot be opened.
  case nmea2000(NMEA2000Fault)
  /// The recording cannot be read.
  case recording(RecordingError)
  /// The simulated world cannot be made.
  case simulation(String)

  /// One line to display.
  public var description: String {
    switch self {
    case .unknownChoice(let text):
      "LODESTAR_SOURCE is '\(text)'; expected 'simulate', 'replay:FILE', 'recorded:FILE' or "
        + "'gpsd://HOST:PORT', or leave it unset for the attached board"
    case .noSensors(let devices):
      devices.isEmpty
        ? "no sensor found: this machine has no I2C bus (on a Raspberry Pi: sudo raspi-config nonint do_i2c 0) "
          + "and no serial receiver"
        : "no sensor that this version can read on \(devices.joined(separator: ", ")); see lodestar probe"
    case .bus(let error): "\(error)"
    case .chips(let errors):
      "no chip of the board is in service: " + errors.map(\.description).joined(separator: "; ")
    case .gpsd(let fault): "\(fault)"
    case .signalK(let fault): "\(fault)"
    case .nmea2000(let fault): "\(fault)"
    case .recording(let error): "\(error)"
    case .simulation(let reason): "the simulated world cannot be made: \(reason)"
    }
  }
}
