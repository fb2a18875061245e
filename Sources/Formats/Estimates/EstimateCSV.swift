import Quantities

/// Estimates as CSV: a column for each value of the estimate's message, by its name; an empty cell
/// is unknown.
package enum EstimateCSV {
  /// The first line: `time` (ISO 8601), `t` (seconds on the recording's clock), and the values.
  package static let header =
    (["time", "t"] + EstimateMessage.columns + ["simulated"]).joined(separator: ",")

  /// Appends a row, without the end of the line.
  package static func append(_ estimate: Estimate, to bytes: inout [UInt8]) {
    let message = EstimateMessage(estimate, nanoseconds: 0)
    if let utc = estimate.utc { bytes.append(contentsOf: utc.recordText.utf8) }
    bytes.append(UInt8(ascii: ","))
    bytes.append(estimate.timestamp.seconds, decimals: 9)
    for value in message.values {
      bytes.append(UInt8(ascii: ","))
      if !value.isNaN { bytes.append(contentsOf: value.description.utf8) }
    }
    for word in message.words {
      bytes.append(UInt8(ascii: ","))
      bytes.append(contentsOf: word.utf8)
    }
    bytes.append(contentsOf: message.isSimulated ? ",true".utf8 : ",false".utf8)
  }
}
