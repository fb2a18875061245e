import Quantities

/// A BNO085's sensor hub: packets on channels, reports at the intervals that were set, an
/// advertisement after each start.
/// - Source: BNO08X data sheet 1000-3927 (revision 1.17), "Establishing Contact"; SH-2 reference
///   manual 1000-3625 (revision 1.7), chapters 6.3 and 6.5; the data sheet's section 6.5.3 (90 ms
///   of initialisation, then 4 ms of configuration), in which the hub does not acknowledge:
///   Adafruit_BNO08x waits 300 ms after a reset, CodeCell issue 26 has the refusal; SHTP reference
///   manual 1000-3535 (continuation).
package final class EmulatedBNO08x: EmulatedChip {
  private let surroundings: any Surroundings
  private var packets: [(channel: UInt8, payload: [UInt8])] = []
  /// The bytes of the first packet that were read, and whether its header was.
  private var readCount = 0
  private var wasHeaderRead = false
  private var sequence = [UInt8](repeating: 0, count: 6)
  private var clocks: [UInt8: (clock: ConversionClock, interval: UInt32)] = [:]
  private var bootsAt: Timestamp? = Timestamp(nanoseconds: 0)
  private var reportCounts: [UInt8: UInt8] = [:]

  /// The attitude of the fusion, from the chip's axes to east, north and up: i, j, k, real.
  package var quaternion = SIMD4<Double>(0, 0, 0, 1)
  /// The accuracy that reports state, 0 to 3, and that of the rotation vector, radians.
  package var accuracy: UInt8 = 3
  package var headingAccuracy = 0.1
  /// The commands that it received: channel and payload.
  package private(set) var commands: [(channel: UInt8, payload: [UInt8])] = []
  /// Reports that it does not have.
  package var absentReports: Set<UInt8> = []
  /// Resets that no host asked for, for tests.
  package private(set) var starts = 0

  /// Time of a start.
  private static let bootTime: UInt64 = 94_000_000
  private static let mostPackets = 60

  package init(surroundings: any Surroundings) { self.surroundings = surroundings }

  package func losePower(at instant: Timestamp) {
    packets = []
    clocks = [:]
    (readCount, wasHeaderRead) = (0, false)
    sequence = [UInt8](repeating: 0, count: 6)
    bootsAt = instant.advanced(byNanoseconds: Self.bootTime)
  }

  // MARK: I2C

  package func acknowledges(at instant: Timestamp) -> Bool { bootsAt.map { instant >= $0 } ?? true }

  package func read(
    _ register: UInt8, into bytes: UnsafeMutableRawBufferPointer, at instant: Timestamp
  ) { _ = receive(into: bytes, at: instant) }

  package func receive(into bytes: UnsafeMutableRawBufferPointer, at instant: Timestamp) -> Bool {
    advance(to: instant)
    for index in bytes.indices { bytes[index] = 0 }
    guard let packet = packets.first else { return true }
    let left = packet.payload.count - readCount
    let isContinued = readCount > 0 || wasHeaderRead
    let header = header(packet.channel, count: left, isContinued: isContinued)
    for (index, byte) in header.prefix(bytes.count).enumerated() { bytes[index] = byte }
    wasHeaderRead = true
    let count = min(left, max(0, bytes.count - 4))
    for index in 0..<count { bytes[4 + index] = packet.payload[readCount + index] }
    readCount += count
    if readCount == packet.payload.count { finish() }
    return true
  }

  private func header(_ channel: UInt8, count: Int, isContinued: Bool) -> [UInt8] {
    let length = count + 4
    return [
      UInt8(length & 0xFF), UInt8(length >> 8) | (isContinued ? 0x80 : 0), channel,
      sequence[Int(channel)],
    ]
  }

  private func finish() {
    sequence[Int(packets[0].channel)] &+= 1
    packets.removeFirst()
    (readCount, wasHeaderRead) = (0, false)
  }

  package func write(_ bytes: UnsafeRawBufferPointer, to register: UInt8, at instant: Timestamp) {
    advance(to: instant)
    let packet = [register] + Array(bytes)
    guard packet.count > 4, Int(packet[0]) + 256 * Int(packet[1]) == packet.count else { return }
    execute(packet[2], Array(packet[4...]), at: instant)
  }

  // MARK: Serial port

  /// The packets that wait, whole.
  func wholePackets(at instant: Timestamp) -> [[UInt8]] {
    advance(to: instant)
    var whole: [[UInt8]] = []
    while let packet = packets.first {
      whole.append(
        header(packet.channel, count: packet.payload.count, isContinued: false) + packet.payload)
      finish()
    }
    return whole
  }

  // MARK: The hub

  private func execute(_ channel: UInt8, _ payload: [UInt8], at instant: Timestamp) {
    commands.append((channel, payload))
    if channel == 1, payload == [1] {
      losePower(at: instant)
      return
    }
    guard channel == 2, bootsAt == nil else { return }
    switch payload[0] {
    case 0xF9:
      // Reset cause, version 3.2, part 10003608, build 370, patch 13.
      packets.append((2, [0xF8, 1, 3, 2, 0x98, 0xA4, 0x98, 0, 0x72, 1, 0, 0, 13, 0, 0, 0]))
    case 0xFD where payload.count == 17:
      var interval: UInt32 = 0
      for byte in payload[5..<9].reversed() { interval = interval << 8 | UInt32(byte) }
      if interval == 0 || absentReports.contains(payload[1]) {
        clocks[payload[1]] = nil
      } else {
        clocks[payload[1]] = (
          ConversionClock(start: instant, hertz: 1e6 / Double(interval)), interval
        )
      }
    case 0xFE:
      let interval = clocks[payload[1]]?.interval ?? 0
      var answer = [UInt8](repeating: 0, count: 17)
      (answer[0], answer[1]) = (0xFC, payload[1])
      for place in 0..<4 { answer[5 + place] = UInt8(interval >> UInt32(8 * place) & 0xFF) }
      packets.append((2, answer))
    default: break
    }
  }

  private func advance(to instant: Timestamp) {
    if let boot = bootsAt, instant >= boot {
      bootsAt = nil
      starts += 1
      packets.append((0, [UInt8](repeating: 0x5A, count: 272)))
      packets.append((1, [1]))
      // The unsolicited answer of the initialisation.
      packets.append((2, [0xF1, 0, 0x84, 0, 0, 0] + [UInt8](repeating: 0, count: 10)))
    }
    var events: [(at: Timestamp, report: UInt8)] = []
    for (report, entry) in clocks {
      var clock = entry.clock
      let older = clock.finished(by: instant, limit: Self.mostPackets) {
        events.append(($0, report))
      }
      reportCounts[report, default: 0] &+= UInt8(truncatingIfNeeded: older)
      clocks[report] = (clock, entry.interval)
    }
    // Reports of one instant: acceleration and field before the rate.
    let order: [UInt8: Int] = [0x01: 0, 0x0F: 1, 0x07: 2]
    events.sort {
      ($0.at, order[$0.report] ?? 3) < ($1.at, order[$1.report] ?? 3)
    }
    var index = 0
    while index < events.count {
      let at = events[index].at
      var payload: [UInt8] = [0xFB] + little(Int(bounded: instant.seconds(since: at) * 1e4), 4)
      while index < events.count, events[index].at == at {
        payload += report(events[index].report, at: at)
        index += 1
      }
      packets.append((3, payload))
    }
    // What the host does not read in time is lost, but not the packet that it reads.
    while packets.count > Self.mostPackets { packets.remove(at: 1) }
  }

  private func report(_ identifier: UInt8, at instant: Timestamp) -> [UInt8] {
    reportCounts[identifier, default: 0] &+= 1
    let head: [UInt8] = [identifier, reportCounts[identifier] ?? 0, accuracy, 0]
    switch identifier {
    case 0x01:
      let end = 8 * 9.806_65 * 8191 / 8192
      return head + vector(surroundings.specificForce(at: instant), end, 256)
    case 0x07:
      let end = 2000 * Double.pi / 180 * 32_767 / 32_768
      return head + vector(surroundings.angularRate(at: instant), end, 512)
        + [UInt8](repeating: 0, count: 6)
    case 0x0F:
      let field = surroundings.field(at: instant)
      return head + vector(field, 1300, 16) + [UInt8](repeating: 0, count: 6)
    case 0x05:
      let parts = (0..<4).flatMap { little(Int(bounded: (quaternion[$0] * 16_384).rounded()), 2) }
      return head + parts + little(Int(bounded: (headingAccuracy * 4096).rounded()), 2)
    default: return []
    }
  }

  private func vector(_ value: SIMD3<Double>, _ end: Double, _ counts: Double) -> [UInt8] {
    (0..<3).flatMap {
      little(Int(bounded: (max(-end, min(end, value[$0])) * counts).rounded()), 2)
    }
  }

  private func little(_ value: Int, _ count: Int) -> [UInt8] {
    let bits = UInt32(truncatingIfNeeded: value)
    return (0..<count).map { UInt8(truncatingIfNeeded: bits >> UInt32(8 * $0)) }
  }
}

