import Quantities
import RealModule

/// The satellites in view of the simulated receiver: eight of GPS, four of GLONASS and six of
/// Galileo that rise and sink by a few degrees in ten minutes. They are a function of the time
/// alone; no real orbit is behind them.
struct SimulatedSky {
  /// A system by its talker and its NMEA system identifier, with the numbers of its satellites in
  /// GSV and GSA.
  struct System {
    let talker: StaticString
    let identifier: Int64
    let numbers: [Int64]
  }

  struct Satellite {
    let system: Int
    let number: Int64
    let elevationDegrees: Double
    let azimuthDegrees: Double
    var isUsed = false

    /// A high satellite is received better: 27 dB-Hz at the horizon, 49 at the zenith.
    var signalDecibelHertz: Double { 27 + 22 * Double.sin(elevationDegrees * .pi / 180) }
  }

  /// - Source: NMEA 0183 4.11, GNSS system identifiers; GLONASS numbers are slots plus 64.
  static var systems: [System] {
    [
      System(talker: "GP", identifier: 1, numbers: [2, 5, 7, 13, 15, 20, 24, 30]),
      System(talker: "GL", identifier: 2, numbers: [66, 73, 81, 88]),
      System(talker: "GA", identifier: 3, numbers: [3, 8, 15, 21, 27, 33]),
    ]
  }

  /// Highest first.
  let satellites: [Satellite]

  /// The sky at an instant, with the `used` highest satellites in the solution.
  init(at utc: UTCTime, used: Int) {
    let seconds = Double(utc.nanosecondsSince1970) * 1e-9
    // Half a sidereal day, the period of GPS satellites, seconds.
    let period = 43_082.0
    let turn = 2 * Double.pi * (seconds / period - (seconds / period).rounded(.down))
    var all: [Satellite] = []
    var index = 0.0
    for (system, one) in Self.systems.enumerated() {
      for number in one.numbers {
        // The golden angle spreads directions and phases evenly.
        let golden = 2.399_963_229_728_653 * index
        let azimuth = Angle(radians: golden + turn).wrappedToTurn
        let elevation = 45 + 38 * Double.sin(2 * golden + turn)
        all.append(
          Satellite(
            system: system, number: number, elevationDegrees: elevation,
            azimuthDegrees: azimuth.degrees))
        index += 1
      }
    }
    all.sort { $0.elevationDegrees > $1.elevationDegrees }
    for place in all.indices.prefix(used) { all[place].isUsed = true }
    satellites = all
  }
}
