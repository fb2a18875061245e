import Board
import Chips
import Configuration
import Foundation
import Pipeline
import Quantities
import ReceiverProtocols
import TestSupport
import Testing

/// A receiver's port and its pulse, by a script whose clock advances with the reads.
@Suite("A receiver with a pulse", .serialized, .timeLimit(.minutes(30)))
struct PulseTests {
  /// The events in order. Each one happens after the previous one was processed completely.
  private final class Bench: BoardHardware, @unchecked Sendable {
    enum Event { case edge(Timestamp), bytes([UInt8], Timestamp) }
    private let condition = NSCondition()
    private var events: [Event]
    private var next = 0
    private var clock = Timestamp(nanoseconds: 1_000_000_000_000)
    /// Whether the last edge is still being processed; the number of reads for the last bytes.
    private var isEdgeOut = false
    private var readsOut = 0
    private var isUnplugged = false

    init(_ events: [Event]) { self.events = events }

    /// The instant of a true second: the clock runs 20 ppm fast.
    static func instant(_ second: Double) -> Timestamp {
      Timestamp(
        nanoseconds: 1_000_000_000_000 + UInt64(bounded: (second * 1e9 * 1.000_02).rounded()))
    }

    var isOver: Bool { condition.withLock { next == events.count && !isEdgeOut && readsOut == 0 } }
    func unplug(_ value: Bool) { condition.withLock { isUnplugged = value } }

    var now: Timestamp { condition.withLock { clock } }
    var buses: [String] { [] }
    var receiverPorts: [String] { ["/dev/rx"] }
    var pulseSources: [String] { ["/dev/pps0"] }
    func bus(_ path: String) throws(BusError) -> any RegisterBus {
      throw BusError(.missing, device: path)
    }
    func alarm(dataReadyLines: [String]) throws(BusError) -> any BusAlarm {
      throw BusError(.missing, device: "GPIO")
    }
    func serialPort(_ path: String, baud: Int) throws(BusError) -> any SerialPort {
      Port(bench: self)
    }
    func pulse(_ pulse: Board.Pulse) throws(BusError) -> any PulseSource {
      let isGone = condition.withLock { isUnplugged } || pulse.source != "/dev/pps0"
      if isGone { throw BusError(.missing, device: pulse.source) }
      return Source(bench: self)
    }

    private final class Port: SerialPort {
      let bench: Bench
      let name = "/dev/rx"
      let baud = 9600
      init(bench: Bench) { self.bench = bench }
      func setBaud(_ baud: Int) throws(BusError) {}
      func write(_ bytes: UnsafeRawBufferPointer) throws(BusError) {}
      func read(
        into buffer: UnsafeMutableRawBufferPointer, until deadline: Timestamp
      ) throws(BusError) -> Int {
        bench.condition.lock()
        defer { bench.condition.unlock() }
        if bench.readsOut > 0 {
          // The first read after the bytes ends the epoch, the second shows that it was processed.
          bench.readsOut -= 1
          return 0
        }
        if !bench.isEdgeOut, bench.next < bench.events.count,
          case .bytes(let bytes, let at) = bench.events[bench.next]
        {
          bench.next += 1
          bench.clock = at
          bench.readsOut = 2
          buffer.copyBytes(from: bytes)
          return bytes.count
        }
        _ = bench.condition.wait(until: Date(timeIntervalSinceNow: 0.002))
        return 0
      }
    }

    private final class Source: PulseSource {
      let bench: Bench
      init(bench: Bench) { self.bench = bench }
      func nextEdge(until deadline: Timestamp) throws(BusError) -> PulseEdge? {
        bench.condition.lock()
        defer { bench.condition.unlock() }
        if bench.isUnplugged { throw BusError(.disconnected, device: "/dev/pps0") }
        bench.isEdgeOut = false
        if bench.readsOut == 0, bench.next < bench.events.count,
          case .edge(let at) = bench.events[bench.next]
        {
          bench.next += 1
          bench.clock = at
          bench.isEdgeOut = true
          return PulseEdge(instant: at)
        }
        _ = bench.condition.wait(until: Date(timeIntervalSinceNow: 0.002))
        return nil
      }
    }
  }

  private static func sentence(_ body: String) -> String {
    let sum = body.utf8.reduce(UInt8(0), ^)
    let digits = String(sum, radix: 16, uppercase: true)
    return "$" + body + "*" + (digits.count < 2 ? "0" : "") + digits + "\r\n"
  }

