import Quantities
import ReceiverProtocols

/// Chooses the bytes that put the receiver of a serial line to sleep or wake it, from the demand
/// and from what the receiver sends. It has no clock and no port.
struct ReceiverSleeper {
  /// Time after the command in which a receiver may still finish its output, s.
  private static let outputTail = 2.0
  /// Shortest interval between sleep commands to a receiver that still sends, s.
  private static let commandInterval = 10.0
  /// Number of commands without effect after which no more are sent.
  private static let tries = 3
  /// Longest sleep by one command, s: limits the silence after a crash of the program. For a longer
  /// sleep the command is sent again when the receiver wakes.
  static let longestCommand = 3600.0

  private var commanded: Timestamp?
  private var lastReceived: Timestamp?
  private var failedTries = 0

  /// True if the sleep command was sent and the receiver has not been woken.
  var isCommanded: Bool { commanded != nil }
  /// True if the receiver ignores the sleep command; its fixes are withheld nevertheless.
  var isIgnored: Bool { failedTries >= Self.tries }

  /// Records that the receiver has sent bytes.
  mutating func received(at now: Timestamp) { lastReceived = now }

  /// The sleep command, if one is due; nil for none.
  /// - Parameters:
  ///   - now: The instant.
  ///   - remaining: The remaining time of the sleep, s; nil for a sleep without an end.
  ///   - version: The receiver's version.
  /// - Returns: The command to send.
  mutating func sleep(
    at now: Timestamp, remaining: Double?, _ version: UBXVersion
  ) -> UBXCommand? {
    guard !isIgnored else { return nil }
    if let commanded {
      guard let lastReceived, lastReceived.seconds(since: commanded) > Self.outputTail,
        now.seconds(since: commanded) >= Self.commandInterval
      else { return nil }
      // After a longer silence the command was obeyed and the sleep has ended.
      let silence = lastReceived.seconds(since: commanded)
      failedTries = silence > Self.commandInterval + Self.outputTail ? 0 : failedTries + 1
      guard !isIgnored else { return nil }
    }
    let seconds = min(remaining ?? Self.longestCommand, Self.longestCommand)
    // A shorter sleep is not worth a command.
    guard seconds >= 1 else { return nil }
    (commanded, lastReceived) = (now, nil)
    return .sleep(
      milliseconds: UInt32(bounded: seconds * 1000), protocolMajor: version.protocolMajor)
  }

  /// The bytes that wake the receiver; nil if no sleep command was sent.
  mutating func wake() -> [UInt8]? {
    guard commanded != nil else { return nil }
    (commanded, lastReceived) = (nil, nil)
    return UBXCommand.wakeBytes
  }
}
