import ArgumentParser
import EarthModel
import Foundation
import Fusion
import Quantities
import Study

/// The altitude filter alone on recorded drives, with any of its parameters.
struct AltitudeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "altitude", abstract: "Altitude of recorded drives beside GNSS (drive.py's CSV).")

  @Argument(help: "Sensor CSV files.")
  var files: [String]
  @Option(help: "Drift of the offset, m/√s.")
  var drift = AltitudeFilter.Parameters().offsetDrift
  @Option(help: "Error of a pressure altitude, m.")
  var pressure = AltitudeFilter.Parameters().pressureSigma
  @Option(help: "Correlation time of the receiver's errors, s.")
  var correlation = AltitudeFilter.Parameters().fixCorrelationTime
  @Option(help: "Error of the scale.")
  var scale = AltitudeFilter.Parameters().scaleSigma
  @Option(help: "Suction, m/(m/s)².")
  var suction = AltitudeFilter.Parameters().suctionSigma

  func run() throws {
    for file in files {
      let rows = try DriveRow.rows(file)
      var line = file.split(separator: "/").last.map(String.init) ?? file
      line += String(format: ": whole %.2f m", rootMeanSquare(errors(rows, withheld: nil)))
      for windows in [Windows(length: 60, period: 120), Windows(length: 600, period: 900)] {
        let ends = errors(rows, withheld: windows)
        line += String(
          format: "; %.0f s: median %.2f RMS %.2f", windows.length,
          quantile(ends.map(abs), 0.5), rootMeanSquare(ends))
      }
      print(line)
    }
  }

  /// The errors at all fixes, or at the last withheld one of each window.
  private func errors(_ rows: [DriveRow], withheld windows: Windows?) -> [Double] {
    var p = AltitudeFilter.Parameters()
    (p.offsetDrift, p.pressureSigma, p.fixCorrelationTime) = (drift, pressure, correlation)
    (p.scaleSigma, p.suctionSigma) = (scale, suction)
    var filter = AltitudeFilter(parameters: p)
    var errors: [Double] = []
    func isWithheld(_ row: DriveRow) -> Bool { windows?.contains(row.seconds) ?? false }
    for (i, row) in rows.enumerated() {
      if let hectopascal = row.hectopascal {
        filter.update(
          pressureAltitudeMetres: StandardAtmosphere.pressureAltitudeMetres(
            hectopascal: hectopascal), speedMetresPerSecond: row.speed, at: row.timestamp)
      }
      guard let altitude = row.altitude else { continue }
      let isJudged: Bool
      if isWithheld(row) {
        isJudged = i + 1 == rows.count || !isWithheld(rows[i + 1])
      } else {
        filter.update(
          fixAltitudeMetres: altitude, sigmaMetres: row.verticalAccuracy, at: row.timestamp)
        isJudged = windows == nil
      }
      if isJudged, let metres = filter.altitudeMetres { errors.append(metres - altitude) }
    }
    return errors
  }
}
