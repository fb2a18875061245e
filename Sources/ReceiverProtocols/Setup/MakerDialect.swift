import Quantities

/// A command in a maker's language.
struct DialectCommand: Equatable, Sendable {
  /// How the receiver answers it.
  enum Answer: Equatable, Sendable {
    /// By the value that is asked for.
    case value
    /// By an acknowledgement and any number of lines.
    case lines
    /// By an acknowledgement.
    case acknowledgement
    /// Not at all, or by a restart: the time to wait, nanoseconds.
    case none(wait: UInt64)
  }

  /// The whole frame.
  var bytes: [UInt8]
  /// What an answer names as its command.
  var key: [UInt8]
  /// How it is answered.
  var answer = Answer.acknowledgement
  /// True where a refusal does not matter: the receiver lacks what would be switched off.
  var isOptional = false

  /// A sentence: `$`, the text, `*` and its checksum.
  init(sentence text: String, key: String, _ answer: Answer = .acknowledgement) {
    let body = Array(text.utf8)
    let sum = body.reduce(UInt8(0)) { $0 ^ $1 }
    let digits = Array("0123456789ABCDEF".utf8)
    bytes = [UInt8(ascii: "$")] + body
    bytes += [UInt8(ascii: "*"), digits[Int(sum >> 4)], digits[Int(sum & 15)], 13, 10]
    self.key = Array(key.utf8)
    self.answer = answer
  }

  /// A frame in binary.
  init(bytes: [UInt8], key: [UInt8], _ answer: Answer = .acknowledgement) {
    (self.bytes, self.key, self.answer) = (bytes, key, answer)
  }

  /// This command, whose refusal is not a failure.
  var optional: DialectCommand {
    var command = self
    command.isOptional = true
    return command
  }
}

/// An answer of a receiver, in the same terms for every maker.
enum SetupReply: Equatable, Sendable {
  /// The command was taken.
  case acknowledged([UInt8])
  /// The command was refused, and why.
  case refused([UInt8], String)
  /// The value that a query asks for has come.
  case answered([UInt8])
}

/// The values that a receiver has reported.
struct SetupValues: Equatable, Sendable {
  private(set) var all: [ReceiverValue] = []

  init() {}

  subscript(property: ReceiverProperty) -> ReceiverValue? { all.first { $0.property == property } }

  mutating func set(_ value: ReceiverValue) {
    all.removeAll { $0.property == value.property }
    all.append(value)
  }

  mutating func remove(_ property: ReceiverProperty) { all.removeAll { $0.property == property } }
}

/// The output of a receiver as it is observed, for makers whose settings of it cannot be asked.
struct OutputObservation: Equatable, Sendable {
  private var counts = [Int](repeating: 0, count: OutputSentence.allCases.count)
  /// The sentence that is counted once a solution.
  private var counter: OutputSentence?
  private var epochs = 0
  /// The arrivals of the first and the last solution.
  private var first: Timestamp?
  private var last: Timestamp?
  /// The last solution's time of day.
  private var time: TimeOfDay?
  /// Nanoseconds between solutions, by the receiver's clock.
  private var intervals: [Int64] = []
  /// True where a heading of two antennas has come.
  private(set) var hasHeading = false
  /// What is requested, in place of what was observed.
  var plannedRateHertz: Double?
  var plannedSentences: [OutputSentence]?

  init() {}

  /// The sentences that have come, or are requested.
  var sentences: [OutputSentence] {
    if let plannedSentences { return plannedSentences }
    return OutputSentence.allCases.enumerated().filter { counts[$0.offset] > 0 }.map { $0.element }
  }

  /// Solutions a second: by their times where they have some, which neither a lost sentence nor a
  /// late arrival changes; else by the arrivals. Nil for fewer than three solutions.
  var rateHertz: Double? {
    if let plannedRateHertz { return plannedRateHertz }
    if intervals.count >= 2 {
      return 1e9 / Double(intervals.sorted()[(intervals.count - 1) / 2])
    }
    guard let first, let last, epochs >= 3 else { return nil }
    let seconds = last.seconds(since: first)
    return seconds > 0 ? Double(epochs - 1) / seconds : nil
  }

  mutating func add(_ line: SetupLine, at now: Timestamp) {
    let fields = line.fields
    if !line.isSentence {
      if fields[0].matches("UNIHEADINGA") { hasHeading = true }
      return
    }
    guard fields[0].bytes.count == 5 else { return }
    let formatter = SetupField(fields[0].bytes.dropFirst(2))
    if formatter.matches("HPR") { hasHeading = true }
    for (index, sentence) in OutputSentence.allCases.enumerated()
    where formatter.bytes.elementsEqual(sentence.rawValue.utf8) {
      counts[index] += 1
      // GGA, RMC, GNS and GLL come once a solution; the first of them that comes is counted.
      guard counter == nil || counter == sentence else { return }
      guard [.gga, .rmc, .gns, .gll].contains(sentence) else { return }
      counter = sentence
      let place = sentence == .gll ? 5 : 1
      if place < fields.count, let new = fields[place].timeOfDay {
        // The same sentence with another talker has the same time.
        if let time, new.isLater(than: time) { intervals.append(new.nanoseconds(since: time)) }
        time = new
      }
      epochs += 1
      if first == nil { first = now }
      last = now
    }
  }
}

/// The commands and answers of one maker: pure, values in and bytes out.
protocol MakerDialect: Sendable {
  /// The values read so far.
  var values: SetupValues { get }
  /// Reads a frame; nil where it is no answer.
  mutating func receive(_ frame: SetupFrameReader.Frame) -> SetupReply?
  /// Why a value cannot be set; nil where it can.
  func obstacle(to value: ReceiverValue, isSaved: Bool) -> String?
  /// The queries for a property; none where it cannot be asked.
  func queries(for property: ReceiverProperty) -> [DialectCommand]
  /// True where a property is read from the output.
  func observes(_ property: ReceiverProperty) -> Bool
  /// The commands that set a value in RAM.
  func commands(for value: ReceiverValue, _ output: OutputObservation) -> [DialectCommand]
  /// A query that any receiver of the maker answers.
  var question: DialectCommand { get }
  /// The commands that save the settings in use; none where the maker has none.
  var saving: [DialectCommand] { get }
  /// The commands of a restart after saving; none where nothing needs it.
  var restart: [DialectCommand] { get }
  /// True where a new baud rate has an effect only after saving and a restart.
  var changesBaudAtRestart: Bool { get }
  /// True where a property has an effect only after saving and a restart.
  func needsRestart(_ property: ReceiverProperty) -> Bool
  /// The commands that restore the maker's defaults.
  var factoryDefaults: [DialectCommand] { get }
}

extension MakerDialect {
  func observes(_ property: ReceiverProperty) -> Bool { false }
  var restart: [DialectCommand] { [] }
  var changesBaudAtRestart: Bool { false }
  func needsRestart(_ property: ReceiverProperty) -> Bool { false }

  /// The text of a value that a maker's receivers lack.
  func lacking(_ value: ReceiverValue) -> String {
    "\(value.property.title) '\(value.text)' does not exist on this receiver"
  }
}
