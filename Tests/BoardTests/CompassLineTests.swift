import Board
import Chips
import Configuration
import Foundation
import LinuxIO
import Pipeline
import Quantities
import TestSupport
import Testing

/// Another compass and a receiver on lines of their own.
@Suite("Another compass", .timeLimit(.minutes(30)))
struct CompassLineTests {
  /// Lines that repeat a text ten times a second until they are cut.
  private final class Lines: BoardHardware, @unchecked Sendable {
    private let lock = NSLock()
    private var texts: [String: String]
    private var openings: [String: Int] = [:]

    private let begin = MonotonicClock.now
    private let speed: Double

    /// `speed` is how fast its clock is, compared with the machine's.
    init(_ texts: [String: String], speed: Double = 1) { (self.texts, self.speed) = (texts, speed) }

    subscript(path: String) -> String? {
      get { lock.withLock { texts[path] } }
      set { lock.withLock { texts[path] = newValue } }
    }
    func openings(of path: String) -> Int { lock.withLock { openings[path] ?? 0 } }

    var now: Timestamp {
      begin.advanced(bySeconds: speed * MonotonicClock.now.seconds(since: begin))
    }
    var buses: [String] { [] }
    var receiverPorts: [String] { [] }
    func bus(_ path: String) throws(BusError) -> any RegisterBus {
      throw BusError(.missing, device: path)
    }
    func alarm(dataReadyLines: [String]) throws(BusError) -> any BusAlarm {
      throw BusError(.missing, device: "GPIO")
    }
    func serialPort(_ path: String, baud: Int) throws(BusError) -> any SerialPort {
      let isThere = lock.withLock {
        openings[path, default: 0] += 1
        return texts[path] != nil
      }
      guard isThere else { throw BusError(.missing, device: path) }
      return Line(path, self)
    }
  }

  private final class Line: SerialPort {
    let name: String
    let baud = 4800
    private let lines: Lines
    init(_ name: String, _ lines: Lines) { (self.name, self.lines) = (name, lines) }
    func setBaud(_ baud: Int) {}
    func write(_ bytes: UnsafeRawBufferPointer) {}
    func read(
      into buffer: UnsafeMutableRawBufferPointer, until deadline: Timestamp
    ) throws(BusError) -> Int {
      MonotonicClock.sleep(until: MonotonicClock.now.advanced(bySeconds: 0.1))
      guard let text = lines[name] else { throw BusError(.disconnected, device: name) }
      buffer.copyBytes(from: text.utf8)
      return text.utf8.count
    }
  }

  /// Two instants, so that each epoch ends.
  private static let receiver = """
    $GPGGA,120000.00,5430.0,N,01015.0,E,1,09,0.9,3.0,M,43.0,M,,*6C\r
    $HCHDT,10.0,T*18\r
    $GPGGA,120001.00,5430.0,N,01015.0,E,1,09,0.9,3.0,M,43.0,M,,*6D\r

    """
  private static let compass = """
    $GPGGA,120000.00,1000.0,N,01015.0,E,1,09,0.9,3.0,M,43.0,M,,*6F\r
    $HCHDT,99.0,T*00\r
    $HCHDT,200.0,T*2B\r

    """

  private func player(_ lines: Lines, _ yaml: String) throws -> EstimatePlayer {
    var configuration = PipelineConfiguration()
    configuration.board = try Board(
      yaml: "board: a\nreceiver: {port: /dev/rx, baud: 9600, set-up: no}\n" + yaml, path: "b")
    let player = try EstimatePlayer(attached: configuration, hardware: lines)
    player.start()
    return player
  }

