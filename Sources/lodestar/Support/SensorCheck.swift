import Engine
import Recording

/// Checks before the start that a source can give what a command is about.
struct SensorCheck {
  /// The recording's path; nil for a board.
  let replay: String?
  /// True for fixes, false for headings.
  let isAboutPlace: Bool

  /// Without the sensor no line would ever come: that is an error before the start, not a silent wait.
  func run(_ source: StreamSource) throws(Failure) {
    if let replay { return try checkRecording(replay) }
    guard source.isKnown else { return }
    let player = source.publisher
    if isAboutPlace, !player.hasReceiver {
      throw .board("this board has no receiver, so no place; give its file 'receiver: {port: …}'")
    }
    guard !isAboutPlace, !player.hasMagnetometer else { return }
    // A receiver may send the heading of a compass of its own; the simulated one has none.
    guard player.hasReceiver, !player.isSimulated else {
      throw .board(
        "this board has no magnetometer, so no heading; name one under 'sensors' in its file")
    }
    StandardError.say(
      "this board has no magnetometer: a heading comes only where the receiver sends one of its own (HDT, "
        + "HDG, THS, RELPOSNED); name a magnetometer under 'sensors' in the board file, or use 'lodestar "
        + "location' for fixes")
  }

  /// Playing a recording takes as long as it lasted: what it cannot give is reported before.
  private func checkRecording(_ path: String) throws(Failure) {
    guard !ByteReader.isReadOnce(path: path) else { return }
    let isFound: Bool
    do {
      isFound = try OpenedRecording.contains(path: path) { row in
        isAboutPlace ? row.fix?.position != nil : row.field != nil || row.heading != nil
      }
    } catch {
      throw .input("\(error)")
    }
    guard !isFound else { return }
    let isCSV = path.lowercased().hasSuffix(".csv")
    if isAboutPlace {
      throw .input(
        "\(path): no fix in this recording: "
          + (isCSV ? "no row has lat and lon" : "no epoch of the receiver has a position"))
    }
    throw .input(
      "\(path): no heading in this recording: "
        + (isCSV
          ? "no row has mx, my and mz"
          : "the receiver sent none (HDT, HDG, THS, RELPOSNED); use 'lodestar location --replay' for its "
            + "fixes"))
  }
}