  /// Pulses of whole seconds and, 0.3 s after each, the receiver's sentences.
  private static func script(_ seconds: Range<Int>) -> [Bench.Event] {
    seconds.flatMap { second -> [Bench.Event] in
      let time = "1200" + (second < 10 ? "0" : "") + "\(second).00"
      let text =
        sentence("GPGGA,\(time),4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,")
        + sentence("GPRMC,\(time),A,4807.038,N,01131.000,E,022.4,084.4,010626,,,A")
      return [
        .edge(Bench.instant(Double(second))),
        .bytes(Array(text.utf8), Bench.instant(Double(second) + 0.3)),
      ]
    }
  }

  private final class Instants: @unchecked Sendable {
    private let lock = NSLock()
    private var all: Set<Timestamp> = []
    func add(_ instant: Timestamp?) { lock.withLock { _ = instant.map { all.insert($0) } } }
    func has(near wanted: Timestamp) -> Bool {
      lock.withLock { all.contains { abs($0.seconds(since: wanted)) < 2e-6 } }
    }
  }

  private func player(
    _ bench: Bench, source: String = "/dev/pps0"
  ) throws -> EstimatePlayer {
    var receiver = Board.Receiver(port: "/dev/rx", baud: 9600)
    receiver.pulse = Board.Pulse(source: source)
    var configuration = PipelineConfiguration()
    configuration.board = Board(name: "bench", receiver: receiver)
    return try EstimatePlayer(attached: configuration, hardware: bench)
  }

  @Test("fixes bear the instant of their measurement once the pulse is paired")
  func stamps() throws {
    let bench = Bench(Self.script(0..<25))
    let player = try player(bench)
    defer { player.stop() }
    let instants = Instants()
    let notices = Notices()
    player.onNotice { notices.add($0) }
    let observation = player.observe { instants.add($0.fixTimestamp) }
    player.start()
    // Before that they are stamped with their arrival.
    #expect(eventually { instants.has(near: Bench.instant(0.3)) })
    #expect(eventually { bench.isOver })
    #expect(eventually { instants.has(near: Bench.instant(24)) })
    #expect(!instants.has(near: Bench.instant(24.3)))
    let status = player.boardStatus?.pulse
    #expect(status?.state == .paired)
    #expect(notices.has("the pulse is paired"))
    let rate = try #require(status?.frequencyErrorPartsPerMillion)
    #expect(abs(rate - 20) < 0.01)
    let delay = try #require(status?.messageDelaySeconds)
    #expect(abs(delay - 0.3) < 1e-6)
    #expect(
      status?.lastPulse?.second == UTCTime(year: 2026, month: 6, day: 1, hour: 12, second: 24))
    observation.cancel()
  }

  @Test("without a pulse fixes are stamped with their arrival, and the loss is reported")
  func missing() throws {
    let bench = Bench(
      Self.script(0..<12).filter {
        if case .edge = $0 { false } else { true }
      })
    let player = try player(bench, source: "GPIO99")
    defer { player.stop() }
    let instants = Instants()
    let notices = Notices()
    player.onNotice { notices.add($0) }
    let observation = player.observe { instants.add($0.fixTimestamp) }
    player.start()
    #expect(eventually { notices.has("the pulse is lost, going on without it: GPIO99") })
    #expect(eventually { instants.has(near: Bench.instant(11.3)) })
    #expect(player.boardStatus?.pulse?.state == .noPulse)
    #expect(player.boardStatus?.pulseFault != nil)
    observation.cancel()
  }

  @Test("a removed source is opened again when it returns")
  func returns() throws {
    let bench = Bench(Self.script(0..<20))
    bench.unplug(true)
    let player = try player(bench)
    defer { player.stop() }
    let notices = Notices()
    player.onNotice { notices.add($0) }
    player.start()
    #expect(eventually { notices.has("the pulse is lost") })
    bench.unplug(false)
    #expect(eventually { notices.has("the pulse is back") })
    #expect(eventually { player.boardStatus?.pulse?.state == .paired })
    #expect(player.boardStatus?.pulseFault == nil)
  }

  @Test("the kernel's sources are listed by a probe")
  func listed() {
    let bench = Bench([])
    let library = BoardLibrary(folders: [])
    let inventory = BoardFinder(hardware: bench, library: library).inventory()
    #expect(inventory.pulseSources == ["/dev/pps0"])
  }
}
