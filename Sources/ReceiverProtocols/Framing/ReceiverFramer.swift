import Quantities

/// Divides a receiver's byte stream into sentences and binary frames and skips all other bytes.
///
/// A binary frame needs a valid checksum. Its bytes stay in the buffer until the last one is
/// received. Where the checksum is invalid, the search continues one byte after the false start, so
/// that no bytes after a corrupt length are lost. Frames depend on the bytes alone, not on how they
/// were split. The buffer is allocated once.
public struct ReceiverFramer: Sendable {
  /// Most bytes from `$` to before the line end. The standard limits them to 82, which receivers
  /// exceed: u-blox' PUBX,03 and Ashtech's SAT have all satellites in one sentence.
  public static var longestSentence: Int { 1023 }
  /// Most bytes of a log in ASCII, to before its CRC; those with raw measurements are the longest.
  package static var longestLog: Int { 8191 }
  private static var capacity: Int { 16_384 }

  private enum State: Equatable { case idle, sentence, log, binary(BinaryFormat) }

  private var buffer = [UInt8](repeating: 0, count: capacity)
  /// The positions of the sentence's commas, counted from its address, and its checksum so far.
  private var commas = [UInt16](repeating: 0, count: longestSentence)
  private var (commaCount, sum) = (0, UInt8(0))
  /// The number of fields in a log's header, which ends with a semicolon; nil before it.
  private var headerFields: Int?
  private var state = State.idle
  /// The frame's first byte, the next byte to read, and the end of the received bytes.
  private var (head, cursor, tail) = (0, 0, 0)
  private var sums = FrameSums()
  /// Bytes outside any frame, except line ends.
  public private(set) var noiseBytes: Int64 = 0

  /// Makes a framer at the start of a stream.
  public init() {}

  /// How many bytes have entered the checksums of binary frames, false starts included.
  package var checkedBytes: Int64 { sums.addedBytes }

  /// Copies bytes into the free space of the buffer. If some do not fit, call `next` until it
  /// returns nil, then copy the rest.
  /// - Returns: The number of copied bytes, at least one unless `bytes` is empty.
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

  /// The next frame in the buffer; nil where more bytes are needed. `atEnd` means that no bytes
  /// will follow, so that incomplete frames are ended.
  package mutating func next(atEnd: Bool = false) -> ReceiverFrame? {
    while cursor < tail {
      let found: ReceiverFrame?
      switch state {
      case .idle:
        found = nil
        if !findStart(atEnd: atEnd) { return nil }
      case .sentence where cursor == head + 1 && beginsSBF:
        (state, cursor) = (.binary(.sbf), head)
        found = nil
      case .sentence:
        guard let ended = readSentence(atEnd: atEnd) else { return nil }
        found = ended
      case .log:
        switch readLog(atEnd: atEnd) {
        case .some(let frame): found = frame
        case nil where state == .idle: found = nil
        case nil: return nil
        }
      case .binary(let format):
        switch readBinary(format) {
        case .some(let frame): found = frame
        case nil where state == .idle: found = nil
        case nil where atEnd:
          skipFalseStart()
          found = nil
        case nil: return nil
        }
      }
      if let found { return found }
    }
    return nil
  }

  /// Abandons an incomplete binary frame, because the line is silent, so that `next` searches its
  /// bytes. Otherwise a corrupt length could hold back a slow receiver's sentences for minutes.
  mutating func abandonBinaryFrame() {
    if case .binary = state { skipFalseStart() }
  }

