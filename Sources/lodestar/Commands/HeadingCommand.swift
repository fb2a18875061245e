import ArgumentParser
import Terminal

/// `lodestar heading`: a compass at a terminal, lines elsewhere.
struct HeadingCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "heading",
    abstract: "Stream heading, attitude and place; at a terminal, draw a compass.",
    discussion: """
      At a terminal, --format text without --count or --rate draws the compass; q ends it, h shows the \
      helm view. Otherwise it writes one line for each estimate, ten a second unless --rate is given.
      """)

  /// How long a notice is shown on the screen, seconds.
  private static let noticeDuration = 20.0

  @OptionGroup var source: SourceOptions

  @Flag(
    help: "The helm view: the heading as large as the terminal permits, and the turn to a course.")
  var helm = false

  @Option(
    help: ArgumentHelp(
      "The course to steer of the helm view, 0 to 360: 270 from magnetic north, 270T from true north.",
      valueName: "degrees"))
  var steer: SteerArgument?

  func validate() throws {
    guard helm || steer != nil, !wantsCompass else { return }
    throw ValidationError(
      "\(helm ? "--helm" : "--steer") needs the screen; remove --format, --count and --rate")
  }

  private var wantsCompass: Bool {
    source.format == .text && source.count == nil && source.rate == nil
  }

  mutating func run() throws {
    let isHelm = helm || steer != nil
    if isHelm, !TerminalSession.isInteractive || !TerminalCapability.current.addressesCursor {
      throw Failure.usage(
        "the helm view needs a terminal that places its text; run it without a pipe, or in a browser: "
          + "lodestar serve and its page with #helm")
    }
    let stream = try source.open(isAboutPlace: false)
    defer { stream.stop() }
    let status = stream.player.flatMap { player in
      source.status ? StatusLines(player, isJSON: source.format == .json) : nil
    }
    defer { status?.stop() }
    let capability = TerminalCapability.current
    if wantsCompass, TerminalSession.isInteractive, capability.addressesCursor {
      try SensorCheck(
        replay: source.replay, isAboutPlace: false, isEitherEnough: false
      ).run(stream)
      // The daemon sends estimates only to observers.
      let observation = stream.publisher.observe { _ in }
      defer { observation.cancel() }
      stream.start()
      var display = CompassDisplay(capability: capability)
      if isHelm { display.screen.view = .helm }
      display.screen.course = steer?.course
      display.screen.north = steer?.course.north ?? .magnetic
      do {
        try StandardError.drawing {
          try display.run(
            isOver: { stream.end != nil },
            notice: {
              stream.connectionFault ?? stream.sourceFault
                ?? StandardError.newest(within: Self.noticeDuration)
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

/// A course to steer on the command line.
struct SteerArgument: ExpressibleByArgument {
  let course: CourseToSteer

  init?(argument: String) {
    guard let course = CourseToSteer(argument) else {
      RefusedValue.explain("expected 0 to 360 degrees, with T from true north, such as 270 or 270T")
      return nil
    }
    self.course = course
  }
}
