import ReceiverProtocols
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(30))) struct FramingTests {
  private let good = sentence("HCHDT,107.2,T")

  @Test("Checksums are accepted in either case; a wrong one rejects the sentence")
  func checksums() {
    let (sentences, counts) = decode("$GPHDT,274.07,T*03\r\n$GPHDT,1.0,T*ff\r\n$GPHDT,1.0,T*zz\r\n")
    #expect(sentences.count == 1)
    #expect(counts.badChecksum == 2)
    let lower = sentence("HCHDM,238.5,M").lowercasedChecksum
    #expect(decode(lower).sentences.count == 1)
  }

  @Test("A missing checksum is accepted until the same type has come with one")
  func missingChecksums() {
    let bare = "$HCHDT,107.2,T\r\n"
    #expect(decode(bare).sentences.count == 1)
    let (sentences, counts) = decode(bare + good + bare)
    #expect(sentences.count == 2)
    #expect(counts.missingChecksum == 1)
    #expect(decode("$GPGGA,120000,4500.0,N,00000.0,E,1,07,1.5\r\n").sentences.isEmpty, "cut short")
  }

  @Test("A truncated sentence does not affect the next one")
  func cutSentences() {
    let unfinished = [
      "$GPGGA,1200", "$GPRMC,1200,A,\u{0}", "$", "$$$", "$GPHDT,1,T*", "$GPHDT,1,T*0",
    ]
    for broken in unfinished {
      let (sentences, _) = decode(broken + good)
      #expect(sentences.count == 1, "after \(broken)")
    }
  }

  @Test(
    "Sentences above 82 characters are accepted, longer ones than 1023 rejected")
  func longSentences() {
    func text(_ tail: String, _ n: Int) -> String {
      sentence("HCHDT,1.0,T," + String(repeating: tail, count: n))
    }
    // 13 characters before the tail; the limit counts from `$` to the last digit of the checksum.
    for (tail, longest) in [("x", 1023 - 13), (",", 1023 - 13)] {
      #expect(decode(text(tail, longest)).sentences.count == 1, "\(longest) of \(tail)")
      let (sentences, counts) = decode(text(tail, longest + 1) + good)
      #expect(sentences.count == 1)
      #expect(counts.tooLong == 1, "\(longest + 1) of \(tail)")
    }
  }

  @Test("A sentence inside a UBX payload is payload")
  func sentenceInUBX() {
    let (sentences, counts) = decode(ubx(Array(good.utf8)) + Array(good.utf8))
    #expect(sentences.count == 1)
    #expect(counts.ubxFrames == 1)
  }

  @Test("A UBX frame with a corrupt length or checksum hides no sentence")
  func corruptUBX() {
    for length in [0, 5, 40, 300, 4000, 4096, 4097, 65_535] {
      var frame = ubx([1, 2, 3, 4, 5])
      frame[4] = UInt8(length & 255)
      frame[5] = UInt8(length >> 8)
      let (sentences, _) = decode(frame + Array((good + good + good).utf8))
      #expect(sentences.count == 3 || length == 5, "length \(length)")
    }
    var cut = ubx(Array(repeating: 7, count: 100))
    cut.removeLast(50)
    #expect(decode(cut + Array(good.utf8)).sentences.count == 1)
  }

  @Test("An RTCM 3 frame is recognised by its checksum")
  func rtcm3() {
    // Message 1005 from RTCM 10403.x, section 4.2 "example".
    let frame: [UInt8] = [
      0xD3, 0x00, 0x13, 0x3E, 0xD7, 0xD3, 0x02, 0x02, 0x98, 0x0E, 0xDE, 0xEF, 0x34, 0xB4, 0xBD,
      0x62, 0xAC, 0x09, 0x41, 0x98, 0x6F, 0x33, 0x36, 0x0B, 0x98,
    ]
    let (sentences, counts) = decode(Array(good.utf8) + frame + Array(good.utf8))
    #expect(sentences.count == 2)
    #expect(counts.rtcm3Frames == 1)
    #expect(counts.noiseBytes == 0)
  }

  @Test("Random bytes never stop the decoder, and all valid sentences among them are decoded")
  func noise() {
    var generator = SeededGenerator(seed: 20_260_301)
    var bytes: [UInt8] = []
    let count = 2000
    for _ in 0..<count {
      for _ in 0..<Int.random(in: 0..<120, using: &generator) {
        bytes.append(UInt8.random(in: 0...255, using: &generator))
      }
      bytes.append(contentsOf: good.utf8)
    }
    let (sentences, counts) = decode(bytes)
    #expect(sentences.count == count)
    #expect(sentences.allSatisfy { $0 == sentences.first })
    #expect(counts.noiseBytes > 0)
  }

  @Test("Noise of the bytes that frames start with does not stop the decoder")
  func adversarialNoise() {
    var generator = SeededGenerator(seed: 7)
    let alphabet: [UInt8] = [0xB5, 0x62, 0xD3, 0x00, 0x01] + Array("$*,GPA0F\r\n!".utf8)
    let noise = (0..<200_000).map { _ in
      alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
    }
    let whole = decode(noise + Array(good.utf8))
    #expect(whole.sentences.last?.sentence == decode(good).sentences.first?.sentence)
    let bytewise = decode(noise + Array(good.utf8), splitAt: Array(1..<noise.count))
    #expect(whole.sentences == bytewise.sentences)
    #expect(whole.1 == bytewise.1)
  }
}

extension String {
  fileprivate var lowercasedChecksum: String {
    guard let star = lastIndex(of: "*") else { return self }
    return self[..<star] + self[star...].lowercased()
  }
}
