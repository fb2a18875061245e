import ReceiverProtocols

/// Fields that another decoder names and that are not carried here: the layout's version, rounding
/// that is taken in, what only u-blox can read, and single pins.
func isLeftOut(_ name: String) -> Bool {
  ["version", "msgSource", "mapMatching"].contains(name) || name.hasPrefix("VP_")
    // A frequency number of systems that have none.
    || name.hasPrefix("freqId_")
    || name.hasPrefix("swVersion") || name.hasPrefix("hwVersion") || name.hasPrefix("extension_")
}

/// What differs between a frame as decoded here and `name=value,…` as another decoder read it.
///
/// Where `isWhole`, every field must be there; else those whose validity flag is not set may lack.
func differences(_ frame: [UInt8], _ values: String, isWhole: Bool) -> [String] {
  var wanted: [String: Double] = [:]
  for pair in values.split(separator: ",") {
    let parts = pair.split(separator: "=", maxSplits: 1)
    if parts.count == 2, let number = Double(parts[1]) { wanted[String(parts[0])] = number }
  }
  // 5, 6 and 7 are one quality here.
  for (name, value) in wanted where name.hasPrefix("qualityInd") { wanted[name] = min(value, 5) }
  let outcome = decodeUBX(frame) { ToldFields($0, nano: wanted["nano"]).numbers }
  guard let told = outcome.value else { return ["not decoded: \(outcome)"] }
  var found: [String] = []
  for (name, value) in wanted.sorted(by: { $0.key < $1.key }) where !isLeftOut(name) {
    if let own = told[name] {
      if abs(own - value) > 1e-8 * max(1, abs(value)) {
        found.append("\(name): \(own), not \(value)")
      }
    } else if isWhole {
      found.append("\(name) lacks")
    }
  }
  for name in told.keys where wanted[name] == nil { found.append("\(name) is not theirs") }
  return found
}
