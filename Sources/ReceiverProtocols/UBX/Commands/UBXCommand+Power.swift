/// Sleep of a receiver between fixes.
/// - Source: ZED-F9P interface description, UBX-18010854 R04, section 5.15.2 (pages 173 and 174):
///   RXM-PMREQ in 8 and in 16 bytes, u-blox 9 with protocol version 27, a duration of at most 12
///   days. The longer form on a SAM-M8Q (protocol 18): SparkFun's u-blox library, pull request 116;
///   that an M10 sleeps by it alone, and with `force`: SparkFun's u-blox GNSS library v3, issues 42
///   and 70. That RAM, and with it a set-up that is not saved, is lost: MIA-M10Q integration
///   manual, section 2.7.3.2.
extension UBXCommand {
  /// The first protocol version that takes the longer form of RXM-PMREQ.
  private static var firstWithWakeSources: Int { 18 }

  /// RXM-PMREQ: the receiver enters backup mode for a time, or until an edge on its UART input. It
  /// sends no acknowledgement. Its USB port does not wake it: use this command on serial lines
  /// only.
  /// - Parameters:
  ///   - milliseconds: The duration; 0 for no limit.
  ///   - protocolMajor: The receiver's protocol version; nil where it does not report one.
  /// - Returns: The form of the command that this protocol version accepts.
  public static func sleep(milliseconds: UInt32, protocolMajor: Int?) -> UBXCommand {
    let (backup, force, uartReceive) = (UInt32(1 << 1), UInt32(1 << 2), UInt32(1 << 3))
    var payload: [UInt8] = []
    guard let protocolMajor, protocolMajor >= firstWithWakeSources else {
      payload.appendLittleEndian(milliseconds)
      payload.appendLittleEndian(backup)
      return UBXCommand(.powerRequest, payload: payload)
    }
    payload = [0, 0, 0, 0]
    payload.appendLittleEndian(milliseconds)
    payload.appendLittleEndian(backup | force)
    payload.appendLittleEndian(uartReceive)
    return UBXCommand(.powerRequest, payload: payload)
  }

  /// Bytes whose edges on the UART input wake a sleeping receiver. The receiver discards the bytes.
  public static var wakeBytes: [UInt8] { [0xFF, 0xFF] }
}
