import ArgumentParser
import JSON
import LinuxIO
import ReceiverProtocols

/// `lodestar receiver show`: asks a receiver what it is and how it is set.
struct ReceiverShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Ask a receiver what it is and how it is set.",
    discussion: "Changes nothing.\n\n\(ReceiverCommand.statuses)")

  @OptionGroup var options: ReceiverOptions

  func run() throws {
    let configured = try options.configured()
    let connection = try ReceiverConnection(options, configured)
    let setup = try connection.run(.read)
    let out = OutputStream()
    switch options.format {
    case .text:
      try out.line("receiver: \(setup.identity?.text ?? "unknown")")
      try out.line("maker: \(setup.identity?.maker.rawValue ?? "unknown")")
      try out.line("port: \(connection.path), \(connection.configurator.baud) baud")
      for property in ReceiverProperty.allCases where property != .baud {
        let value = setup.values.first { $0.property == property }
        try out.line("\(property.title): \(value?.textWithUnit ?? "not reported")")
      }
    case .json:
      try out.line(
        JSONWriter.record(at: SystemClock.civilTime) { json in
          ReceiverText.describe(setup, connection, &json)
          let settings = JSONWriter.object { json in
            for value in setup.values { ReceiverText.add(value, to: &json) }
          }
          json.add("settings", object: settings)
        })
    }
    try out.flush()
  }
}

/// The parts that the outputs of the receiver's commands share.
enum ReceiverText {
  /// Adds what the receiver is and where.
  static func describe(
    _ setup: ReceiverSetup, _ connection: ReceiverConnection, _ json: inout JSONWriter
  ) {
    json.add("port", connection.path)
    json.add("baud", connection.configurator.baud)
    json.add("maker", setup.identity?.maker.rawValue)
    json.add("model", setup.identity?.model)
    json.add("firmware", setup.identity?.firmware)
  }

  /// Adds a value under its property's name, as in the options of `set`.
  static func add(_ value: ReceiverValue, to json: inout JSONWriter) {
    switch value {
    case .rate(let hertz): json.add("rate", hertz, decimals: 3)
    case .mask(let degrees): json.add("elevationMask", degrees, decimals: 1)
    case .sentences(let sentences): json.add("sentences", sentences.map(\.rawValue))
    case .systems(let systems): json.add("systems", systems.map(\.word))
    case .heading(let isSent): json.add("twoAntennas", isSent)
    case .model: json.add("model", value.text)
    case .messages: json.add("messages", value.text)
    case .base: json.add("base", value.text)
    case .baud(let baud): json.add("baud", baud)
    }
  }

  /// Where settings were saved, in words.
  static func text(_ saved: UBXSetupReport.Saved) -> String {
    switch saved {
    case .flash: "saved in the receiver"
    case .batteryBacked: "saved in the receiver as long as its battery lasts"
    case .nowhere: "not saved: the receiver refuses it, or has no command for it"
    }
  }
}