  @Test("its headings replace those of the receiver's line, its positions are ignored")
  func ownLine() throws {
    let lines = Lines(["/dev/rx": Self.receiver, "/dev/hdg": Self.compass])
    let player = try player(lines, "compass: {port: /dev/hdg, accuracy: 8}")
    defer { player.stop() }
    #expect(player.hasCompass && !player.hasMagnetometer)
    #expect(
      eventually {
        player.latest?.position != nil && player.latest?.trueHeading?.angle.degrees == 200
      })
    let estimate = try #require(player.latest)
    let accuracy = try #require(estimate.trueHeadingAccuracy?.degrees)
    #expect(abs(accuracy - 8) < 1e-9)
    #expect(estimate.attitude == nil && estimate.rateOfTurn == nil)
    let place = try #require(estimate.position?.latitude.degrees)
    #expect(abs(place - 54.5) < 1e-9)
    #expect((player.boardStatus?.compass?.rejected ?? 0) > 0)
    // A cut line is a fault, its heading ends, and both return with it.
    lines["/dev/hdg"] = nil
    #expect(eventually { player.latest?.trueHeading == nil })
    #expect(player.latest?.position != nil)
    #expect(player.boardStatus?.compass?.fault != nil)
    lines["/dev/hdg"] = Self.compass
    #expect(eventually { player.latest?.trueHeading != nil })
    #expect(eventually { player.boardStatus?.compass?.fault == nil })
    #expect(lines.openings(of: "/dev/hdg") > 1)
  }

  @Test(
    "an open line that is silent, has noise or no headings is reported, and ends with a heading")
  func silentLine() throws {
    let lines = Lines(["/dev/rx": Self.receiver, "/dev/hdg": Self.compass], speed: 20)
    let player = try player(lines, "compass: {port: /dev/hdg, accuracy: 8}")
    defer { player.stop() }
    let notices = Notices()
    player.onNotice { notices.add($0) }
    func status() -> BoardStatus? { player.boardStatus }
    #expect(eventually { (status()?.compass?.headings ?? 0) > 2 })
    #expect(
      eventually {
        status()?.words(hasReceiver: true, hasCompass: true) == ["another compass", "receiver"]
      })
    lines["/dev/hdg"] = ""
    #expect(eventually { status()?.compass?.lack?.short.hasPrefix("silent for") == true })
    #expect(eventually { notices.has("the compass delivers nothing that can be used: /dev/hdg") })
    #expect(status()?.compass?.fault == nil)
    let words = status()?.words(hasReceiver: true, hasCompass: true) ?? []
    #expect(words.first == "receiver" && words.last?.hasPrefix("compass silent for") == true)
    lines["/dev/hdg"] = "noise\r\n"
    #expect(
      eventually { status()?.compass?.lack?.short.hasPrefix("without a valid sentence") == true })
    lines["/dev/hdg"] = "$GPGGA,120000.00,1000.0,N,01015.0,E,1,09,0.9,3.0,M,43.0,M,,*6F\r\n"
    #expect(eventually { status()?.compass?.lack?.short.hasPrefix("without a heading") == true })
    lines["/dev/hdg"] = Self.compass
    #expect(eventually { status()?.compass?.lack == nil })
    #expect(eventually { notices.has("the compass is back") })
    lines["/dev/rx"] = ""
    #expect(eventually { status()?.receiverLack?.short.hasPrefix("silent for") == true })
    #expect(status()?.words(hasReceiver: true, hasCompass: true).first == "another compass")
    lines["/dev/rx"] = "$GPGGA,120000.00,,,,,0,00,,,M,,M,,*4B\r\n"
    #expect(
      eventually { status()?.receiverLack?.short.hasPrefix("without a position") == true })
    lines["/dev/rx"] = Self.receiver
    #expect(eventually { status()?.receiverLack == nil })
  }

  @Test("on the receiver's line its headings have the stated accuracy, else none")
  func sharedLine() throws {
    let lines = Lines(["/dev/rx": Self.receiver])
    for (yaml, accuracy) in [("compass: {accuracy: 3}", 3.0), ("", nil)] {
      let player = try player(lines, yaml)
      defer { player.stop() }
      #expect(eventually { player.latest?.trueHeading?.angle.degrees == 10 })
      let stated = player.latest?.trueHeadingAccuracy?.degrees
      #expect(stated.map { ($0 * 1000).rounded() / 1000 } == accuracy)
      #expect(player.hasCompass == (accuracy != nil))
    }
  }

  @Test("the receiver's headings are turned from the line between its antennas to the bow")
  func baseline() throws {
    let lines = Lines(["/dev/rx": Self.receiver])
    var configuration = PipelineConfiguration()
    configuration.board = try Board(
      yaml: "board: a\nreceiver: {port: /dev/rx, baud: 9600, set-up: no, baseline: 90}\n", path: "b"
    )
    let player = try EstimatePlayer(attached: configuration, hardware: lines)
    player.start()
    defer { player.stop() }
    #expect(eventually { player.latest?.trueHeading?.angle.degrees == 280 })
  }

  @Test("a compass alone that cannot be opened is an error")
  func absent() throws {
    var configuration = PipelineConfiguration()
    configuration.board = try Board(yaml: "board: a\ncompass: {port: /dev/hdg}", path: "b")
    #expect(throws: SourceError.bus(BusError(.missing, device: "/dev/hdg"))) {
      _ = try EstimatePlayer(attached: configuration, hardware: Lines([:]))
    }
  }
}
