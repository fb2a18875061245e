import JSON
import LinuxIO
import ReceiverProtocols

/// The output of a command whose result is one sentence.
enum ReceiverOutcomeText {
  static func write(
    _ setup: ReceiverSetup, _ connection: ReceiverConnection, _ format: ReceiverOptions.Format,
    result: String
  ) throws(Failure) {
    let out = OutputStream()
    switch format {
    case .text:
      try out.line("receiver: \(setup.identity?.text ?? "unknown")")
      try out.line(result)
    case .json:
      try out.line(
        JSONWriter.record(at: SystemClock.civilTime) { json in
          ReceiverText.describe(setup, connection, &json)
          json.add("result", result)
        })
    }
    try out.flush()
  }
}
