import ReceiverProtocols

/// A receiver's bytes by the raw modes of gpsd's protocol: whole frames, so that other lines may
/// come between them.
public struct GPSDRawReport: Sendable {
  private static let digits = Array("0123456789abcdef".utf8)

  private var framer = ReceiverFramer()

  /// Makes a report at the start of a stream.
  public init() {}

  /// The frames that a stream's next bytes complete: sentences as received, each as a line, binary
  /// frames as received or each as a line of hexadecimal digits. Without those of RTCM 3 where
  /// `hexadecimal`; bytes outside frames and rejected sentences are left out.
  /// - Source: gpsd_json(5), WATCH, "raw"; gpsd 3.22.
  public mutating func frames(completedBy bytes: [UInt8], hexadecimal: Bool) -> [UInt8] {
    var output: [UInt8] = []
    bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        rest = rest.dropFirst(framer.fill(from: UnsafeRawBufferPointer(rebasing: rest)))
        while let frame = framer.next() { append(frame, hexadecimal, to: &output) }
      }
    }
    return output
  }

  private func append(_ frame: ReceiverFrame, _ hexadecimal: Bool, to output: inout [UInt8]) {
    switch frame.kind {
    case .rejected: return
    case .rtcm3 where hexadecimal: return
    case .ubx where hexadecimal, .sbf where hexadecimal, .binaryLog where hexadecimal,
      .casic where hexadecimal, .skyTraq where hexadecimal, .allystar where hexadecimal:
      framer.withBytes(of: frame) {
        for byte in $0 { output += [Self.digits[Int(byte >> 4)], Self.digits[Int(byte & 15)]] }
      }
      output += [13, 10]
    case .ubx, .rtcm3, .sbf, .binaryLog, .casic, .skyTraq, .allystar:
      framer.withBytes(of: frame) { output += $0 }
    case .sentence, .uncheckedSentence, .log:
      framer.withReceivedBytes(of: frame) { output += $0 }
      output += [13, 10]
    }
  }
}
