import Quantities
import ReceiverProtocols

/// A decoded sentence and its talker.
struct DecodedSentence: Equatable {
  let talker: Talker
  let sentence: NMEASentence
}

/// Decodes bytes in chunks that end at the given positions.
func decode(_ bytes: [UInt8], splitAt positions: [Int] = []) -> (
  sentences: [DecodedSentence], SentenceCounts
) {
  var sentences: [DecodedSentence] = []
  let counts = decode(bytes, splitAt: positions) { message in
    if case .sentence(let sentence, let talker) = message {
      sentences.append(DecodedSentence(talker: talker, sentence: sentence))
    }
  }
  return (sentences, counts)
}

/// Decodes bytes in chunks that end at the given positions, and calls `body` with every message.
@discardableResult
func decode(
  _ bytes: [UInt8], splitAt positions: [Int] = [], _ body: (ReceiverMessage) -> Void
) -> SentenceCounts {
  var decoder = ReceiverDecoder()
  var start = 0
  bytes.withUnsafeBytes { all in
    for end in positions + [bytes.count] {
      decoder.push(UnsafeRawBufferPointer(rebasing: all[start..<end]), body)
      start = end
    }
  }
  decoder.finish(body)
  return decoder.counts
}

func decode(_ text: String) -> (sentences: [DecodedSentence], SentenceCounts) {
  decode(Array(text.utf8))
}

/// `$…*hh` and the line end, with a checksum that is independent of the code under test.
func sentence(_ body: String) -> String {
  var sum: UInt8 = 0
  for byte in body.utf8 { sum = sum ^ byte }
  let digits = String(sum, radix: 16, uppercase: true)
  return "$\(body)*\(digits.count < 2 ? "0" : "")\(digits)\r\n"
}

/// A UBX frame around a payload.
func ubx(_ payload: [UInt8]) -> [UInt8] {
  let body = [0x01, 0x07, UInt8(payload.count & 255), UInt8(payload.count >> 8)] + payload
  var (a, b): (UInt8, UInt8) = (0, 0)
  for byte in body {
    a = a &+ byte
    b = b &+ a
  }
  return [0xB5, 0x62] + body + [a, b]
}

/// All reports of a stream.
func reports(
  _ bytes: [UInt8], splitAt positions: [Int] = [], dates: DateCorrection = .none
) -> [ReceiverReport] {
  var sources = PositionSources(dates: dates)
  var all: [ReceiverReport] = []
  var index: UInt64 = 0
  decode(bytes, splitAt: positions) { message in
    sources.add(message, at: Timestamp(nanoseconds: index)) { all.append($0) }
    index += 1
  }
  sources.finish { all.append($0) }
  return all
}

func epochs(_ text: String, dates: DateCorrection = .none) -> [ReceiverEpoch] {
  reports(Array(text.utf8), dates: dates).compactMap {
    if case .epoch(let epoch) = $0 { epoch } else { nil }
  }
}
