import Quantities
import ReceiverProtocols

/// Frames as `candump -l` prints them, such as `09F112CC#FF725AFF7FFF7FFD`.
func canFrames(_ texts: String...) -> [CANFrame] {
  texts.map { text in
    let parts = text.split(separator: "#")
    return CANFrame(identifier: UInt32(parts[0], radix: 16) ?? 0, hexBytes(String(parts[1])))
  }
}

/// The bytes of hexadecimal digits, in which commas are ignored.
func hexBytes(_ text: String) -> [UInt8] {
  let digits = text.compactMap(\.hexDigitValue)
  return stride(from: 0, to: digits.count - 1, by: 2).map {
    UInt8(digits[$0] * 16 + digits[$0 + 1])
  }
}

func seconds(_ seconds: Double) -> Timestamp {
  Timestamp(nanoseconds: UInt64(nanosecondsIn: seconds))
}
