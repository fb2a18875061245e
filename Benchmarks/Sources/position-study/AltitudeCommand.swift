import ArgumentParser
import EarthModel
import Foundation
import Fusion
import Quantities

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
      line += String(format: ": whole %.2f m", rms(errors(rows, window: nil)))
      for (length, period) in [(60.0, 120.0), (600, 900)] {
        let ends = errors(rows, window: (length, period))
        let sorted = ends.map(abs).sorted()
        line += String(
          format: "; %.0f s: median %.2f RMS %.2f", length,
          sorted.isEmpty ? .nan : sorted[sorted.count / 2], rms(ends))
      }
      print(line)
    }
  }

  private func rms(_ x: [Double]) -> Double {
    (x.map { $0 * $0 }.reduce(0, +) / Double(max(1, x.count))).squareRoot()
  }

  /// The errors at all fixes, or at the last withheld one of each window at the end of a period.
  private func errors(_ rows: [DriveRow], window: (length: Double, period: Double)?) -> [Double] {
    var p = AltitudeFilter.Parameters()
    (p.offsetDrift, p.pressureSigma, p.fixCorrelationTime) = (drift, pressure, correlation)
    (p.scaleSigma, p.suctionSigma) = (scale, suction)
    var filter = AltitudeFilter(parameters: p)
    var errors: [Double] = []
    func isWithheld(_ row: DriveRow) -> Bool {
      guard let window else { return false }
      let phase = row.seconds.truncatingRemainder(dividingBy: window.period)
      return phase >= window.period - window.length
    }
    for (i, row) in rows.enumerated() {
      let t = Timestamp(nanoseconds: UInt64(row.seconds * 1e9))
      if let hectopascal = row.hectopascal {
        filter.update(
          pressureAltitudeMetres: StandardAtmosphere.pressureAltitudeMetres(
            hectopascal: hectopascal), speedMetresPerSecond: row.speed, at: t)
      }
      guard let altitude = row.altitude else { continue }
      if isWithheld(row) {
        let isLast = i + 1 == rows.count || !isWithheld(rows[i + 1])
        if isLast, let metres = filter.altitudeMetres { errors.append(metres - altitude) }
      } else {
        filter.update(fixAltitudeMetres: altitude, sigmaMetres: row.verticalAccuracy, at: t)
        if window == nil, let metres = filter.altitudeMetres { errors.append(metres - altitude) }
      }
    }
    return errors
  }
}

/// One row of a drive.
struct DriveRow {
  var seconds: Double
  var hectopascal: Double?
  var altitude: Double?
  var verticalAccuracy: Double?
  var speed: Double?

  static func rows(_ file: String) throws -> [DriveRow] {
    let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
    let names = lines[0].split(separator: ",").map(String.init)
    let columns = ["t", "pressure", "alt", "vacc", "speed"].map { names.firstIndex(of: $0) ?? -1 }
    return lines.dropFirst().compactMap { line in
      let cells = line.split(separator: ",", omittingEmptySubsequences: false)
      func value(_ i: Int) -> Double? { columns[i] < 0 ? nil : Double(cells[columns[i]]) }
      return value(0).map {
        DriveRow(
          seconds: $0, hectopascal: value(1), altitude: value(2), verticalAccuracy: value(3),
          speed: value(4))
      }
    }
  }
}
