import Board
import Foundation
import LinuxIO
import Pipeline
import Quantities
import ReceiverProtocols
import ScriptedSource
import Servers
import TestSupport
import Testing

/// What the daemon sends to chronyd's socket.
private final class ChronySocket {
  let path: String
  private let file: Int32

  init(_ path: String) throws {
    self.path = path
    file = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    let address = try UnixAddress(path: path)
    try #require(address.withPointer { bind(file, $0, $1) } == 0)
  }

  deinit {
    close(file)
    unlink(path)
  }

  /// The seconds and microseconds of the system clock, the offset and the rest of the next
  /// datagram; nil after a timeout.
  func next(within milliseconds: Int32 = 5000) -> (
    seconds: Int64, microseconds: Int64, offset: Double, rest: [Int32]
  )? {
    var state = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
    guard poll(&state, 1, milliseconds) > 0 else { return nil }
    var bytes = [UInt8](repeating: 0, count: 64)
    guard recv(file, &bytes, bytes.count, 0) == 40 else { return nil }
    return bytes.withUnsafeBytes { bytes in
      (
        bytes.load(as: Int64.self), bytes.load(fromByteOffset: 8, as: Int64.self),
        bytes.load(fromByteOffset: 16, as: Double.self),
        (0..<4).map { bytes.load(fromByteOffset: 24 + 4 * $0, as: Int32.self) }
      )
    }
  }
}

@Suite("Time for chronyd and ntpd", .timeLimit(.minutes(30)))
struct TimeOutputTests {
  private static let start: Int64 = 1_800_000_000
  private static let attached = PositionOrigin.receiver("/dev/ttyTEST")
  /// A unit of the shared memory that no program uses; each test has two of its own.
  private static let unit = 240

  private func rig(
    _ publisher: ScriptedPublisher = ScriptedPublisher(positionOrigin: attached),
    isLive: Bool = true, _ change: (inout TimeSettings, String) -> Void
  ) throws -> ServiceRig {
    // The folder of the rig, which it removes at the end.
    try ServiceRig(publisher, isLive: isLive) {
      change(&$0.time, String($0.stateFolder.dropLast("/state".count)))
    }
  }

  /// Sends the times of some seconds, each 120 ms after its second.
  private func send(
    _ seconds: Range<Int>, to rig: ServiceRig, hasFix: Bool = true, isResolved: Bool? = true,
    shift: Int = 0
  ) {
    _ = eventually { rig.publisher.receiverObserverCount > 0 }
    for second in seconds {
      let utc = UTCTime(nanosecondsSince1970: (Self.start + Int64(second + shift)) * 1_000_000_000)
      let system = UTCTime(
        nanosecondsSince1970: (Self.start + Int64(second)) * 1_000_000_000 + 120_000_700)
      rig.publisher.send(
        .time(
          ReceiverTime(
            utc: utc, arrival: Timestamp(nanoseconds: UInt64(second + 100) * 1_000_000_000),
            systemUTC: system, hasFix: hasFix, isResolved: isResolved)))
    }
  }

  private func pulse(_ second: Int, to rig: ServiceRig, isPaired: Bool = true) {
    let nanoseconds = (Self.start + Int64(second)) * 1_000_000_000
    let pulse = MarkedPulse(
      instant: Timestamp(nanoseconds: UInt64(second + 100) * 1_000_000_000),
      second: UTCTime(nanosecondsSince1970: nanoseconds),
      systemUTC: UTCTime(nanosecondsSince1970: nanoseconds + 2500),
      quantisationErrorPicoseconds: 500_000)
    rig.publisher.send(.pulse(PulseReport(pulse, isPaired: isPaired)))
  }

