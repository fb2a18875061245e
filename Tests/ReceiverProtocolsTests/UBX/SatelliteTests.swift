import ReceiverProtocols
import Testing

@Suite(.timeLimit(.minutes(30))) struct SatelliteTests {
  private func satellite(_ gnss: UInt8, _ sv: UInt8, elevation: Int8 = 45) -> [UInt8] {
    [gnss, sv, 40, UInt8(bitPattern: elevation), 0x0E, 0x01, 0xF6, 0xFF, 0x1F, 0x19, 0, 0]
  }

  private func satellites(_ blocks: [[UInt8]]) throws -> [NavSat.Satellite] {
    let payload: [UInt8] = [1, 0, 0, 0, 1, UInt8(blocks.count), 0, 0] + Array(blocks.joined())
    let all: [NavSat.Satellite]? = readUBX(0x0135, payload) {
      if case .navSat(let m) = $0 { Array(m.satellites) } else { nil }
    }
    return try #require(all)
  }

  @Test("Satellites are numbered within their systems; a GLONASS slot of 255 is nil")
  func numbering() throws {
    let pairs: [(UInt8, UInt8, SatelliteID?)] = [
      (0, 32, SatelliteID(constellation: .gps, number: 32)),
      (1, 120, SatelliteID(constellation: .sbas, number: 120)),
      (2, 36, SatelliteID(constellation: .galileo, number: 36)),
      (3, 37, SatelliteID(constellation: .beidou, number: 37)),
      (4, 1, nil),
      (5, 5, SatelliteID(constellation: .qzss, number: 5)),
      (6, 24, SatelliteID(constellation: .glonass, number: 24)),
      (6, 255, nil),
      (7, 10, SatelliteID(constellation: .navic, number: 10)),
      (9, 1, nil),
    ]
    let all = try satellites(pairs.map { satellite($0.0, $0.1) })
    #expect(all.map(\.id) == pairs.map(\.2))
    #expect(all[7].svID == 255, "the number as sent stays")
  }

  @Test("A satellite's direction, signal and flags are decoded")
  func fields() throws {
    let one = try #require(try satellites([satellite(0, 7)]).first)
    #expect(one.signalDecibelHertz == 40)
    #expect(one.elevationDegrees == 45)
    #expect(one.azimuthDegrees == 270)
    #expect(one.residualMetres == -1)
    // 0x191F: quality 7, used, healthy; orbit from the ephemeris, ephemeris and almanac stored.
    #expect(one.quality == .carrierLocked)
    #expect(one.isUsed)
    #expect(one.isHealthy == true)
    #expect(!one.hasCorrections)
    #expect(one.orbitSource == .ephemeris)
    #expect(one.flags == 0x191F)
  }

  @Test("An elevation beyond 90 degrees makes the direction nil")
  func unknownPlace() throws {
    let all = try satellites([satellite(0, 7, elevation: -91), satellite(0, 8, elevation: 90)])
    #expect(all[0].elevationDegrees == nil)
    #expect(all[0].azimuthDegrees == nil)
    #expect(all[1].elevationDegrees == 90)
  }

  @Test("A count of more blocks than the payload contains is malformed")
  func tooMany() {
    let payload = [1, 0, 0, 0, 1, 2, 0, 0] + satellite(0, 7)
    #expect(decodeUBX(0x0135, payload) { _ in }.rejection == .malformed)
  }

  @Test("The single numbers of older receivers are identified by their ranges")
  func singleNumbers() throws {
    let wanted: [(UInt8, SatelliteID?)] = [
      (0, nil), (1, SatelliteID(constellation: .gps, number: 1)),
      (32, SatelliteID(constellation: .gps, number: 32)),
      (33, SatelliteID(constellation: .beidou, number: 6)),
      (64, SatelliteID(constellation: .beidou, number: 37)),
      (65, SatelliteID(constellation: .glonass, number: 1)),
      (96, SatelliteID(constellation: .glonass, number: 32)), (97, nil),
      (120, SatelliteID(constellation: .sbas, number: 120)),
      (158, SatelliteID(constellation: .sbas, number: 158)),
      (159, SatelliteID(constellation: .beidou, number: 1)),
      (163, SatelliteID(constellation: .beidou, number: 5)), (173, nil),
      (193, SatelliteID(constellation: .qzss, number: 1)),
      (211, SatelliteID(constellation: .galileo, number: 1)),
      (246, SatelliteID(constellation: .galileo, number: 36)), (255, nil),
    ]
    var payload: [UInt8] = [1, 0, 0, 0, UInt8(wanted.count), 3, 0, 0]
    for (number, _) in wanted {
      payload += [9, number, 0x0D, 4, 33, 12, 200, 0, 0x9C, 0xFF, 0xFF, 0xFF]
    }
    let decoded: (UInt8, [NavSVInfo.Channel])? = readUBX(0x0130, payload) {
      if case .navSVInfo(let m) = $0 { (m.chipGeneration, Array(m.channels)) } else { nil }
    }
    let (chip, channels) = try #require(decoded)
    #expect(chip == 3)
    #expect(channels.map(\.id) == wanted.map(\.1))
    let first = try #require(channels.first)
    #expect(first.number == 9)
    #expect(first.isUsed && first.hasOrbit && first.hasEphemeris)
    #expect(!first.hasCorrections && !first.isUnhealthy)
    #expect(first.quality == .codeLocked)
    #expect(first.azimuthDegrees == 200)
    #expect(first.residualMetres == -1)
  }

  @Test("A GLONASS signal has a frequency number from -7, others have none")
  func frequencies() throws {
    var p = PayloadBytes(count: 8 + 32)
    p.put(5, UInt8(2))
    for (index, system) in [UInt8(6), 0].enumerated() {
      p.put(8 + 16 * index, system)
      p.put(9 + 16 * index, UInt8(3))
      p.put(11 + 16 * index, UInt8(2))
    }
    let numbers: [Int?]? = readUBX(0x0143, p.bytes) {
      if case .navSig(let m) = $0 { m.signals.map(\.glonassFrequencyNumber) } else { nil }
    }
    #expect(numbers == [-5, nil])
  }
}
