import Quantities
import ReceiverProtocols

/// Sends the receiver of a serial line to sleep and wakes it: which bytes are due, given what is wanted and what
/// the line says. It has no clock and no port.
struct ReceiverSleeper {
  /// A receiver finishes what it is saying within this after the command, s.
  private static let lastWords = 2.0
  /// One that speaks again in its sleep is told again, but not sooner than after this, s.
  private static let patience = 10.0
  /// One that was told so often in vain does not obey.
  private static let tries = 3
  /// The longest sleep of one command, s: a program that dies leaves a receiver mute no longer. It awakes, says
  /// a few words and is told again.
  static let longestCommand = 3600.0

  private var told: Timestamp?
  private var heard: Timestamp?
  private var vain = 0

  /// True where the receiver was told to sleep and has not been woken.
  var isTold: Bool { told != nil }
  /// True where the receiver was told in vain: its fixes are withheld, that is all.
  var isDisobedient: Bool { vain >= Self.tries }

  /// Takes note that the line said something.
  mutating func hear(at now: Timestamp) { heard = now }

  /// The command that is due while the receiver is to be asleep; nil for none.
  /// - Parameters:
  ///   - now: The instant.
  ///   - remaining: What is left of the sleep, s; nil where that has no end.
  ///   - version: Which receiver it is.
  /// - Returns: What is to be sent.
  mutating func sleep(
    at now: Timestamp, remaining: Double?, _ version: UBXVersion
  ) -> UBXCommand? {
    guard !isDisobedient else { return nil }
    if let told {
      guard let heard, heard.seconds(since: told) > Self.lastWords,
        now.seconds(since: told) >= Self.patience
      else { return nil }
      // One that has slept as long as it was told has obeyed.
      let silence = heard.seconds(since: told)
      vain = silence > Self.patience + Self.lastWords ? 0 : vain + 1
      guard !isDisobedient else { return nil }
    }
    let seconds = min(remaining ?? Self.longestCommand, Self.longestCommand)
    // Less is over before it has begun.
    guard seconds >= 1 else { return nil }
    (told, heard) = (now, nil)
    return .sleep(milliseconds: UInt32(seconds * 1000), protocolMajor: version.protocolMajor)
  }

  /// What wakes the receiver; nil where it was not told to sleep.
  mutating func wake() -> [UInt8]? {
    guard told != nil else { return nil }
    (told, heard) = (nil, nil)
    return UBXCommand.wakeBytes
  }
}
