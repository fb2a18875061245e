import Configuration
import Quantities
import ReceiverProtocols

/// What a line of sentences has delivered lately, and what it lacks. A value without a clock.
///
/// Receivers and compasses send once a second or more often, so ten seconds without data are a
/// fault. A receiver needs up to a minute for its first position under a free sky, and loses it in
/// a tunnel.
package struct LineWatch {
  /// What the line is for.
  package enum Purpose {
    /// Positions.
    case receiver
    /// Headings.
    case compass
  }

  /// Time without data after which a line is silent, s.
  package static let silenceLimit = 10.0
  /// Time without a position after which it is reported, s.
  package static let positionLimit = 120.0

  private let port: String
  private let purpose: Purpose
  /// Whether the port is a feed in the network.
  private var isFeed: Bool { port.contains("://") }
  /// Whether it is a receiver on an I2C bus or on SPI.
  private var isOnBus: Bool { Board.isOnBus(port) }
  private var lastByte: Timestamp
  private var lastSentence: Timestamp
  private var lastUseful: Timestamp
  private var lastTime: Timestamp?

  package init(_ port: String, for purpose: Purpose, at now: Timestamp) {
    (self.port, self.purpose) = (port, purpose)
    (lastByte, lastSentence, lastUseful) = (now, now, now)
  }

  /// Adds what came at an instant.
  /// - Parameters:
  ///   - bytes: The number of bytes.
  ///   - isSentence: Whether a whole sentence or message with a valid checksum came.
  ///   - isUseful: Whether a position, or a heading of a compass, came.
  ///   - hasTime: Whether a time of day came.
  ///   - now: The instant.
  package mutating func add(
    bytes: Int, isSentence: Bool, isUseful: Bool, hasTime: Bool = false, at now: Timestamp
  ) {
    if bytes > 0 { lastByte = now }
    if isSentence { lastSentence = now }
    if isUseful { lastUseful = now }
    if hasTime { lastTime = now }
  }

  /// Begins again: nothing was expected until now.
  package mutating func restart(at now: Timestamp) { self = LineWatch(port, for: purpose, at: now) }

  /// What the line lacks at an instant; nil for nothing.
  package func lack(at now: Timestamp) -> BoardStatus.Lack? {
    func isSince(_ last: Timestamp) -> Bool { now.seconds(since: last) >= Self.silenceLimit }
    if isSince(lastByte) {
      return missing(
        .silent, "silent", "no data", since: lastByte, now,
        check: isOnBus
          ? "the receiver has power and that messages are enabled on its \(Board.isSPI(port) ? "SPI" : "I2C") port"
          : "the device has power and that its TX is wired to the board's RX")
    }
    if isSince(lastSentence) {
      return missing(
        .unreadable, "without a valid sentence", "bytes, but no valid sentence",
        since: lastSentence, now,
        check: isOnBus
          ? "no other program reads the receiver"
          : "the baud rate in the board file is the device's, and that no other program reads the port"
      )
    }
    let lack = now.seconds(since: lastUseful)
    let time = Self.text(lack)
    switch purpose {
    case .compass where lack >= Self.silenceLimit:
      return BoardStatus.Lack(
        short: "without a heading for \(time)",
        text:
          "\(port): sentences, but no heading for \(time); have the compass send HDG, HDM, HDT or THS"
      )
    case .receiver where lack >= Self.positionLimit:
      let hasTime = lastTime.map { now.seconds(since: $0) < Self.positionLimit } ?? false
      return BoardStatus.Lack(
        short: "without a position for \(time)",
        text: hasTime
          ? "\(port): sentences with the time, but no position for \(time); give the antenna a free view "
            + "of the sky"
          : "\(port): sentences, but neither time nor position for \(time); check the antenna and its "
            + "plug, and that the device is a GNSS receiver")
    case .compass, .receiver: return nil
    }
  }

  /// The lack of data or of valid sentences, with what to check at a wired port.
  private func missing(
    _ cause: FixLoss.Cause, _ short: String, _ text: String, since last: Timestamp,
    _ now: Timestamp, check: String
  ) -> BoardStatus.Lack {
    let time = Self.text(now.seconds(since: last))
    return BoardStatus.Lack(
      short: "\(short) for \(time)",
      text: "\(port): \(text) for \(time); check that "
        + (isFeed ? "NMEA 0183 is sent there" : check), cause: cause)
  }

  /// A duration in few steps, so that the status does not change each second.
  private static func text(_ seconds: Double) -> String {
    switch seconds {
    case ..<60: "\(Int(bounded: seconds / 10) * 10) s"
    case ..<7200: "\(Int(bounded: seconds / 60)) min"
    case ..<172_800: "\(Int(bounded: seconds / 3600)) h"
    default: "\(Int(bounded: seconds / 86_400)) days"
    }
  }
}
