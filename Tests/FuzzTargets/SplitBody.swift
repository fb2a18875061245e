import ReceiverProtocols

/// The same bytes at once, one by one and in pieces: equal sentences, reports and counts.
struct SplitBody: FuzzBody {
  func check(_ input: UnsafeRawBufferPointer) throws(Violation) {
    let whole = Outcome(input, splitAt: [])
    let single = Outcome(input, splitAt: input.indices.dropFirst().map { $0 })
    try expect(whole == single, "bytewise: \(whole.difference(from: single))")
    var generator = InputGenerator(input)
    let cuts = (0..<Int.random(in: 1...8, using: &generator)).map { _ in
      Int.random(in: 0...input.count, using: &generator)
    }
    let pieces = Outcome(input, splitAt: cuts.sorted())
    try expect(whole == pieces, "cut at \(cuts.sorted()): \(whole.difference(from: pieces))")
  }
}

/// All results of a stream.
private struct Outcome: Equatable {
  private let sentences: [DecodedSentence]
  private let reports: [ReceiverReport]
  private let counts: SentenceCounts

  init(_ input: UnsafeRawBufferPointer, splitAt cuts: [Int]) {
    var (sentences, reports): ([DecodedSentence], [ReceiverReport]) = ([], [])
    var stream = Stream()
    var start = 0
    for end in cuts + [input.count] {
      let piece = UnsafeRawBufferPointer(rebasing: input[start..<end])
      stream.push(piece, sentences: { sentences.append($0) }) { reports.append($0) }
      start = end
    }
    stream.finish(sentences: { sentences.append($0) }) { reports.append($0) }
    self.sentences = sentences
    self.reports = reports
    counts = stream.counts
  }

  func difference(from other: Outcome) -> String {
    if sentences != other.sentences {
      return "\(sentences.count) and \(other.sentences.count) sentences"
    }
    if counts != other.counts { return "\(counts) and \(other.counts)" }
    return "\(reports) and \(other.reports)"
  }
}
