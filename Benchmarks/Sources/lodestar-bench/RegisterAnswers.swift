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

    func isFor(_ register: UInt8, count: Int, after command: UInt8) -> Bool {
      self.register == register && self.command == command && bytes.count == count
    }
  }

  private var answers: [Answer] = []

  /// Records the answers of one call of a driver. Of several answers of one register the first is
  /// used, such as the fill level of a FIFO; a call that gave a sample replaces one that gave none.
  mutating func record(_ call: [Answer], gaveSample: Bool) {
    var seen: [Answer] = []
    for answer in call where Self.place(of: answer, in: seen) == nil {
      seen.append(answer)
      if let known = Self.place(of: answer, in: answers) {
        guard gaveSample else { continue }
        answers.remove(at: known)
      }
      // Those of the steady state first: they are found soonest.
      answers.insert(answer, at: gaveSample ? 0 : answers.count)
    }
  }

  /// Answers a read after this command, or after any; false for a read that was not recorded.
  func fill(
    _ bytes: UnsafeMutableRawBufferPointer, from register: UInt8, after command: UInt8?
  ) -> Bool {
    // Few entries: a search is quicker than a dictionary.
    for answer in answers
    where answer.isFor(register, count: bytes.count, after: command ?? answer.command) {
      bytes.copyBytes(from: answer.bytes)
      return true
    }
    return false
  }

  private static func place(of answer: Answer, in list: [Answer]) -> Int? {
    list.firstIndex {
      $0.isFor(answer.register, count: answer.bytes.count, after: answer.command)
    }
  }
}
