/// Cuts a receiver's byte stream into sentences and binary frames, whatever lies between them.
///
/// A binary frame counts only with a good checksum. Until its last byte is there its bytes wait in the
/// buffer; where the checksum fails, the search goes on one byte after the false start, so nothing
/// that followed a corrupt length is lost. Frames depend on the bytes only, never on how they were
/// split. The buffer is allocated once.
public struct ReceiverFramer: Sendable {
  /// Bytes from `$` to the last before the line's end. The standard says 82; receivers exceed it.
  public static var longestSentence: Int { 255 }
  /// Longest UBX payload that is believed; receivers' largest (raw measurements) stays below 4 KiB,
  /// and a corrupt length can hold sentences back no longer than this.
  static var longestUBXPayload: Int { 4096 }
  private static var capacity: Int { 16_384 }

  private enum State { case idle, sentence, ubx, rtcm3 }

  private var buffer = [UInt8](repeating: 0, count: capacity)
  /// Where the sentence's commas lie, from its address on, and what its bytes add up to so far.
  private var commas = CommaPositions()
  private var (commaCount, sum) = (0, UInt8(0))
  private var state = State.idle
  /// The frame's first byte, the next byte to look at, and the end of what came in.
  private var (head, cursor, tail) = (0, 0, 0)
  /// Bytes that belong to no frame, line ends apart.
  public private(set) var noiseBytes: Int64 = 0

  /// Makes a framer that has seen nothing.
  public init() {}

  /// Takes in as many of the bytes as there is room for; ask `next` for frames before the rest.
  /// - Returns: how many bytes were taken, at least one where there is one.
  package mutating func fill(from bytes: UnsafeRawBufferPointer) -> Int {
    if tail + bytes.count > Self.capacity { moveToFront() }
    let count = min(bytes.count, Self.capacity - tail)
    if count == 1 {
      buffer[tail] = bytes[0]
    } else if count > 0 {
      let (at, part) = (tail, bytes[..<count])
      buffer.withUnsafeMutableBytes {
        UnsafeMutableRawBufferPointer(rebasing: $0[at...]).copyBytes(from: part)
      }
    }
    tail += count
    return count
  }

  /// The next frame in what came in; nil where more bytes are needed. `atEnd` says that no byte will
  /// follow: what waits is then searched as it is.
  package mutating func next(atEnd: Bool = false) -> ReceiverFrame? {
    while cursor < tail {
      let found: ReceiverFrame?
      switch state {
      case .idle:
        found = nil
        if !findStart(atEnd: atEnd) { return nil }
      case .sentence:
        guard let ended = readSentence(atEnd: atEnd) else { return nil }
        found = ended
      case .ubx, .rtcm3:
        switch readBinary() {
        case .some(let frame): found = frame
        case nil where state == .idle: found = nil
        case nil where atEnd:
          giveUpStart()
          found = nil
        case nil: return nil
        }
      }
      if let found { return found }
    }
    return nil
  }

  /// The line has fallen silent: a binary frame that waits for its end was none, and what it holds back is to
  /// be searched. Without that a corrupt length would withhold a slow receiver for minutes.
  mutating func giveUpBinary() {
    if state == .ubx || state == .rtcm3 { giveUpStart() }
  }

