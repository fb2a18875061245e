import EarthModel
import Formats
import HostProtocol
import LinuxIO
import LocationHost
import Quantities

/// Where an axis of the board points, for programs of telescopes and antennas: one protocol at a
/// port.
struct PointingService: StreamService {
  let name: String
  let application = "pointing"
  let option: String
  private let settings: PointingSettings
  private let context: ServerContext
  private let makeDialect: @Sendable () -> any PointingDialect

  /// Makes the server of a protocol; nil without a port.
  static func server(
    _ name: String, _ option: String, _ port: Int?, _ settings: PointingSettings,
    _ context: ServerContext, _ makeDialect: @escaping @Sendable () -> any PointingDialect
  ) throws(ServerFault) -> StreamServer? {
    let service = PointingService(
      name: name, option: option, settings: settings, context: context, makeDialect: makeDialect)
    return try StreamServer(
      service, at: StreamAddress(host: settings.host, port: port), context)
  }

  func session(_ client: StreamClient) -> any StreamSession {
    let mayAlign =
      switch settings.aligners {
      case .off: false
      case .local: Loopback.contains(client.host)
      case .network: true
      }
    return PointingSession(
      dialect: makeDialect(),
      board: PointedBoard(settings, option: option, mayAlign: mayAlign, context))
  }
}

/// What a client of one protocol asks about the board.
struct PointedBoard {
  /// The age of an estimate that is current, seconds.
  private static let lifetime = 2.0

  let mayAlign: Bool
  private let settings: PointingSettings
  private let option: String
  private let context: ServerContext
  private var newest: (estimate: Estimate, arrival: Timestamp)?

  init(
    _ settings: PointingSettings, option: String, mayAlign: Bool, _ context: ServerContext
  ) {
    (self.settings, self.option, self.mayAlign) = (settings, option, mayAlign)
    self.context = context
  }

  mutating func set(_ estimate: Estimate?) { newest = estimate.map { ($0, MonotonicClock.now) } }

  /// The newest estimate; nil where none is current.
  var estimate: Estimate? {
    guard let newest, MonotonicClock.now.seconds(since: newest.arrival) < Self.lifetime else {
      return nil
    }
    return newest.estimate
  }

  private var report: PointingReport {
    PointingReport(
      axis: settings.axis, hasRefraction: settings.hasRefraction,
      alignment: context.alignment.alignment(of: settings.axis))
  }

  var isAligned: Bool { report.alignment != PointingAlignment() }

  var direction: HorizontalDirection? { counted(estimate.flatMap(report.direction)) }
  var ofDate: EquatorialDirection? { counted(estimate.flatMap(report.ofDate)) }
  var j2000: EquatorialDirection? { counted(estimate.flatMap(report.j2000)) }
  var sky: Sky? { estimate.flatMap(PointingReport.sky) }

  /// Counts a direction that is sent, or is not known.
  private func counted<Direction>(_ direction: Direction?) -> Direction? {
    context.outputs.add(option, isSent: direction != nil)
    return direction
  }

  /// False for a simulation, whose alignment is not that of the real board.
  private var isMeasured: Bool { estimate?.isSimulated != true }

  /// Aligns on a star by the equinox of the date.
  /// - Returns: Why not; nil if the board is aligned.
  func align(on star: EquatorialDirection) -> String? {
    guard mayAlign else { return "not permitted by pointing-align" }
    guard let alignment = estimate.flatMap({ report.alignment(on: star, $0) }) else {
      return "direction, place or time unknown"
    }
    context.alignment.set(alignment, of: settings.axis, isStored: isMeasured)
    return nil
  }

  /// Removes the alignment.
  /// - Returns: Whether the client may.
  func removeAlignment() -> Bool {
    if mayAlign { context.alignment.set(nil, of: settings.axis, isStored: isMeasured) }
    return mayAlign
  }
}

/// One protocol: how requests are answered, and what is sent unasked.
protocol PointingDialect: Sendable {
  /// Removes the first request of the input and answers it; nil while it is incomplete.
  mutating func answer(_ input: inout [UInt8], _ board: PointedBoard) -> PointingAnswer?
  /// What is sent at a new estimate, and each second.
  mutating func report(_ board: PointedBoard) -> PointingAnswer
}

extension PointingDialect {
  mutating func report(_ board: PointedBoard) -> PointingAnswer { .none }
}

/// An answer to a request.
enum PointingAnswer: Equatable {
  case text([UInt8])
  /// The connection ends.
  case end

  static var none: PointingAnswer { .text([]) }
  static func text(_ text: String) -> PointingAnswer { .text(Array(text.utf8)) }
}

/// A connection of one protocol.
private struct PointingSession: StreamSession {
  /// Limit of the unanswered input, bytes.
  private static let mostInput = 512
  /// Limit of the requests that are answered before their output is written.
  private static let mostAnswers = 64
  /// How long the first requests wait for the first estimate, seconds; the source may have rested.
  private static let firstEstimate = 1.5

  let needs: HostNeeds = .estimates
  private var dialect: any PointingDialect
  private var board: PointedBoard
  private var input: [UInt8] = []
  private let begin = MonotonicClock.now
  private var hasEstimate = false
  private var hasEnded = false
  private(set) var isStalled = false

  init(dialect: any PointingDialect, board: PointedBoard) {
    (self.dialect, self.board) = (dialect, board)
  }

  var isReading: Bool { !isStalled && input.count < Self.mostInput }

  mutating func receive(
    _ bytes: ArraySlice<UInt8>, _ state: StreamState
  ) throws(StreamRefusal) -> [UInt8] {
    input += bytes
    let output = answers()
    return try limited(output)
  }

  /// - Throws: Where the input is full without a whole request: no more is read.
  private func limited(_ output: [UInt8]) throws(StreamRefusal) -> [UInt8] {
    if isReady, !isStalled, input.count >= Self.mostInput {
      throw StreamRefusal(
        output: output, reason: "a request has more than \(Self.mostInput) bytes")
    }
    return output
  }

  mutating func output(for update: StreamUpdate) -> [UInt8] {
    switch update.content {
    case .estimate(let estimate):
      board.set(estimate)
      if !update.awaitsPlace { hasEstimate = true }
      return answers() + report()
    case .access: board.set(nil)
    case .samples, .receiver, .source, .fix: break
    }
    return []
  }

  mutating func advance(_ traffic: StreamTraffic) throws(StreamRefusal) -> [UInt8] {
    let output = answers()
    return try limited(output) + report()
  }

  func end(_ traffic: StreamTraffic) -> StreamEnd? {
    if hasEnded { return StreamEnd(note: nil) }
    return traffic.waitingBytes > Self.mostWaiting ? .disconnected("it does not read") : nil
  }

  private var isReady: Bool {
    hasEstimate || MonotonicClock.now.seconds(since: begin) >= Self.firstEstimate
  }

  private mutating func report() -> [UInt8] {
    switch dialect.report(board) {
    case .text(let text): return text
    case .end:
      hasEnded = true
      return []
    }
  }

  /// The answers to the requests that have arrived.
  private mutating func answers() -> [UInt8] {
    isStalled = false
    guard isReady, !input.isEmpty, !hasEnded else { return [] }
    var output: [UInt8] = []
    for _ in 0..<Self.mostAnswers {
      switch dialect.answer(&input, board) {
      case .text(let text): output += text
      case .end:
        hasEnded = true
        return output
      case nil: return output
      }
    }
    isStalled = true
    return output
  }
}
