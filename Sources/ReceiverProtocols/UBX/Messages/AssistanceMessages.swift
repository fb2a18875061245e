/// MGA-ACK-DATA0 (0x13 0x60): whether a receiver uses an assistance message.
/// - Source: u-blox ZED-F9P interface description UBX-18010854 R04, 5.12.1; pyubx2 1.4.0.
public struct MgaAck: Equatable, Sendable, UBXPayload {
  static var shortestPayload: Int { 8 }

  /// Why a receiver does not use a message.
  public enum Reason: UInt8, Sendable {
    /// It uses it.
    case accepted = 0
    /// It does not know the time.
    case timeUnknown
    /// The message's version is not supported.
    case version
    /// The message's length does not match its version.
    case length
    /// It could not be stored.
    case storage
    /// The receiver is not ready.
    case notReady
    /// The message's type is unknown.
    case type
  }

  /// True where the receiver uses the message.
  public var isAccepted: Bool
  /// The reason; nil for a value that u-blox has not defined.
  public var reason: Reason?
  /// The message's number within class 0x13.
  public var number: UInt8
  /// The first four bytes of the message's payload; after a poll of the navigation database the
  /// number of messages that were sent.
  public var payloadStart: UInt32

  init(_ fields: UBXFields) {
    isAccepted = fields.u1(0) == 1
    reason = Reason(rawValue: fields.u1(2))
    (number, payloadStart) = (fields.u1(3), fields.u4(4))
  }
}

/// MGA-DBD (0x13 0x80): an entry of the navigation database, for the same receiver only.
/// - Source: u-blox ZED-F9P interface description UBX-18010854 R04, 5.12.3.2; pyubx2 1.4.0.
public struct MgaDBD: UBXPayload {
  static var shortestPayload: Int { 12 }

  /// The number of bytes after the reserved ones, whose layout is the firmware's.
  public var dataBytes: Int

  init(_ fields: UBXFields) { dataBytes = fields.count - Self.shortestPayload }
}

/// NAV-AOPSTATUS (0x01 0x60): the state of AssistNow Autonomous, the receiver's own prediction of
/// orbits.
/// - Source: u-blox M8 receiver description UBX-13003221; pyubx2 1.4.0.
public struct NavAOPStatus: Equatable, Sendable, UBXPayload {
  static var shortestPayload: Int { 16 }

  /// GPS time of week of the navigation epoch.
  public var timeOfWeekMilliseconds: UInt32
  /// True where the prediction is switched on.
  public var isOn: Bool
  /// True while it computes: the power should not be switched off.
  public var isBusy: Bool

  init(_ fields: UBXFields) {
    timeOfWeekMilliseconds = fields.u4(0)
    (isOn, isBusy) = (fields.u1(4).bit(0), fields.u1(5) != 0)
  }
}

/// SEC-UNIQID (0x27 0x03): the number of the receiver's chip.
/// - Source: u-blox ZED-F9P interface description UBX-18010854 R04, 5.16.1 (version 1, five bytes);
///   pyubx2 1.4.0 (version 2, six bytes, of u-blox 10).
public struct SecUniqID: Equatable, Sendable, UBXPayload {
  static var shortestPayload: Int { 9 }

  /// The number, its first byte highest.
  public var number: UInt64

  init(_ fields: UBXFields) throws(UBXRejection) {
    let count: Int
    switch fields.u1(0) {
    case 1: count = 5
    case 2: count = 6
    default: throw .unregistered
    }
    guard fields.count >= 4 + count else { throw .malformed }
    number = (0..<count).reduce(0) { $0 << 8 | UInt64(fields.u1(4 + $1)) }
  }
}
