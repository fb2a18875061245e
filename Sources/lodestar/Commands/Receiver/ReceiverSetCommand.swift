import ArgumentParser
import JSON
import LinuxIO
import Quantities
import ReceiverProtocols

/// `lodestar receiver set`: sets a receiver by options and the board file.
struct ReceiverSetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Set a receiver, and print what it did with each setting.",
    discussion: """
      Without options the settings of the board file are used; with options those alone, or both where --board names a \
      file. They are lost with the receiver's power unless --save is given. What they replace is kept for 'lodestar \
      receiver revert'.

      \(ReceiverCommand.statuses)
      """)

  @OptionGroup var options: ReceiverOptions

  @Option(help: ArgumentHelp("Solutions a second.", valueName: "hertz"))
  var rate: String?

  @Option(
    help: ArgumentHelp(
      "The motion: \(UBXDynamicModel.allCases.map(\.word).joined(separator: ", ")).",
      valueName: "model"))
  var model: String?

  @Option(help: ArgumentHelp("The protocols of the output: nmea, ubx, both.", valueName: "kind"))
  var messages: String?

  @Option(
    help: ArgumentHelp(
      "The NMEA sentences of the output, such as GGA,RMC,GSA,GSV; others are switched off.",
      valueName: "list"))
  var sentences: String?

  @Option(
    help: ArgumentHelp(
      "The satellite systems: \(Constellation.allCases.map(\.word).joined(separator: ", ")).",
      valueName: "list"))
  var systems: String?

  @Option(
    help: ArgumentHelp(
      "The elevation below which satellites are not used, degrees.", valueName: "degrees"))
  var elevationMask: String?

  @Option(
    help: ArgumentHelp(
      "A base station: survey,SECONDS[,METRES] or fixed,LATITUDE,LONGITUDE,HEIGHT (above the ellipsoid), moving or no.",
      valueName: "base"))
  var base: String?

  @Option(
    help: ArgumentHelp("The heading of two antennas: on or off.", valueName: "state"))
  var twoAntennas: String?

  @Option(
    help: ArgumentHelp(
      "The baud rate to set; it is proved, else the old one is kept.", valueName: "baud"))
  var setBaud: String?

  @Flag(help: "Save the settings in the receiver.")
  var save = false

  private var texts: [(option: String, property: ReceiverProperty, text: String?)] {
    [
      ("--rate", .rate, rate), ("--model", .model, model), ("--messages", .messages, messages),
      ("--sentences", .sentences, sentences), ("--systems", .systems, systems),
      ("--elevation-mask", .mask, elevationMask), ("--base", .base, base),
      ("--two-antennas", .heading, twoAntennas), ("--set-baud", .baud, setBaud),
    ]
  }

  func validate() throws { _ = try values() }

  private func values() throws -> [ReceiverValue] {
    try texts.compactMap { option, property, text in
      guard let text else { return nil }
      guard let value = ReceiverValue(property, text: text) else {
        throw ValidationError("\(option) '\(text)': expected \(property.expected)")
      }
      if case .baud(let baud) = value { try ReceiverOptions.check(option, baud: baud) }
      return value
    }
  }

  func run() throws {
    let values = try values()
    let configured = try options.configured()
    var settings = ReceiverSettings()
    if options.board != nil || values.isEmpty, let setUp = configured?.setUp {
      settings = setUp.settings
    }
    for value in values { settings.set(value) }
    settings.isSaved = save
    guard !settings.values.isEmpty else {
      throw Failure.usage(
        "nothing to set: give an option, such as --rate 5, or write settings into the board file")
    }
    let connection = try ReceiverConnection(options, configured)
    let setup = try connection.run(.apply, settings, earlier: try connection.stored())
    try write(setup, settings, connection)
    let report = setup.report
    let isComplete =
      settings.values.allSatisfy { report.outcome(of: $0.property)?.isSet == true }
      && report.saved != .nowhere
    if !isComplete { throw ExitCode(ExitStatus.failure.rawValue) }
  }

  private func write(
    _ setup: ReceiverSetup, _ settings: ReceiverSettings, _ connection: ReceiverConnection
  ) throws {
    let report = setup.report
    func outcome(_ value: ReceiverValue) -> ReceiverSetupReport.Outcome {
      report.outcome(of: value.property) ?? .noAnswer
    }
    let out = OutputStream()
    switch options.format {
    case .text:
      try out.line("receiver: \(setup.identity?.text ?? "unknown")")
      for value in settings.values {
        try out.line(
          "\(value.property.title) \(value.textWithUnit): \(outcome(value).text)")
      }
      if let saved = report.saved { try out.line(ReceiverText.text(saved)) }
    case .json:
      try out.line(
        JSONWriter.record(at: SystemClock.civilTime) { json in
          ReceiverText.describe(setup, connection, &json)
          json.add("settings", settings.values) { value, json in
            json.add("property", value.property.rawValue)
            json.add("value", value.text)
            json.add("isSet", outcome(value).isSet)
            json.add("result", outcome(value).text)
          }
          json.add("saved", report.saved.map(ReceiverText.text))
        })
    }
    try out.flush()
  }
}
