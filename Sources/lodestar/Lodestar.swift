import ArgumentParser

/// The one executable.
@main
struct Lodestar: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lodestar",
    abstract: "Heading, position and altitude for Linux single-board computers.",
    subcommands: [DecodeCommand.self])
}
