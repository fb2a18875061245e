import ArgumentParser
import Engine
import TerminalUI

/// `lodestar location`: one line a fix.
struct LocationCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "location",
    abstract: "Stream positions, one line a fix.")

  @OptionGroup var source: SourceOptions

  mutating func run() throws {
    let player = try source.open()
    defer { player.stop() }
    let status = source.status ? StatusLines(player, isJSON: source.format == .json) : nil
    defer { status?.stop() }
    let line = PlainLine(isASCII: TerminalCapability.current.glyphs == .ascii)
    try EstimateStream(options: source, line: line, isAboutPlace: true).run(player)
  }
}
