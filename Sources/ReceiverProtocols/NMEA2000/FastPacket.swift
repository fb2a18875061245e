import Quantities

/// The frames of messages with more than eight bytes: at most 223 bytes in 32 frames. The first byte
/// of each has a sequence number (3 bits) and the frame's number (5 bits); the second byte of the
/// first frame is the length.
/// - Source: canboat 9.0.0, "Fast packet"; checked against the recording `candumpSample3.txt` of
///   canboat.
public enum FastPacket {
  /// The greatest length of a message, bytes.
  public static var mostBytes: Int { firstBytes + 31 * nextBytes }
  private static var firstBytes: Int { 6 }
  private static var nextBytes: Int { 7 }

  /// Splits a message.
  /// - Parameters:
  ///   - bytes: The message.
  ///   - header: Its header.
  ///   - sequence: A number that differs from that of the header's previous message, 0 to 7.
  /// - Returns: The frames; none for a message that is too long.
  public static func frames(
    of bytes: [UInt8], _ header: MessageHeader, sequence: UInt8
  ) -> [CANFrame] {
    guard bytes.count <= mostBytes else { return [] }
    let tag = (sequence & 7) << 5
    func frame(_ start: [UInt8], _ part: ArraySlice<UInt8>) -> CANFrame {
      let padding = repeatElement(UInt8.max, count: CANFrame.mostBytes - start.count - part.count)
      return CANFrame(identifier: header.identifier, start + part + padding)
    }
    var frames = [frame([tag, UInt8(bytes.count)], bytes.prefix(firstBytes))]
    var rest = bytes.dropFirst(firstBytes)
    while !rest.isEmpty {
      frames.append(frame([tag | UInt8(frames.count)], rest.prefix(nextBytes)))
      rest = rest.dropFirst(nextBytes)
    }
    return frames
  }

  /// Joins the frames of fast packets, also where those of several devices alternate. It stores at
  /// most 32 messages; a frame that is missing or comes twice discards its message.
  public struct Assembler: Sendable {
    private static var mostMessages: Int { 32 }
    /// Time after which a message without its next frame is discarded, s: the frames of a message
    /// follow each other within milliseconds, on a full bus within a tenth of a second.
    private static var timeout: Double { 0.75 }

    private struct Draft: Sendable {
      let header: MessageHeader
      let sequence: UInt8
      let length: Int
      var bytes: [UInt8]
      var nextFrame: UInt8 = 1
      var arrival: Timestamp
    }

    private var drafts: [Draft] = []
    /// The messages that were discarded because a frame was missing.
    public private(set) var incomplete = 0

    /// Makes an assembler.
    public init() {}

    /// Adds a frame.
    /// - Returns: The message that it completes; nil for none.
    public mutating func add(_ frame: CANFrame, at now: Timestamp) -> [UInt8]? {
      guard frame.count >= 2 else { return nil }
      let header = MessageHeader(frame.identifier)
      let (sequence, number) = (frame[0] >> 5, frame[0] & 0x1F)
      let index = drafts.firstIndex {
        $0.header.source == header.source && $0.header.pgn == header.pgn
          && $0.header.destination == header.destination && $0.sequence == sequence
      }
      guard number > 0 else {
        index.map { discard($0) }
        return begin(frame, header, sequence, at: now)
      }
      guard let index else { return nil }
      guard drafts[index].nextFrame == number,
        now.seconds(since: drafts[index].arrival) <= Self.timeout
      else {
        discard(index)
        return nil
      }
      let missing = drafts[index].length - drafts[index].bytes.count
      drafts[index].bytes += frame.bytes.dropFirst().prefix(missing)
      (drafts[index].nextFrame, drafts[index].arrival) = (number + 1, now)
      // A frame that is shorter than its part leaves a gap.
      guard drafts[index].bytes.count < drafts[index].length else {
        return drafts.remove(at: index).bytes
      }
      if frame.count < CANFrame.mostBytes || number == 31 { discard(index) }
      return nil
    }

    private mutating func begin(
      _ frame: CANFrame, _ header: MessageHeader, _ sequence: UInt8, at now: Timestamp
    ) -> [UInt8]? {
      let length = Int(frame[1])
      guard length <= FastPacket.mostBytes else { return nil }
      let bytes = Array(frame.bytes.dropFirst(2).prefix(length))
      guard bytes.count < length else { return bytes }
      guard bytes.count == FastPacket.firstBytes else { return nil }
      // The oldest is the most probable to have lost a frame.
      if drafts.count == Self.mostMessages { discard(0) }
      drafts.append(
        Draft(header: header, sequence: sequence, length: length, bytes: bytes, arrival: now))
      return nil
    }

    private mutating func discard(_ index: Int) {
      drafts.remove(at: index)
      incomplete += 1
    }
  }
}
