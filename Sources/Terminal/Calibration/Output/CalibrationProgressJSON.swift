import CalibrationFit
import JSON
import Quantities

/// A calibration's progress as one JSON object, without a line end. An unknown value is absent, or
/// null in an array.
///
/// `t` in seconds with three decimals, errors in degrees (one sigma) with three; arrays of the
/// sphere are in row order. The same progress gives the same bytes on every machine.
public enum CalibrationProgressJSON {
  /// The object's bytes.
  /// - Parameters:
  ///   - progress: The progress.
  ///   - time: The civil time of its newest sample; nil if it is not known.
  ///   - text: The texts of the session.
  /// - Returns: The object, without a line end.
  public static func object(
    _ progress: CalibrationProgress, at time: UTCTime?, text: CalibrationSessionText
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    var json = JSONWriter(appendingTo: &bytes)
    json.add("t", progress.seconds, decimals: 3)
    json.add(time: time)
    json.add("samples", progress.observationCount)
    json.add("quality", progress.quality.rawValue)
    json.add("use", progress.use.rawValue)
    json.add("worstError_deg", progress.worstError?.degrees, decimals: 3)
    json.add("levelError_deg", progress.levelError?.degrees, decimals: 3)
    json.add("advice", CalibrationWords.name(progress.advice))
    switch progress.advice {
    case .tilt(let side): json.add("side", side.rawValue)
    case .turnLevel(let missing): json.add("missing_deg", missing.degrees, decimals: 1)
    case .holdStill, .turnOver, .slower, .leaveDisturbance, .done: break
    }
    json.add("adviceText", CalibrationWords(isASCII: true).advice(progress))
    json.add("sphereVisited", progress.sphere.visitedShare, decimals: 4)
    json.add("ringVisited_deg", progress.ring.visitedTurn.degrees, decimals: 0)
    json.add("tiltRow", progress.tiltNow?.row)
    json.add("tiltColumn", progress.tiltNow?.column)
    json.add("bearing", progress.bearingNow)
    json.add("findings", text.findings.map(\.text))
    json.add("end", text.end)
    json.add("sphereError_deg", degrees(progress.sphere.error), decimals: 2)
    json.add("sphereVisits", progress.sphere.visits)
    json.add("ringError_deg", degrees(progress.ring.error), decimals: 2)
    json.add("ringVisits", progress.ring.visits)
    json.add("sensor", text.sensor)
    json.add("board", text.board.isEmpty ? nil : text.board)
    if text.isSimulated { json.add("simulated", true) }
    json.close(into: &bytes)
    return bytes
  }

  private static func degrees(_ radians: [Double?]) -> [Double?] {
    radians.map { $0.map { Angle(radians: $0).degrees } }
  }
}
