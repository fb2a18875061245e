import CalibrationFit
import Formats
import JSON
import Pipeline
import Quantities

/// A deviation card in JSON. Angles in degrees, east positive.
package enum DeviationJSON {
  /// Writes a row's keys.
  package static func add(_ row: DeviationTable.Row, to json: inout JSONWriter) {
    json.add("compass", row.compassHeading.degrees, decimals: 0)
    json.add("deviation", row.before.degrees, decimals: 2)
    json.add("left", row.after?.degrees, decimals: 2)
    json.add("sigma", row.sigma?.degrees, decimals: 2)
  }

  /// The answer to a request for the card; without one it has no rows and says why.
  static func object(_ card: Result<DeviationCard, DeviationReader.Absence>, at now: UTCTime?)
    -> [UInt8]
  {
    JSONWriter.record(at: now) { json in
      switch card {
      case .failure(let absence):
        json.add("rows", object: Array("[]".utf8))
        json.add("reason", absence.reason)
      case .success(let card):
        json.add("origin", card.origin.rawValue)
        json.add("made", card.made)
        json.add("age", now.map { max(0, $0.seconds(since: card.made)) }, decimals: 0)
        json.add("coverage", card.coverage.degrees, decimals: 0)
        json.add("legs", card.legs)
        json.add("sigma", card.sigma?.degrees, decimals: 2)
        json.add("rows", object: rows(card.table))
      }
    }
  }

  private static func rows(_ table: DeviationTable) -> [UInt8] {
    var bytes: [UInt8] = []
    for row in table.rows {
      bytes.append(UInt8(ascii: bytes.isEmpty ? "[" : ","))
      bytes += JSONWriter.object { add(row, to: &$0) }
    }
    bytes.append(UInt8(ascii: "]"))
    return bytes
  }
}