  /// The bytes of the frame that `next` has just returned.
  @inline(__always)
  package func withBytes<R>(of frame: ReceiverFrame, _ body: (UnsafeBufferPointer<UInt8>) -> R) -> R
  {
    buffer.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[frame.range])) }
  }

  /// The bytes of the frame that `next` has just returned, for a sentence from its first character
  /// to its checksum.
  package func withReceivedBytes<R>(
    of frame: ReceiverFrame, _ body: (UnsafeBufferPointer<UInt8>) -> R
  ) -> R {
    var range = frame.range
    switch frame.kind {
    // The checksum is `*` and two digits, or eight.
    case .sentence: range = range.lowerBound - 1..<range.upperBound + 3
    case .log: range = range.lowerBound - 1..<range.upperBound + 9
    case .uncheckedSentence, .rejected: range = range.lowerBound - 1..<range.upperBound
    case .ubx, .rtcm3, .sbf, .binaryLog, .casic, .skyTraq, .allystar: break
    }
    return buffer.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[range])) }
  }

  /// The fields of the sentence that `next` has just returned.
  @inline(__always)
  func withFields<R>(of frame: ReceiverFrame, _ body: (inout SentenceFields) -> R) -> R {
    withBytes(of: frame) { bytes in
      commas.withUnsafeBufferPointer { commas in
        var fields = SentenceFields(
          bytes, commas: UnsafeBufferPointer(rebasing: commas[..<commaCount]))
        return body(&fields)
      }
    }
  }

  private mutating func moveToFront() {
    let (from, count) = (head, tail - head)
    buffer.withUnsafeMutableBytes {
      // `copyMemory` allows source and destination to overlap.
      UnsafeMutableRawBufferPointer(rebasing: $0[..<count])
        .copyMemory(
          from: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer($0)[from..<from + count]))
    }
    (cursor, tail, head) = (cursor - head, tail - head, 0)
    sums.bytesMoved()
  }

  // MARK: Between frames

  /// Moves to the next possible start; false where that needs another byte.
  private mutating func findStart(atEnd: Bool) -> Bool {
    while cursor < tail {
      let byte = buffer[cursor]
      head = cursor
      switch byte {
      case UInt8(ascii: "$"), UInt8(ascii: "!"):
        state = .sentence
        cursor += 1
        return true
      case 0xB5, 0xD3, 0xAA, 0xBA, 0xA0, 0xF1, UInt8(ascii: "#"):
        guard cursor + 1 < tail || atEnd else { return false }
        if cursor + 1 < tail, begin(byte, buffer[cursor + 1]) { return true }
        noiseBytes += 1
      case UInt8(ascii: "+"):
        switch beginsModemLine() {
        case nil where !atEnd: return false
        case true?:
          beginModemLine()
          return true
        default: noiseBytes += 1
        }
      case UInt8(ascii: "\r"), UInt8(ascii: "\n"): break
      default: noiseBytes += 1
      }
      cursor += 1
    }
    head = cursor
    return true
  }

  /// Begins a frame with these two bytes; false where none does.
  @inline(never)
  private mutating func begin(_ first: UInt8, _ second: UInt8) -> Bool {
    if first == UInt8(ascii: "#") {
      // All names of logs begin with a capital; other lines with `#` are comments.
      guard second >= UInt8(ascii: "A"), second <= UInt8(ascii: "Z") else { return false }
      (state, commaCount, headerFields) = (.log, 0, nil)
      cursor += 1
      return true
    }
    guard let format = BinaryFormat(first, second) else { return false }
    state = .binary(format)
    return true
  }

  /// True where the `$` at the head begins an SBF block and no sentence.
  private var beginsSBF: Bool {
    buffer[head] == UInt8(ascii: "$") && buffer[head + 1] == UInt8(ascii: "@")
  }

  /// The beginning of a modem's line with its position, which is read as a sentence without a
  /// checksum.
  private static var modemLine: StaticString { "+CGPSINFO:" }

  /// Whether the bytes at the head begin such a line; nil where that needs more of them.
  @inline(never)
  private func beginsModemLine() -> Bool? {
    for offset in 0..<Self.modemLine.utf8CodeUnitCount {
      guard head + offset < tail else { return nil }
      if buffer[head + offset] != Self.modemLine.utf8Start[offset] { return false }
    }
    return true
  }

  @inline(never)
  private mutating func beginModemLine() {
    // The colon separates the name from the first field.
    let colon = Self.modemLine.utf8CodeUnitCount - 1
    commas[0] = UInt16(truncatingIfNeeded: colon - 1)
    (state, commaCount, sum, cursor) = (.sentence, 1, 0, head + colon + 1)
  }

  /// Continues the search one byte after a false start.
  private mutating func skipFalseStart() {
    noiseBytes += 1
    head += 1
    cursor = head
    state = .idle
  }

  // MARK: Sentences

  /// Reads up to the sentence's end and computes its checksum and comma positions in the same pass.
  private mutating func readSentence(atEnd: Bool) -> ReceiverFrame? {
    if cursor == head + 1 { (commaCount, sum) = (0, 0) }
    // A sentence is rejected at the first byte beyond the limit, however the stream was split.
    let limit = min(tail, head + Self.longestSentence + 1)
    while let byte = skipFields(to: limit) {
      switch byte {
      case UInt8(ascii: "*"):
        guard cursor + 2 < tail else {
          // The sentence ends with two more digits, unless the next byte is not a digit.
          if cursor + 1 < tail, buffer[cursor + 1].hexadecimalDigit == nil { break }
          if !atEnd { return nil }
          return end(.rejected(.cut), after: tail)
        }
        guard let high = buffer[cursor + 1].hexadecimalDigit,
          let low = buffer[cursor + 2].hexadecimalDigit
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

  /// Reads letters, digits, points and commas; returns the next other byte, nil at the limit.
  private mutating func skipFields(to limit: Int) -> UInt8? {
    // From "," to "~": most bytes of a sentence, but none of the framing characters.
    let (first, span) = (UInt8(ascii: ","), UInt8(ascii: "~") - UInt8(ascii: ","))
    let (start, address) = (cursor, head + 1)
    var (count, sumSoFar, stop): (Int, UInt8, UInt8?) = (commaCount, sum, nil)
    // Moved out and back, so that the closures need not access `self`.
    var positions: [UInt16] = []
    swap(&positions, &commas)
    cursor = buffer.withUnsafeBufferPointer { bytes in
      positions.withUnsafeMutableBufferPointer { positions in
        var (at, sums) = (start, EightBytes(0))
        while at + 8 <= limit {
          let eight = EightBytes(at: at, in: bytes)
          guard eight.isWithinFields else { break }
          var commas = eight.commas
          while commas != 0 {
            positions[count] = UInt16(
              truncatingIfNeeded: at - address + commas.trailingZeroBitCount / 8)
            count += 1
            commas &= commas - 1
          }
          sums.bits ^= eight.bits
          at += 8
        }
        sumSoFar ^= sums.sum
        while at < limit {
          let byte = bytes[at]
          guard byte &- first <= span else {
            stop = byte
            break
          }
          if byte == UInt8(ascii: ",") {
            positions[count] = UInt16(truncatingIfNeeded: at - address)
            count += 1
          }
          sumSoFar ^= byte
          at += 1
        }
        return at
      }
    }
    swap(&positions, &commas)
    (commaCount, sum) = (count, sumSoFar)
    return stop
  }

  private mutating func end(_ kind: ReceiverFrame.Kind, after next: Int) -> ReceiverFrame {
    let frame = ReceiverFrame(kind: kind, range: head + 1..<max(head + 1, cursor))
    (head, cursor, state) = (next, next, .idle)
    return frame
  }

  // MARK: Logs in ASCII

  /// Reads a log up to its CRC: `#NAME,header;body*` and eight digits. Nil with state `idle` where
  /// it is not a log, nil with the state unchanged where bytes are missing.
  @inline(never)
  private mutating func readLog(atEnd: Bool) -> ReceiverFrame? {
    let (digits, limit) = (8, min(tail, head + Self.longestLog + 1))
    while cursor < limit {
      let byte = buffer[cursor]
      switch byte {
      case UInt8(ascii: ","), UInt8(ascii: ";"):
        if byte == UInt8(ascii: ";"), headerFields == nil { headerFields = commaCount }
        if commaCount < commas.count {
          commas[commaCount] = UInt16(truncatingIfNeeded: cursor - head - 1)
          commaCount += 1
        }
      case UInt8(ascii: "*"):
        var crc: UInt32 = 0
        var count = 0
        while count < digits, cursor + 1 + count < tail,
          let digit = buffer[cursor + 1 + count].hexadecimalDigit
        {
          crc = crc << 4 | UInt32(digit)
          count += 1
        }
        if count < digits {
          if cursor + 1 + count == tail, !atEnd { return nil }
          return endLog(.rejected(.cut), after: cursor + 1)
        }
        let (start, end) = (head + 1, cursor)
        let holds = buffer.withUnsafeBufferPointer {
          NovAtelCRC32.checksum(UnsafeBufferPointer(rebasing: $0[start..<end])) == crc
        }
        return endLog(holds ? .log : .rejected(.badChecksum), after: cursor + 1 + digits)
      case UInt8(ascii: "\r"), UInt8(ascii: "\n"):
        return endLog(.rejected(.missingChecksum), after: cursor)
      case UInt8(ascii: "$"), UInt8(ascii: "#"), ..<0x20, 0x7F...:
        return endLog(.rejected(.cut), after: cursor)
      default: break
      }
      cursor += 1
    }
    if cursor - head > Self.longestLog { return endLog(.rejected(.tooLong), after: cursor) }
    return atEnd ? endLog(.rejected(.cut), after: tail) : nil
  }

  /// Ends a log. Without a header it is a comment or noise.
  private mutating func endLog(_ kind: ReceiverFrame.Kind, after next: Int) -> ReceiverFrame? {
    guard headerFields != nil else {
      skipFalseStart()
      return nil
    }
    return end(kind, after: next)
  }

  // MARK: Binary frames

  /// The frame once it is complete and its checksum is valid. Nil with state `idle` where it is not
  /// a frame, nil with the state unchanged where bytes are missing.
  @inline(never)
  private mutating func readBinary(_ format: BinaryFormat) -> ReceiverFrame? {
    let (start, end) = (head, tail)
    let length = buffer.withUnsafeBufferPointer {
      format.length(UnsafeBufferPointer(rebasing: $0[start..<end]))
    }
    guard let length else { return nil }
    guard length > 0 else {
      skipFalseStart()
      return nil
    }
    let range = head..<head + length
    guard tail >= range.upperBound else { return nil }
    guard sums.holds(format, range, in: buffer) else {
      skipFalseStart()
      return nil
    }
    (head, cursor, state) = (range.upperBound, range.upperBound, .idle)
    return ReceiverFrame(kind: .init(format), range: range)
  }
}

/// Eight bytes of a sentence in one integer, of which the first is the lowest.
private struct EightBytes {
  var bits: UInt64

  init(_ bits: UInt64) { self.bits = bits }

  @inline(__always)
  init(at index: Int, in bytes: UnsafeBufferPointer<UInt8>) {
    let raw = UnsafeRawBufferPointer(bytes)
    bits = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
  }

  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let tops = ones << 7
  private static let commas = ones &* UInt64(UInt8(ascii: ","))

  /// Whether all are from "," to "~".
  @inline(__always)
  var isWithinFields: Bool {
    // The top bit of a byte: of the difference where it is below ",", of the sum where it is above
    // "~".
    let below = (bits &- Self.commas) & ~bits
    let above = (bits &+ Self.ones) | bits
    return (below | above) & Self.tops == 0
  }

  /// The top bit of each byte that is a comma, where all are within fields.
  @inline(__always)
  var commas: UInt64 { ~((bits ^ Self.commas) &+ ~Self.tops) & Self.tops }

  /// The exclusive or of all.
  @inline(__always)
  var sum: UInt8 {
    let four = bits ^ bits >> 32
    let two = four ^ four >> 16
    return UInt8(truncatingIfNeeded: two ^ two >> 8)
  }
}
