import Terminal
import Testing

@Suite(.timeLimit(.minutes(30))) struct CalibrationKeyReaderTests {
  private func keys(_ readings: [UInt8]...) -> [CalibrationKey] {
    var reader = CalibrationKeyReader()
    return readings.flatMap { reader.read($0) }
  }

  @Test(
    "Each key of the footer has its meaning, with shift too",
    arguments: [
      ("q", CalibrationKey.stop), ("s", .save), ("u", .undo), ("r", .restart), ("p", .pause),
      (" ", .pause), ("?", .help), ("h", .help), ("c", .colours), ("y", .yes), ("n", .no),
      ("\r", .enter), ("\n", .enter), ("\u{3}", .interrupt), ("\u{1C}", .interrupt),
      ("x", .other), ("Q", .stop), ("S", .save), ("Y", .yes),
    ])
  func letters(text: String, key: CalibrationKey) {
    #expect(keys(Array(text.utf8)) == [key])
  }

  @Test("The sequence of an arrow or function key is one other key, also in pieces")
  func sequences() {
    for sequence in ["\u{1B}[A", "\u{1B}OQ", "\u{1B}[1;5C", "\u{1B}[15~", "\u{1B}[200~"] {
      let bytes = Array(sequence.utf8)
      #expect(keys(bytes) == [.other], "\(sequence)")
      for cut in 1..<bytes.count {
        #expect(keys(Array(bytes[..<cut]), Array(bytes[cut...])) == [.other], "\(sequence) \(cut)")
      }
    }
  }

  @Test("Esc counts if nothing follows it")
  func escape() {
    #expect(keys([27]).isEmpty)
    #expect(keys([27], []) == [.escape])
    #expect(keys([27, 27], []) == [.escape, .escape])
    #expect(keys([], [], []).isEmpty)
    #expect(keys([27], [], [UInt8(ascii: "s")]) == [.escape, .save])
  }

  @Test("A letter with Alt is not that letter")
  func alt() {
    #expect(keys(Array("\u{1B}s".utf8), []) == [.other])
  }

  @Test("Ctrl-C is recognised in the middle of a sequence")
  func interrupt() {
    #expect(keys([27, UInt8(ascii: "["), 3]) == [.interrupt])
    #expect(keys([27, 3, UInt8(ascii: "u")]) == [.interrupt, .undo])
  }

  @Test("An incomplete sequence is discarded after a pause")
  func broken() {
    #expect(keys(Array("\u{1B}[1".utf8), [], Array("s".utf8)) == [.save])
  }

  @Test("A letter beyond ASCII is one key, and none of the footer's")
  func beyondASCII() {
    #expect(keys(Array("ä".utf8)) == [.other])
    #expect(keys(Array("→s".utf8)) == [.other, .save])
  }
}
