import Board
import Quantities
import ReceiverProtocols
import Simulation
import Testing

/// The set-up of a receiver that does not answer at first, by an advanced clock.
@Suite("A receiver's session", .timeLimit(.minutes(30)))
struct ReceiverSessionTests {
  private static let speed = 9600

  /// A session, the receiver at its line, and the clock.
  private struct Line {
    var session: ReceiverSession
    var receiver = EmulatedUBloxReceiver(.m9)
    var isPowered = false
    var now = Timestamp(nanoseconds: 1)
    var questions = 0
    var reports: [BoardStatus.ReceiverSetUp] = []

    init() {
      var settings = ReceiverSettings()
      settings.rateHertz = 5
      session = ReceiverSession(
        settings, path: "/dev/ttyS0", speed: speed, originals: ReceiverOriginals())
    }

    /// Does one step; false where there is nothing to do.
    @discardableResult
    mutating func step() -> Bool {
      var new: [BoardStatus.ReceiverSetUp] = []
      let step = session.next(at: now, speed: speed) { new.append($0) }
      reports += new
      switch step {
      case .rest: return false
      case .wait(let until): now = until
      case .changeSpeed: Issue.record("no other speed was requested")
      case .send(let bytes):
        questions += 1
        guard isPowered else { break }
        for answer in receiver.receive(bytes) {
          answer.bytes.withUnsafeBytes { session.receive($0, at: now) }
        }
      }
      return true
    }

    /// Runs until there is nothing to do.
    mutating func runToRest() { while step() {} }
  }

  @Test("asks one that does not answer three times, and again when its data has begun")
  func asksAgain() {
    var line = Line()
    _ = line.session.next(at: line.now, speed: Self.speed) { _ in }
    #expect(line.session.needsLine)
    line = Line()
    line.runToRest()
    #expect(line.reports.count == 1 && line.reports[0].receiver == nil)
    let first = line.questions
    line.runToRest()
    #expect(line.questions == first)

    // Its data, at intervals that are longer than a silence: once a minute starts that anew.
    let begin = line.now
    for seconds in stride(from: 0.0, through: 59, by: 6) {
      line.session.dataReturned(at: begin.advanced(bySeconds: seconds), speed: Self.speed)
      #expect(!line.session.needsLine)
      if seconds == 0 { line.runToRest() }
    }
    #expect(line.questions == first + 2 * first / 3 && line.reports.count == 1)
    line.now = begin.advanced(bySeconds: 61)
    line.isPowered = true
    line.session.dataReturned(at: line.now, speed: Self.speed)
    while line.reports.count == 1, line.now < begin.advanced(bySeconds: 100) {
      line.step()
    }
    #expect(line.reports.last?.set == ["rate 5 Hz"])
    #expect(line.receiver[0x3021_0001] == 200)
  }

  @Test("sets up one that answers the second time")
  func answersLate() {
    var line = Line()
    while line.reports.isEmpty { line.step() }
    #expect(line.reports[0].receiver == nil)
    line.isPowered = true
    while line.reports.count == 1, line.questions < 100 { line.step() }
    #expect(line.reports.last?.set == ["rate 5 Hz"])
  }
}
