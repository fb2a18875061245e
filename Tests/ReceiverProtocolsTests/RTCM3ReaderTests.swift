import Quantities
import ReceiverProtocols
import Testing

@Suite("RTCM 3 reader", .timeLimit(.minutes(30)))
struct RTCM3ReaderTests {
  /// The 1005 that the standard prints; pyrtcm 1.2.1 reads it as such.
  private static let station: [UInt8] = [
    0xD3, 0x00, 0x13, 0x3E, 0xD0, 0x00, 0x03, 0x8A, 0x58, 0xD9, 0x49, 0x3C, 0x87, 0x2F, 0x34, 0x10,
    0x9D, 0x07, 0xD6, 0xAF, 0x48, 0x20, 0x5A, 0xD7, 0xF7,
  ]

  @Test("station and place are those that pyrtcm decodes, and messages are counted by type")
  func origins() throws {
    // An example of RTCM 10403.1; pyrtcm 1.2.1 reads 1114104.5999, -4850729.7108, 3975521.4643 m.
    let frame: [UInt8] = [
      0xD3, 0x00, 0x13, 0x3E, 0xD7, 0xD3, 0x02, 0x02, 0x98, 0x0E, 0xDE, 0xEF, 0x34, 0xB4, 0xBD,
      0x62, 0xAC, 0x09, 0x41, 0x98, 0x6F, 0x33, 0x36, 0x0B, 0x98,
    ]
    let origin = RTCM3Origin(type: 1005, bytes: frame)
    #expect(origin.station == 2003)
    let place = try #require(origin.stationPosition)
    // By twenty rounds of the usual iteration in Python.
    #expect(abs(place.latitude.degrees - 38.8047594) < 1e-7)
    #expect(abs(place.longitude.degrees + 77.0647736) < 1e-7)
    var statistics = RTCM3Statistics()
    let start = Timestamp(nanoseconds: 1_000_000_000)
    for second in 0..<3 {
      let now = start.advanced(bySeconds: Double(second))
      statistics.record(origin, byteCount: frame.count, at: now)
      // GPS MSM7 of station 2003.
      let observations = RTCM3Origin(
        type: 1077, bytes: [0xD3, 0, 4, 0x43, 0x57, 0xD3, 0, 0, 0, 0])
      #expect(observations.station == 2003 && observations.stationPosition == nil)
      statistics.record(observations, byteCount: 10, at: now)
    }
    // A message without a station, and one that is too short for it.
    #expect(RTCM3Origin(type: 1019, bytes: frame).station == nil)
    #expect(RTCM3Origin(type: 1077, bytes: [0xD3, 0, 2, 0x43, 0x50, 0, 0, 0]).station == nil)
    #expect(
      RTCM3Origin(type: 1005, bytes: [0xD3, 0, 2, 0x3E, 0xD0, 0, 0, 0]).stationPosition == nil)
    #expect(
      RTCM3Origin(type: nil, bytes: []) == RTCM3Origin(type: nil, bytes: [0xD3, 0, 0, 1, 2, 3]))
    #expect(statistics.messages.mapValues(\.count) == [1005: 3, 1077: 3])
    #expect(statistics.station == 2003 && statistics.stationPosition == place)
    #expect(statistics.newest == start.advanced(bySeconds: 2))
    #expect(statistics.frames == 6 && statistics.bytes == 3 * 35)
    for type in 0..<10_000 {
      statistics.record(RTCM3Origin(type: type, bytes: []), byteCount: 1, at: start)
    }
    #expect(statistics.messages.count == 128)
    #expect(RTCM3Statistics.name(of: 1127) == "BeiDou MSM7")
    #expect(RTCM3Statistics.name(of: 1078) == nil && RTCM3Statistics.name(of: 1137) == "NavIC MSM7")
  }

  @Test("Complete frames are found between other bytes, however they are split")
  func found() {
    var corrupt = Self.station
    corrupt[10] ^= 1
    // The length in the false start covers all of the remaining bytes.
    var stream: [UInt8] = [0xD3, 0x00]
    stream += Self.station + corrupt
    stream += Array("$GP".utf8) + Self.station
    stream += [UInt8](repeating: 0, count: 200)
    for size in [1, 2, 5, 1000] {
      var reader = RTCM3Reader()
      var types: [Int?] = []
      for start in stride(from: 0, to: stream.count, by: size) {
        let piece = Array(stream[start..<min(start + size, stream.count)])
        piece.withUnsafeBytes { bytes in
          reader.push(bytes) { type, frame in
            types.append(type)
            #expect(Array(frame) == Self.station)
          }
        }
      }
      #expect(types == [1005, 1005], "\(size)")
    }
  }
}
