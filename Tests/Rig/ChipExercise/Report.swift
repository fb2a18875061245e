#if canImport(Glibc)
  import Glibc
#endif

/// One row of the table.
struct Row {
  var chip: String
  var driver = "-"
  var isBound = false
  var patterns = 0
  var mismatches = 0
  var compared: String

  /// Counts a comparison that failed, and says the first few.
  mutating func check(_ isEqual: Bool, _ what: @autoclosure () -> String) {
    if isEqual { return }
    mismatches += 1
    if mismatches <= 5 { say("  \(chip): \(what())") }
  }
}

/// Prints a line at once: the board's console is watched.
func say(_ line: String) {
  print(line)
  fflush(nil)
}

/// Prints the table.
func show(_ rows: [Row]) {
  print("chip | kernel driver | bound | patterns | mismatches | compared")
  print("--- | --- | --- | --- | --- | ---")
  for row in rows {
    print(
      "\(row.chip) | \(row.driver) | \(row.isBound ? "yes" : "no") | \(row.patterns) |",
      "\(row.mismatches) | \(row.compared)")
  }
}
