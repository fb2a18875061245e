import ArgumentParser
import CalibrationFit
import Formats
import LinuxIO
import Pipeline
import Quantities
import Storage
import Terminal

/// `lodestar calibrate swing`: a deviation table from known headings.
struct CalibrateSwingCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "swing",
    abstract: "Make a deviation table from known headings, entered by hand.",
    discussion: """
      Each line is 'KNOWN COMPASS': the magnetic heading known from a bearing, and the compass heading, in \
      degrees; eight headings around the circle are recommended, five are needed. An empty line or the end \
      of the input ends the entry; 'undo' removes the last line.
      """)

  @Argument(
    help: "A file of such lines; standard input by default or for -.", completion: .file())
  var file: String?

  @OptionGroup var archive: ArchiveOptions

  @Flag(help: "Store the curve with the board's calibration: headings are then corrected by it.")
  var keep = false

  @Option(help: "Lines of text, or one JSON object for each row.")
  var format: CalibrateFitCommand.SummaryFormat = .text

  func run() throws {
    var swing = CompassSwing()
    if let file, file != "-" {
      let bytes: [UInt8]
      do {
        bytes = try LinuxFiles().content(of: file)
      } catch {
        throw Failure.input("\(file): cannot be read: \(error.reason)")
      }
      let lines = String(decoding: bytes, as: UTF8.self).split(
        separator: "\n", omittingEmptySubsequences: false)
      for (n, line) in lines.enumerated() where !line.allSatisfy(\.isWhitespace) {
        do { try enter(line, into: &swing) } catch {
          throw Failure.input("\(file):\(n + 1): \(error)")
        }
      }
    } else {
      try ask(&swing)
    }
    let result: SwingResult
    do { result = try swing.fit() } catch { throw Failure.input("\(error)") }
    for suspect in result.suspects { StandardError.say("\(suspect)") }
    guard let table = result.table else { throw Failure.input("\(CompassSwingError.notSolvable)") }
    let target = try keep ? archive.archive() : nil
    var text = DeviationText(table)
    if let target {
      let old = try target.current().stored?.profile.deviation.flatMap { DeviationCard($0) }
      text = DeviationText(table, replaces: .some(old))
    }
    let out = OutputStream()
    switch format {
    case .text:
      for line in text.lines { try out.line(line) }
      try out.line(
        "residual of the entries: \(OutcomeText.rounded(result.residual.degrees, 1)) degrees")
    case .json:
      for line in text.objects(made: SystemClock.civilTime) { try out.line(line) }
    }
    try out.close()
    if let target { try keep(table.coefficients, in: target) }
  }

  private func keep(_ coefficients: DeviationCoefficients, in target: CalibrationStore) throws {
    guard let now = DateArgument.now?.utc else {
      throw Failure.input("not stored: the clock is not set")
    }
    let deviation = StoredDeviation(swing: coefficients, made: now)
    try target.keep { $0.deviation = deviation }
    archive.warnOfDaemon(target)
  }

  private func ask(_ swing: inout CompassSwing) throws {
    let isTerminal = StandardStream.input.isTerminal
    while true {
      if isTerminal {
        let next = Int(bounded: swing.suggestedHeading.degrees.rounded())
        let hint = swing.entries.isEmpty ? "any heading" : "best near \(next)"
        StandardError.put("\(swing.entries.count) entered; KNOWN COMPASS (\(hint)), empty to end:")
      }
      guard let line = StandardStream.inputLine(), !line.allSatisfy(\.isWhitespace) else { return }
      do { try enter(Substring(line), into: &swing) } catch {
        guard isTerminal else { throw Failure.input("line \(swing.entries.count + 1): \(error)") }
        StandardError.say("\(error)")
      }
    }
  }

  private func enter(_ line: Substring, into swing: inout CompassSwing) throws {
    let words = line.split { $0.isWhitespace || $0 == "," }
    if words == ["undo"] {
      swing.remove(at: swing.entries.count - 1)
      return
    }
    let numbers = words.compactMap { Double($0) }.filter { (-360...360).contains($0) }
    guard words.count == 2, numbers.count == 2 else {
      throw Failure.input(
        "'\(line.prefix(40))': expected two headings in degrees, known and compass, such as 90 87.5"
      )
    }
    try swing.enter(Angle(degrees: numbers[0]), .heading(Angle(degrees: numbers[1])))
  }
}
