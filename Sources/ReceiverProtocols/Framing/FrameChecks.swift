/// The checksum characters of sentences.
enum FrameChecks {
  /// Exclusive or of all bytes.
  /// - Source: NMEA 0183 (IEC 61162-1), "checksum field".
  static func exclusiveOr(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> UInt8 {
    var sum: UInt8 = 0
    for i in range { sum ^= bytes[i] }
    return sum
  }
}
