import Doctor
import Quantities
import ReceiverProtocols

/// The receiver and its line.
enum ReceiverRule {
  /// Sentences from which on a line is readable: one may pass its checksum by chance, once in 256
  /// damaged ones.
  private static let fewestSentences = 3

  static func findings(_ data: CheckData, _ outcome: inout CheckOutcome) -> [CheckFinding] {
    // A recording has the fixes, and may have the bytes of the receiver's line.
    if data.isRecording, data.receiverBytes == 0 { return noPosition(data, &outcome) }
    guard data.isRecording || data.board.receiver != nil else { return [] }
    let receiver = data.board.receiver
    let port = data.status.receiverPort ?? receiver?.port ?? "receiver"
    let counts = data.sentences
    let valid = counts.valid
    let rejected = counts.badChecksum + counts.cut + counts.tooLong + counts.malformed
    let epochs =
      data.isRecording
      ? data.rows.reduce(0) { $0 + ($1.hasFix ? 1 : 0) } : data.status.receiverEpochs
    outcome.add("epochs of the receiver", Double(epochs), 0, "")
    outcome.add("rejected sentences of the receiver", Double(rejected), 0, "")
    if let fault = data.status.receiverFault, epochs == 0 {
      return [
        CheckFinding(
          .receiverMute, on: port, "the receiver cannot be read", figure: fault,
          remedy: "check its power, and that its TX is wired to the board's RX")
      ]
    }
    if data.receiverBytes == 0, epochs == 0 {
      return [
        CheckFinding(
          .receiverMute, on: port, "the receiver sends nothing",
          figure: "no byte came",
          remedy:
            "check its power, and that its TX is wired to the board's RX; if it is right, name its port in the board file"
        )
      ]
    }
    if valid < fewestSentences, epochs == 0 {
      let speed =
        receiver?.baud.map { "\($0) baud of the board file is" } ?? "the detected speed is"
      return [
        CheckFinding(
          .wrongBaud, on: port, "the receiver sends, but at another speed than the port is read at",
          figure: "\(data.receiverBytes) bytes without a valid sentence",
          remedy:
            "\(speed) not the receiver's: set 'baud' under 'receiver' (usual: 9600, 38400, 115200), or leave it out"
        )
      ]
    }
    if valid > 0, Double(rejected) > LiveCheck.rejectedShare * Double(valid) {
      return [
        CheckFinding(
          .receiverErrors, on: port, "a part of the receiver's sentences is damaged",
          figure: "\(rejected) of \(valid + rejected)",
          remedy:
            "end other programs that read the port (sudo fuser -v \(data.isRecording ? "PORT" : port)); use a full UART "
            + "instead of the mini UART, and shorter wires")
      ]
    }
    return noPosition(data, &outcome)
  }

  private static func noPosition(
    _ data: CheckData, _ outcome: inout CheckOutcome
  ) -> [CheckFinding] {
    let hasReceiver = !data.isRecording || data.rows.contains { $0.hasFix }
    if hasReceiver, !data.rows.contains(where: { $0.fix?.position != nil }) {
      outcome.notes.append("the receiver had no position: it needs open sky, and up to a minute")
    }
    return []
  }
}
