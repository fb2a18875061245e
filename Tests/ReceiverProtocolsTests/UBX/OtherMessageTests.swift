import Quantities
import ReceiverProtocols
import Testing

@Suite(.timeLimit(.minutes(30))) struct OtherMessageTests {
  @Test("MON-VER's texts end at their NUL; the protocol version is read in both spellings")
  func versions() throws {
    for (line, version) in [
      ("PROTVER 18.00", 1800), ("PROTVER=27.11", 2711), ("PROTVER 16.5", nil), ("PROTVER", nil),
      ("PROTVER=", nil), ("PROTVER 1.2.3", nil), ("PROTVER 99999999999.00", nil), ("FWVER=x", nil),
    ] as [(String, Int?)] {
      var p = PayloadBytes(count: 40 + 60)
      p.put(0, text: "ROM CORE 3.01 (107888)")
      p.put(30, text: "00080000")
      p.put(40, text: "MOD=NEO-M8U-0")
      p.put(70, text: line)
      let decoded: (String, String, [String], Int?)? = readUBX(0x0A04, p.bytes) {
        guard case .monVer(let m) = $0 else { return nil }
        return (
          m.software.string, m.hardware.string, m.extensions.map(\.text.string),
          m.protocolVersionHundredths
        )
      }
      let (software, hardware, extensions, hundredths) = try #require(decoded)
      #expect(software == "ROM CORE 3.01 (107888)")
      #expect(hardware == "00080000")
      #expect(extensions == ["MOD=NEO-M8U-0", line])
      #expect(hundredths == version, "\(line)")
    }
  }

  /// Six keys; made with the layout of UBX-18010854 and read back by pyubx2 1.4.0 as
  /// CFG_RATE_MEAS=200, CFG_UART1_BAUDRATE=115200, CFG_NAVSPG_DYNMODEL=5, CFG_SIGNAL_GPS_ENA=1,
  /// CFG_TMODE_LAT=-455000001, CFG_TP_DUTY_TP1=12.5.
  private let valGet = """
    b562068b30000100000001002130c8000100524000c2010021001120051f00311001090003403f40\
    e1e42a00055000000000000029406256
    """

  @Test("CFG-VALGET's values have the lengths that their keys define")
  func configuration() throws {
    let frame = try #require(bytes(hex: valGet))
    let payload = Array(frame[6..<frame.count - 2])
    let layer: CfgValGet.Layer? = readUBX(0x068B, payload) {
      if case .cfgValGet(let m) = $0 { m.layer } else { nil }
    }
    #expect(layer == .ram)
    let decoded: (Int, [CfgValGet.Item])? = readUBX(0x068B, payload) {
      if case .cfgValGet(let m) = $0 { (m.count, Array(m)) } else { nil }
    }
    let (count, items) = try #require(decoded)
    #expect(count == 6)
    #expect(items.map(\.size) == [2, 4, 1, 1, 4, 8])
    #expect(items.map(\.bits).prefix(3) == [200, 115_200, 5])
    func item(_ key: UInt32) -> CfgValGet.Item? {
      readUBX(0x068B, payload) { if case .cfgValGet(let m) = $0 { m.item(key) } else { nil } }
    }
    #expect(item(0x4052_0001)?.bits == 115_200)
    #expect(item(0x4003_0009)?.signed == -455_000_001)
    #expect(item(0x5005_002A)?.real == 12.5)
    #expect(item(0x1031_001F)?.isOn == true)
    #expect(item(0x1031_0001) == nil)
  }

  @Test("CFG-VALGET truncated within a key or value is malformed; a poll is unregistered")
  func cutConfiguration() throws {
    let frame = try #require(bytes(hex: valGet))
    let payload = Array(frame[6..<frame.count - 2])
    // Ends of the pairs: the header has 4 bytes, each key has 4 bytes.
    let whole: Set = [4, 10, 18, 23, 28, 36, 48]
    #expect(payload.count == 48)
    for count in 0...payload.count {
      let rejection = decodeUBX(0x068B, Array(payload[..<count])) { _ in }.rejection
      #expect(rejection == (whole.contains(count) ? nil : .malformed), "\(count) bytes")
    }
    let question = decodeUBX(0x068B, [0] + payload.dropFirst()) { _ in }
    #expect(question.rejection == .unregistered)
    let lengthless = decodeUBX(0x068B, [1, 0, 0, 0, 1, 0, 0x31, 0, 1]) { _ in }
    #expect(lengthless.rejection == .malformed)
  }

  @Test("MON-HW with 25 pins has its interference level after them")
  func olderHardware() throws {
    for (pins, count) in [(17, 60), (25, 68)] {
      var p = PayloadBytes(count: count)
      p.put(16, UInt16(88))
      p.put(18, UInt16(4095))
      p.put(20, UInt8(2))
      p.put(21, UInt8(1))
      p.put(22, UInt8(0b0000_1001))
      p.put(28 + pins, UInt8(77))
      p.put(28 + pins + 11, UInt32(0xABCD))
      let decoded: MonHW? = readUBX(0x0A09, p.bytes) {
        if case .monHW(let m) = $0 { m } else { nil }
      }
      let m = try #require(decoded)
      #expect(m.radio.continuousWaveLevel == 77)
      #expect(m.pulledDownPins == 0xABCD)
      #expect(m.radio.antenna == .good)
      #expect(m.radio.isAntennaPowered == true)
      #expect(m.radio.jamming == .warning)
      #expect(m.radio.noisePerMillisecond == 88)
      #expect(m.isClockCalibrated)
      #expect(abs(m.radio.gainFraction - 0.5) < 1e-3)
    }
  }

  @Test("ESF-MEAS contains signed rates and forces, ticks with direction and the receiver's time")
  func measurements() throws {
    var p = PayloadBytes(count: 8 + 5 * 4 + 4)
    p.put(0, UInt32(123_456))
    p.put(4, UInt16(5 << 11 | 0b1000))
    p.put(6, UInt16(7))
    // -4096 of 2^-12 deg/s about z; 10240 of 2^-10 m/s² along z; 300 ticks backwards; 25.5 °C; 3
    // m/s.
    p.put(8, UInt32(0x05FF_F000))
    p.put(12, UInt32(0x1200_2800))
    p.put(16, UInt32(0x0980_012C))
    p.put(20, UInt32(0x0C00_09F6))
    p.put(24, UInt32(0x0B00_0BB8))
    p.put(28, UInt32(987_654))
    let decoded: (UInt32, UInt32?, UInt16, [SensorReading])? = readUBX(0x1002, p.bytes) {
      guard case .esfMeas(let m) = $0 else { return nil }
      return (m.timeTag, m.receiverTimeMilliseconds, m.provider, m.measurements.map(\.reading))
    }
    let (tag, time, provider, readings) = try #require(decoded)
    #expect(tag == 123_456)
    #expect(time == 987_654)
    #expect(provider == 7)
    let rate = AngularSpeed(radiansPerSecond: Angle(degrees: -1).radians)
    #expect(
      readings == [
        .angularRate(.z, rate), .specificForce(.z, metresPerSecondSquared: 10),
        .wheelTicks(.rearRight, count: 300, isBackwards: true), .temperature(celsius: 25.5),
        .speed(metresPerSecond: 3),
      ])
    var uncounted = p
    uncounted.put(4, UInt16(0b1000))
    let counted = decodeUBX(0x1002, uncounted.bytes) {
      if case .esfMeas(let m) = $0 { m.measurements.count } else { 0 }
    }
    #expect(counted.value == 5, "from the length")
    let cut = decodeUBX(0x1002, Array(p.bytes.dropLast(4))) { _ in }
    #expect(cut.rejection == .malformed)
  }

  @Test("GPS time is converted to UTC only with known leap seconds")
  func gpsTime() throws {
    var p = PayloadBytes(count: 16)
    p.put(0, UInt32(120_000))
    p.put(4, Int32(-250))
    p.put(8, Int16(2400))
    p.put(10, Int8(18))
    p.put(11, UInt8(7))
    let decoded: NavTimeGPS? = readUBX(0x0120, p.bytes) {
      if case .navTimeGPS(let m) = $0 { m } else { nil }
    }
    let m = try #require(decoded)
    // Week 2400 begins on 2026-01-04: 2400 weeks after 1980-01-06.
    let wanted = UTCTime(
      year: 2026, month: 1, day: 4, hour: 0, minute: 1, second: 41, nanosecond: 999_999_750)
    #expect(m.utc == wanted)
    for bit in 0..<3 {
      var without = p
      without.put(11, UInt8(7 & ~(1 << bit)))
      let outcome = decodeUBX(0x0120, without.bytes) {
        if case .navTimeGPS(let m) = $0 { m.utc == nil } else { false }
      }
      #expect(outcome.value == true)
    }
  }

  @Test("An attitude angle with an accuracy of zero is nil")
  func attitude() throws {
    for type: UInt16 in [0x0105, 0x2801] {
      var p = PayloadBytes(count: 32)
      p.put(8, Int32(-150_000))
      p.put(12, Int32(275_000))
      p.put(16, Int32(35_900_000))
      p.put(20, UInt32(50_000))
      p.put(28, UInt32(100_000))
      let decoded: VehicleAttitude? = readUBX(type, p.bytes) { message in
        switch message {
        case .navAtt(let m), .hnrAtt(let m): m
        default: nil
        }
      }
      let m = try #require(decoded)
      #expect(abs((m.roll?.degrees ?? 0) - -1.5) < 1e-12)
      #expect(m.pitch == nil)
      #expect(m.pitchAccuracy == nil)
      #expect(abs((m.heading?.angle.degrees ?? 0) - 359) < 1e-9)
      #expect(abs((m.headingAccuracy?.degrees ?? 0) - 1) < 1e-12)
    }
  }

  @Test("A port other than UART has no baud rate")
  func ports() throws {
    for (port, isUART) in [(UInt8(0), false), (1, true), (2, true), (3, false), (4, false)] {
      var p = PayloadBytes(count: 20)
      p.put(0, port)
      p.put(4, UInt32(0b10_1000_1100_0000))
      p.put(8, UInt32(9600))
      p.put(12, UInt16(0b100111))
      p.put(14, UInt16(0b11))
      let decoded: CfgPrt? = readUBX(0x0600, p.bytes) {
        if case .cfgPrt(let m) = $0 { m } else { nil }
      }
      let m = try #require(decoded)
      #expect(m.baudRate == (isUART ? 9600 : nil))
      #expect(m.dataBits == (isUART ? 8 : nil))
      #expect(m.parity == (isUART ? CfgPrt.Parity.none : nil))
      #expect(m.stopBits == (isUART ? 2 : nil))
      #expect(m.input == [.ubx, .nmea, .rtcm2, .rtcm3])
      #expect(m.output == [.ubx, .nmea])
    }
  }

  @Test("Invalid positions, covariances and leap seconds are nil")
  func invalid() {
    var place = PayloadBytes(count: 36)
    place.put(3, UInt8(1))
    let isPlaceless = decodeUBX(0x0114, place.bytes) {
      if case .navHPPosLLH(let m) = $0 {
        m.position == nil && m.altitudeMetres == nil
      } else {
        false
      }
    }
    #expect(isPlaceless.value == true)
    var centred = PayloadBytes(count: 28)
    centred.put(23, UInt8(1))
    let isCentreless = decodeUBX(0x0113, centred.bytes) {
      if case .navHPPosECEF(let m) = $0 { m.position == nil } else { false }
    }
    #expect(isCentreless.value == true)
    let isCovarianceless = decodeUBX(0x0136, [UInt8](repeating: 0, count: 64)) {
      if case .navCov(let m) = $0 {
        m.positionSquareMetres == nil && m.velocitySquareMetresPerSecondSquared == nil
      } else {
        false
      }
    }
    #expect(isCovarianceless.value == true)
    let isTimeless = decodeUBX(0x0126, [UInt8](repeating: 0, count: 24)) {
      if case .navTimeLS(let m) = $0 { m.leapSeconds == nil && m.event == nil } else { false }
    }
    #expect(isTimeless.value == true)
  }
}
