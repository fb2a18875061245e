import Formats
import Recording

/// Checks before the start that a source has the sensor for a command.
struct SensorCheck {
  /// The recording's path; nil for a board.
  let replay: String?
  /// True for fixes, false for headings.
  let isAboutPlace: Bool
  /// True for sentences, which have headings and fixes alike.
  let isEitherEnough: Bool

  /// Without the sensor the command would wait for ever: an error before the start is better.
  func run(_ source: StreamSource) throws(Failure) {
    if let replay { return try checkRecording(replay) }
    guard source.isKnown else { return }
    let player = source.publisher
    if isAboutPlace, !player.hasReceiver {
      throw .board(
        "no positions: this board has no receiver; add 'receiver: {port: …}' to its file")
    }
    guard !isAboutPlace, !player.hasMagnetometer, !player.hasCompass else { return }
    if isEitherEnough, player.hasReceiver { return }
    // A receiver may send headings of its own; the simulated one does not.
    guard player.hasReceiver, !player.isSimulated else {
      throw .board(
        "no headings: this board has no magnetometer; name one under 'sensors' in its file")
    }
    StandardError.say(
      "headings only from the receiver (HDT, HDG, THS, RELPOSNED): this board has no magnetometer; name one "
        + "under 'sensors' in the board file, or use 'lodestar location' for fixes")
  }

  /// Playing a recording takes its whole length: missing data is reported before.
  private func checkRecording(_ path: String) throws(Failure) {
    guard !ByteReader.isReadOnce(path: path) else { return }
    let isFound: Bool
    do {
      isFound = try OpenedRecording.contains(path: path) { row in
        let hasPlace = row.fix?.position != nil
        let hasHeading = row.field != nil || row.heading != nil
        return isAboutPlace ? hasPlace : hasHeading || isEitherEnough && hasPlace
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