  @Test("chronyd receives the receiver's time and its pulses after ten seconds of agreement")
  func samples() throws {
    var sockets: [ChronySocket] = []
    let rig = try rig {
      ($0.chrony, $0.chronyPulse) = ($1 + "/a.sock", $1 + "/b.sock")
    }
    sockets = [
      try ChronySocket(#require(rig.configuration.time.chrony)),
      try ChronySocket(#require(rig.configuration.time.chronyPulse)),
    ]
    send(0..<10, to: rig)
    pulse(10, to: rig)
    send(10..<11, to: rig)
    let sample = try #require(sockets[0].next())
    #expect(sample.seconds == Self.start + 10 && sample.microseconds == 120_000)
    #expect(abs(sample.offset + 0.120_000_7) < 1e-9)
    #expect(sample.rest == [0, 0, 0, 0x534f_434b])
    // The pulse before the confirmation was not sent, nor is one that is not paired.
    pulse(11, to: rig, isPaired: false)
    pulse(12, to: rig)
    let pulse = try #require(sockets[1].next())
    #expect(pulse.seconds == Self.start + 12 && pulse.microseconds == 2)
    #expect(abs(pulse.offset + 3e-6) < 1e-9)
    #expect(sockets[1].next(within: 50) == nil)
    rig.daemon.stop()
  }

  @Test(
    "a time without a fix, without leap seconds, or that jumps, is not sent until it agrees again",
    arguments: [0, 1, 2, 3])
  func refused(_ kind: Int) throws {
    let rig = try rig { ($0.chrony, $0.unresolvedWait) = ($1 + "/a.sock", 20) }
    let socket = try ChronySocket(#require(rig.configuration.time.chrony))
    switch kind {
    case 0: send(0..<15, to: rig, hasFix: false)
    case 1: send(0..<15, to: rig, isResolved: false)
    case 2:
      send(0..<8, to: rig)
      send(8..<15, to: rig, shift: 1)
    default: send(0..<19, to: rig, isResolved: nil)
    }
    send(15..<35, to: rig)
    // After ten seconds that agree.
    #expect(socket.next()?.seconds == Self.start + 25)
    rig.daemon.stop()
  }

  @Test(
    "a simulation, a recording and a receiver of another daemon never give a time",
    arguments: [0, 1, 2])
  func unattached(_ kind: Int) throws {
    let publisher =
      switch kind {
      case 0: ScriptedPublisher(isSimulated: true, positionOrigin: Self.attached)
      case 1: ScriptedPublisher(positionOrigin: Self.attached)
      default: ScriptedPublisher(positionOrigin: .receiver("gpsd://localhost:2947"))
      }
    let rig = try rig(publisher, isLive: kind != 1) { $0.chrony = $1 + "/a.sock" }
    let socket = try ChronySocket(#require(rig.configuration.time.chrony))
    send(0..<30, to: rig)
    pulse(30, to: rig)
    #expect(socket.next(within: 100) == nil)
    #expect(
      eventually {
        rig.logged.all.contains { $0.hasPrefix("<4>time-chrony: no time is sent: ") }
      })
    rig.daemon.stop()
  }

  @Test("ntpd's shared memory has the newest sample, its precision and a valid flag")
  func sharedMemory() throws {
    let rig = try rig { settings, _ in settings.ntpUnit = Self.unit }
    defer {
      for unit in Self.unit...Self.unit + 1 {
        shmctl(shmget(key_t(0x4e54_5030 + unit), 96, 0), IPC_RMID, nil)
      }
    }
    send(0..<11, to: rig)
    pulse(11, to: rig)
    for (unit, reference, system, precision) in [
      (Self.unit, 10_000_000_000, 10_120_000_700, -1),
      (Self.unit + 1, 10_999_999_500, 11_000_002_500, -20),
    ] as [(Int, Int64, Int64, Int32)] {
      let address = try #require(shmat(shmget(key_t(0x4e54_5030 + unit), 96, 0), nil, 0))
      defer { shmdt(address) }
      #expect(eventually { address.load(fromByteOffset: 48, as: Int32.self) == 1 })
      #expect(address.load(as: Int32.self) == 1)
      #expect(address.load(fromByteOffset: 4, as: Int32.self) == 2)
      for (offset, microseconds, nanoseconds, value) in [
        (8, 16, 52, reference), (24, 32, 56, system),
      ] {
        #expect(
          address.load(fromByteOffset: offset, as: Int64.self) == Self.start + value / 1_000_000_000
        )
        let fraction = value % 1_000_000_000
        #expect(address.load(fromByteOffset: microseconds, as: Int32.self) == fraction / 1000)
        #expect(address.load(fromByteOffset: nanoseconds, as: UInt32.self) == fraction)
      }
      #expect(address.load(fromByteOffset: 40, as: Int32.self) == precision)
    }
    rig.daemon.stop()
  }

  @Test("without chronyd there is one warning, and samples are sent when it starts")
  func absent() throws {
    let rig = try rig { $0.chrony = $1 + "/a.sock" }
    let warning =
      "No such file or directory; start chronyd with 'refclock SOCK \(rig.folder.path)/a.sock'"
    var second = 0
    #expect(
      eventually {
        // The first ones may come before the output knows its source.
        send(second..<second + 15, to: rig)
        second += 15
        return rig.logged.all.contains { $0.contains(warning) }
      })
    let socket = try ChronySocket(rig.folder.path + "/a.sock")
    send(second..<second + 2, to: rig)
    #expect(socket.next() != nil)
    #expect(eventually { rig.logged.all.contains { $0.contains("chronyd receives samples") } })
    #expect(rig.logged.all.filter { $0.contains(warning) }.count == 1)
    rig.daemon.stop()
  }

  @Test("keys that are not allowed are refused")
  func keys() {
    for (key, text) in [
      ("time-chrony", "chrony.sock"), ("time-ntp-unit", "-1"), ("time-ntp-unit", "255"),
      ("time-nmea-wait", "x"),
    ] { #expect(ServeKey.fault(of: text, for: key) != nil, "\(key): \(text)") }
    for (key, text) in [
      ("time-chrony", "/run/chrony.lodestar.sock"), ("time-ntp-unit", "2"), ("time-nmea-wait", "0"),
    ] { #expect(ServeKey.fault(of: text, for: key) == nil, "\(key): \(text)") }
  }
}
