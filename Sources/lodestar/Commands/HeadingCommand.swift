import ArgumentParser
import Terminal

/// `lodestar heading`: a compass at a terminal, lines elsewhere.
struct HeadingCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "heading",
    abstract: "Stream heading, attitude and place; at a terminal, draw a compass.",
    discussion: """
      At a terminal, --format text without --count or --rate draws the compass; q ends it. Otherwise it \
      writes one line for each estimate, ten a second unless --rate is given.
      """)

  /// How long a notice is shown on the screen, seconds.
  private static let noticeDuration = 20.0

  @OptionGroup var source: SourceOptions

  mutating func run() throws {
    let stream = try source.open(isAboutPlace: false)
    defer { stream.stop() }
    let status = stream.player.flatMap { player in
      source.status ? StatusLines(player, isJSON: source.format == .json) : nil
    }
    defer { status?.stop() }
    let capability = TerminalCapability.current
    let wantsCompass = source.format == .text && source.count == nil && source.rate == nil
    if wantsCompass, TerminalSession.isInteractive, capability.addressesCursor {
      try SensorCheck(
        replay: source.replay, isAboutPlace: false, isEitherEnough: false
      ).run(stream)
      // The daemon sends estimates only to observers.
      let observation = stream.publisher.observe { _ in }
      defer { observation.cancel() }
      stream.start()
      var display = CompassDisplay(capability: capability)
      do {
        try StandardError.drawing {
          try display.run(
            isOver: { stream.end != nil },
            notice: {
              stream.connectionFault ?? StandardError.newest(within: Self.noticeDuration)
            }, latest: { stream.publisher.latest })
        }
      } catch {
        throw Failure.output("\(error)")
      }
      if case .fault(let error) = stream.end { throw Failure.input("\(error)") }
      return
    }
    let line = PlainLine(
      isASCII: capability.glyphs == .ascii, width: TerminalSession.outputWidth)
    try EstimateStream(options: source, line: line, isAboutPlace: false).run(stream)
  }
}
