import ArgumentParser
import Terminal

/// `lodestar location`: one line for each fix.
struct LocationCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "location",
    abstract: "Stream positions, one line for each fix.")

  @OptionGroup var source: SourceOptions

  mutating func run() throws {
    let stream = try source.open(isAboutPlace: true)
    defer { stream.stop() }
    let status = stream.player.flatMap { player in
      source.status ? StatusLines(player, isJSON: source.format == .json) : nil
    }
    defer { status?.stop() }
    let line = PlainLine(
      isASCII: TerminalCapability.current.glyphs == .ascii, width: TerminalSession.outputWidth)
    try EstimateStream(options: source, line: line, isAboutPlace: true).run(stream)
  }
}
