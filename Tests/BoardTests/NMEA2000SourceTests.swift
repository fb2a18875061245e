import Board
import Configuration
import Foundation
import LinuxIO
import Pipeline
import Quantities
import ReceiverProtocols
import TestSupport
import Testing

/// The data flow from an NMEA 2000 bus to estimates.
@Suite("Fixes and headings of an NMEA 2000 bus", .serialized, .timeLimit(.minutes(30)))
struct NMEA2000SourceTests {
  private func fix(from source: UInt8, latitude: Double, second: Int) -> [CANFrame] {
    var message = PGNMessage(.gnssPosition)
    message[.date] = 20_000
    message[.time] = 3600 + Double(second)
    message[.latitude] = latitude
    message[.longitude] = 11.5
    message[.altitude] = 48
    message[code: .method] = PGN.Code.gnss
    message[.horizontalDilution] = 1
    return FastPacket.frames(
      of: message.bytes, MessageHeader(priority: 3, pgn: 129_029, source: source),
      sequence: UInt8(second % 8))
  }

  private func heading(from source: UInt8) -> CANFrame {
    var message = PGNMessage(.heading)
    message[.heading] = 1.5
    message[code: .reference] = PGN.Code.magneticNorth
    return CANFrame(
      identifier: MessageHeader(priority: 2, pgn: 127_250, source: source).identifier,
      message.bytes)
  }

  /// Sends fixes and headings to the listener until it goes.
  private func serve(_ client: StreamSocket, latitude: Double, isStopped: () -> Bool) {
    for second in 0..<600 where !isStopped() {
      do {
        for frame in fix(from: 35, latitude: latitude, second: second) + [heading(from: 7)] {
          _ = try client.write(frame.kernelBytes[...])
        }
      } catch {
        return
      }
      usleep(100_000)
    }
  }

  @Test("the listener asks for the NAMEs, and takes position and heading of two devices")
  func positions() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/can"
    let listener = try StreamListener(path: path, backlog: 4)
    var board = Board(name: "boat", receiver: Board.Receiver(port: "can://" + path))
    board.compass = Board.Compass(port: "can://" + path)
    let asked = Locked<Set<UInt32>>([])
    let isOver = Locked(false)
    let thread = Thread {
      while !isOver.withLock({ $0 }) {
        guard let client = try? listener.accept() else {
          usleep(10_000)
          continue
        }
        Thread.detachNewThread {
          var bytes = [UInt8](repeating: 0, count: CANFrame.size)
          let deadline = MonotonicClock.now.advanced(bySeconds: 5)
          if (try? client.read(into: &bytes, until: deadline)) == CANFrame.size,
            let frame = bytes.withUnsafeBytes({ CANFrame(kernel: $0) })
          {
            asked.withLock { _ = $0.insert(MessageHeader(frame.identifier).pgn) }
          }
          serve(client, latitude: 57.5) { isOver.withLock { $0 } }
        }
      }
    }
    thread.start()
    defer { isOver.withLock { $0 = true } }
    var configuration = PipelineConfiguration()
    configuration.board = board
    let player = try EstimatePlayer(
      attached: configuration, hardware: LinuxHardware(refusesOwnServers: false))
    player.start()
    defer { player.stop() }
    #expect(
      eventually {
        player.latest?.position.map { abs($0.latitude.degrees - 57.5) < 0.001 } ?? false
      })
    #expect(
      eventually {
        player.latest?.magneticHeading.map { abs($0.angle.radians - 1.5) < 0.001 } ?? false
      })
    #expect(eventually { player.boardStatus?.receiverSource == "can://\(path)/35" })
    #expect(asked.withLock { $0 } == [59_904])
  }

  @Test("a session names what the bus lacks")
  func faults() throws {
    func instant(_ seconds: Double) -> Timestamp {
      Timestamp(nanoseconds: UInt64(nanosecondsIn: seconds))
    }
    let address = CANAddress(interface: "can0", device: 9)
    var session = NMEA2000Session(address: address, startedAt: instant(1))
    #expect(session.output(at: instant(1))?.count == CANFrame.size)
    #expect(session.output(at: instant(2)) == nil)
    #expect(session.fault(at: instant(5)) == nil)
    #expect(session.fault(at: instant(12)) == .silent(address, seconds: 11))
    for frame in fix(from: 35, latitude: 50, second: 0) {
      frame.kernelBytes.withUnsafeBytes { session.push($0, at: instant(12)) { _ in } }
    }
    #expect(session.fault(at: instant(12)) == .otherDevices(address, [35]))
    #expect("\(NMEA2000Fault.otherDevices(address, [35]))".hasPrefix("can://can0/9: no device"))
    #expect(
      "\(NMEA2000Session.fault(address, NetworkError(.failed("opening"), peer: "can0", code: 19)))"
        .contains("no such CAN interface"))
  }

  @Test("a board whose only source is a missing interface says so at once")
  func missing() throws {
    var configuration = PipelineConfiguration()
    configuration.board = Board(name: "boat", receiver: Board.Receiver(port: "can://no-such-can"))
    #expect(throws: SourceError.self) {
      try EstimatePlayer(attached: configuration, hardware: LinuxHardware(refusesOwnServers: false))
    }
  }
}
