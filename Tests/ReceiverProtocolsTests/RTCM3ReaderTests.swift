import ReceiverProtocols
import Testing

@Suite("RTCM 3 reader", .timeLimit(.minutes(15)))
struct RTCM3ReaderTests {
  /// The 1005 that the standard prints; pyrtcm 1.2.1 reads it as such.
  private static let station: [UInt8] = [
    0xD3, 0x00, 0x13, 0x3E, 0xD0, 0x00, 0x03, 0x8A, 0x58, 0xD9, 0x49, 0x3C, 0x87, 0x2F, 0x34, 0x10,
    0x9D, 0x07, 0xD6, 0xAF, 0x48, 0x20, 0x5A, 0xD7, 0xF7,
  ]

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
