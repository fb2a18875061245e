import ReceiverProtocols

/// True for fields of the other decoder that are not decoded here: the layout's version, rounding
/// that is included in the time, fields for u-blox only, and single pins.
func isLeftOut(_ name: String) -> Bool {
  ["version", "msgSource", "mapMatching"].contains(name) || name.hasPrefix("VP_")
    // The frequency number is sent for systems without one too.
    || name.hasPrefix("freqId_")
    || name.hasPrefix("swVersion") || name.hasPrefix("hwVersion") || name.hasPrefix("extension_")
}

/// The differences between a frame as decoded here and `name=value,…` of another decoder.
///
/// With `isWhole` every field must be present; else those whose validity flag is not set may be
/// missing.
func differences(_ frame: [UInt8], _ values: String, isWhole: Bool) -> [String] {
  var wanted: [String: Double] = [:]
  for pair in values.split(separator: ",") {
    let parts = pair.split(separator: "=", maxSplits: 1)
    if parts.count == 2, let number = Double(parts[1]) { wanted[String(parts[0])] = number }
  }
  // The decoder maps 5, 6 and 7 to one quality.
  for (name, value) in wanted where name.hasPrefix("qualityInd") { wanted[name] = min(value, 5) }
  let outcome = decodeUBX(frame) { FieldValues($0, nano: wanted["nano"]).numbers }
  guard let decoded = outcome.value else { return ["not decoded: \(outcome)"] }
  var found: [String] = []
  for (name, value) in wanted.sorted(by: { $0.key < $1.key }) where !isLeftOut(name) {
    if let own = decoded[name] {
      if abs(own - value) > 1e-8 * max(1, abs(value)) {
        found.append("\(name): \(own), not \(value)")
      }
    } else if isWhole {
      found.append("\(name) is missing")
    }
  }
  for name in decoded.keys where wanted[name] == nil {
    found.append("\(name) is not in the other decoder's output")
  }
  return found
}
