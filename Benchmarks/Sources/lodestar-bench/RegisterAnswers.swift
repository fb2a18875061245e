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
    let count: Int
    var answers: [[UInt8]]
    var next = 0

    init(_ first: Answer) {
      (command, register, count) = (first.command, first.register, first.bytes.count)
      answers = [first.bytes]
    }

    func isFor(_ register: UInt8, count: Int, after command: UInt8) -> Bool {
      self.register == register && self.command == command && self.count == count
    }
  }

  private var sequences: [Sequence] = []

  /// Records the answers of one call of a driver; a call that gave a sample replaces one that gave
  /// none.
  mutating func record(_ call: [Answer], gaveSample: Bool) {
    var new: [Sequence] = []
    for answer in call {
      if let place = Self.place(
        of: answer.register, count: answer.bytes.count, after: answer.command, in: new)
      {
        new[place].answers.append(answer.bytes)
      } else {
        new.append(Sequence(answer))
      }
    }
    for sequence in new {
      if let known = Self.place(
        of: sequence.register, count: sequence.count, after: sequence.command, in: sequences)
      {
        guard gaveSample else { continue }
        sequences.remove(at: known)
      }
      // Those of the steady state first: they are found soonest.
      sequences.insert(sequence, at: gaveSample ? 0 : sequences.count)
    }
  }

  /// Begins each sequence again, for a new call.
  mutating func begin() {
    for place in sequences.indices { sequences[place].next = 0 }
  }

  /// Answers a read after this command, or after any; false for a read that was not recorded. Reads
  /// beyond the recorded ones get the last answer again.
  mutating func fill(
    _ bytes: UnsafeMutableRawBufferPointer, from register: UInt8, after command: UInt8?
  ) -> Bool {
    // Few entries: a search is quicker than a dictionary.
    for place in sequences.indices
    where sequences[place].isFor(
      register, count: bytes.count, after: command ?? sequences[place].command)
    {
      let next = sequences[place].next
      bytes.copyBytes(from: sequences[place].answers[next])
      if next + 1 < sequences[place].answers.count { sequences[place].next = next + 1 }
      return true
    }
    return false
  }

  private static func place(
    of register: UInt8, count: Int, after command: UInt8, in list: [Sequence]
  ) -> Int? {
    list.firstIndex { $0.isFor(register, count: count, after: command) }
  }
}
