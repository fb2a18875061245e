/// A chip's answers while its data were ready: bytes by the last command to the chip, the register
/// and the number of bytes.
struct RegisterAnswers {
  /// One transfer's bytes.
  struct Answer {
    /// The last command or written byte: MS5611 and BMP180 have temperature and pressure in the
    /// same register.
    let command: UInt8
    let register: UInt8
    let bytes: [UInt8]
  }

  /// The answers of one call to the same read, in their order: a status may change within a call,
  /// and a fill level may be stale at its first read.
  private struct Sequence {
    let command: UInt8
    let register: UInt8
    /// The number of bytes of an answer.
    let count: Int
    /// Where the answers begin in `bytes`, one after another.
    let offset: Int
    let answers: Int
    var next = 0

    func isFor(_ register: UInt8, count: Int, after command: UInt8) -> Bool {
      self.register == register && self.command == command && self.count == count
    }
  }

  private var sequences: [Sequence] = []
  /// Of all answers, so that a sequence is a plain value and a search costs little.
  private var bytes: [UInt8] = []
  /// The number of sequences of calls that gave a sample: they are first, in the order of a call.
  private var steady = 0
  /// The sequence behind the one that answered last, which most probably is the next.
  private var likely = 0

  /// Records the answers of one call of a driver; a call that gave a sample replaces one that gave
  /// none.
  mutating func record(_ call: [Answer], gaveSample: Bool) {
    var rest = call[...]
    while let first = rest.first {
      let isSame = { (answer: Answer) in
        answer.register == first.register && answer.command == first.command
          && answer.bytes.count == first.bytes.count
      }
      let answers = rest.filter(isSame)
      rest.removeAll(where: isSame)
      let known = sequences.firstIndex {
        $0.isFor(first.register, count: first.bytes.count, after: first.command)
      }
      if let known {
        guard gaveSample else { continue }
        sequences.remove(at: known)
        if known < steady { steady -= 1 }
      }
      let sequence = Sequence(
        command: first.command, register: first.register, count: first.bytes.count,
        offset: bytes.count, answers: answers.count)
      for answer in answers { bytes += answer.bytes }
      sequences.insert(sequence, at: gaveSample ? steady : sequences.count)
      if gaveSample { steady += 1 }
    }
  }

  /// Begins each sequence again, for a new call.
  mutating func begin() {
    for place in sequences.indices { sequences[place].next = 0 }
    likely = 0
  }

  /// Answers a read after this command, or after any; false for a read that was not recorded. Reads
  /// beyond the recorded ones get the last answer again.
  mutating func fill(
    _ target: UnsafeMutableRawBufferPointer, from register: UInt8, after command: UInt8?
  ) -> Bool {
    for step in sequences.indices {
      let place = likely + step < sequences.count ? likely + step : likely + step - sequences.count
      let known = sequences[place]
      guard known.isFor(register, count: target.count, after: command ?? known.command) else {
        continue
      }
      bytes.withUnsafeBytes {
        let begin = known.offset + known.next * known.count
        target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[begin..<begin + known.count]))
      }
      if known.next + 1 < known.answers { sequences[place].next = known.next + 1 }
      likely = place + 1 < sequences.count ? place + 1 : 0
      return true
    }
    return false
  }
}