  /// The bytes of a frame that `next` just gave.
  @inline(__always)
  package func withBytes<R>(of frame: ReceiverFrame, _ body: (UnsafeBufferPointer<UInt8>) -> R) -> R
  {
    buffer.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[frame.range])) }
  }

  /// The fields of a sentence that `next` just gave.
  @inline(__always)
  func withFields<R>(of frame: ReceiverFrame, _ body: (inout SentenceFields) -> R) -> R {
    withBytes(of: frame) { bytes in
      commas.withBytes(commaCount) { commas in
        var fields = SentenceFields(bytes, commas: commas)
        return body(&fields)
      }
    }
  }

  private mutating func moveToFront() {
    let (from, count) = (head, tail - head)
    buffer.withUnsafeMutableBytes {
      // The two may overlap.
      UnsafeMutableRawBufferPointer(rebasing: $0[..<count])
        .copyMemory(
          from: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer($0)[from..<from + count]))
    }
    (cursor, tail, head) = (cursor - head, tail - head, 0)
  }

  // MARK: Between frames

  /// Moves to the next possible start; false where the bytes do not yet tell.
  private mutating func findStart(atEnd: Bool) -> Bool {
    while cursor < tail {
      let byte = buffer[cursor]
      head = cursor
      switch byte {
      case UInt8(ascii: "$"), UInt8(ascii: "!"):
        state = .sentence
        cursor += 1
        return true
      case 0xB5, 0xD3:
        guard cursor + 1 < tail || atEnd else { return false }
        if cursor + 1 < tail {
          let second = buffer[cursor + 1]
          if byte == 0xB5 ? second == 0x62 : second & 0xFC == 0 {
            state = byte == 0xB5 ? .ubx : .rtcm3
            return true
          }
        }
        noiseBytes += 1
      case UInt8(ascii: "\r"), UInt8(ascii: "\n"): break
      default: noiseBytes += 1
      }
      cursor += 1
    }
    head = cursor
    return true
  }

  private mutating func giveUpStart() {
    noiseBytes += 1
    head += 1
    cursor = head
    state = .idle
  }

  // MARK: Sentences

  /// Reads on to the sentence's end, in one pass: checksum and commas on the way.
  private mutating func readSentence(atEnd: Bool) -> ReceiverFrame? {
    if cursor == head + 1 { (commaCount, sum) = (0, 0) }
    // A sentence too long is given up at the byte that makes it so, however the stream was split.
    let limit = min(tail, head + Self.longestSentence + 1)
    while let byte = skipPlain(to: limit) {
      switch byte {
      case UInt8(ascii: ","):
        commas.set(commaCount, UInt8(truncatingIfNeeded: cursor - head - 1))
        commaCount += 1
      case UInt8(ascii: "*"):
        guard cursor + 2 < tail else {
          // Two digits more would end the sentence; unless something else already ends it.
          if cursor + 1 < tail, FrameChecks.hexDigit(buffer[cursor + 1]) == nil { break }
          if !atEnd { return nil }
          return end(.rejected(.cut), after: tail)
        }
        guard let high = FrameChecks.hexDigit(buffer[cursor + 1]),
          let low = FrameChecks.hexDigit(buffer[cursor + 2])
        else { break }
        let holds = sum == high << 4 | low
        return end(holds ? .sentence : .rejected(.badChecksum), after: cursor + 3)
      case UInt8(ascii: "\r"), UInt8(ascii: "\n"):
        let hasStar = buffer[head..<cursor].contains(UInt8(ascii: "*"))
        return end(hasStar ? .rejected(.badChecksum) : .uncheckedSentence, after: cursor + 1)
      case UInt8(ascii: "$"), ..<0x20, 0x7F...:
        return end(.rejected(.cut), after: cursor)
      default: break
      }
      sum ^= byte
      cursor += 1
    }
    if cursor - head > Self.longestSentence { return end(.rejected(.tooLong), after: cursor) }
    return atEnd ? end(.rejected(.cut), after: tail) : nil
  }

  /// Goes over letters, digits and points; the byte where something else stands, nil at the limit.
  private mutating func skipPlain(to limit: Int) -> UInt8? {
    // From "-" to "~": the bytes that a sentence is mostly made of, and none that has a meaning.
    let (first, span) = (UInt8(ascii: "-"), UInt8(ascii: "~") - UInt8(ascii: "-"))
    let (start, sumSoFar) = (cursor, sum)
    let (end, sum, stop): (Int, UInt8, UInt8?) = buffer.withUnsafeBufferPointer { bytes in
      var (at, sum) = (start, sumSoFar)
      while at < limit {
        let byte = bytes[at]
        if byte &- first > span { return (at, sum, byte) }
        sum ^= byte
        at += 1
      }
      return (at, sum, nil)
    }
    (cursor, self.sum) = (end, sum)
    return stop
  }

  private mutating func end(_ kind: ReceiverFrame.Kind, after next: Int) -> ReceiverFrame {
    let frame = ReceiverFrame(kind: kind, range: head + 1..<max(head + 1, cursor))
    (head, cursor, state) = (next, next, .idle)
    return frame
  }

  // MARK: Binary frames

  /// The frame once it is whole and its checksum holds; nil with the state idle where it is none, and
  /// nil with the state kept where bytes are missing.
  private mutating func readBinary() -> ReceiverFrame? {
    let isUBX = state == .ubx
    let header = isUBX ? 6 : 3
    guard tail - head >= header else { return nil }
    let payload =
      isUBX
      ? Int(buffer[head + 4]) | Int(buffer[head + 5]) << 8
      : Int(buffer[head + 1] & 0x03) << 8 | Int(buffer[head + 2])
    guard !isUBX || payload <= Self.longestUBXPayload else {
      giveUpStart()
      return nil
    }
    let range = head..<head + header + payload + (isUBX ? 2 : 3)
    guard tail >= range.upperBound else { return nil }
    let holds = buffer.withUnsafeBufferPointer {
      isUBX ? FrameChecks.ubxHolds($0, range) : FrameChecks.rtcm3Holds($0, range)
    }
    guard holds else {
      giveUpStart()
      return nil
    }
    (head, cursor, state) = (range.upperBound, range.upperBound, .idle)
    return ReceiverFrame(kind: isUBX ? .ubx : .rtcm3, range: range)
  }
}