/// The serial interface of an emulated BNO085.
/// - Source: BNO08X data sheet 1000-3927 (revision 1.17), "UART-SHTP interface".
package final class EmulatedBNO08xLine: EmulatedSerialDevice {
  package let baud = 3_000_000
  /// The hub.
  package let chip: EmulatedBNO08x
  private var input: [UInt8] = []
  private var last = Timestamp(nanoseconds: 0)
  /// The number of bytes that came too soon after another.
  package private(set) var overruns = 0

  package init(_ chip: EmulatedBNO08x) { self.chip = chip }

  package func losePower(at instant: Timestamp) {
    chip.losePower(at: instant)
    input = []
  }

  package func receive(_ bytes: [UInt8], at instant: Timestamp) {
    if bytes.count > 1 || (last.nanoseconds > 0 && instant.seconds(since: last) < 100e-6) {
      overruns += 1
    }
    last = instant
    input += bytes
    guard input.count > 1, input.first == 0x7E, input.last == 0x7E else { return }
    var frame: [UInt8] = []
    var isEscaped = false
    for byte in input.dropFirst().dropLast() {
      if byte == 0x7D {
        isEscaped = true
      } else {
        frame.append(isEscaped ? byte ^ 0x20 : byte)
        isEscaped = false
      }
    }
    input = []
    guard frame.count > 5, frame[0] == 1 else { return }
    frame[2...].withUnsafeBytes { chip.write($0, to: frame[1], at: instant) }
  }

  package func output(at instant: Timestamp) -> [UInt8] {
    var bytes: [UInt8] = []
    for packet in chip.wholePackets(at: instant) {
      bytes += [0x7E, 0x01]
      for byte in packet {
        if byte == 0x7E || byte == 0x7D {
          bytes += [0x7D, byte ^ 0x20]
        } else {
          bytes.append(byte)
        }
      }
      bytes.append(0x7E)
    }
    return bytes
  }
}
