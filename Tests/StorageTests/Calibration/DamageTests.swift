import Foundation
import Quantities
import Storage
import TestSupport
import Testing

@Suite("Damaged profiles", .timeLimit(.minutes(30)))
struct DamageTests {
  private func read(_ bytes: [UInt8], isChecked: Bool = true) -> CalibrationProfile? {
    do { return try CalibrationProfile(json: bytes, isChecked: isChecked) } catch { return nil }
  }

  @Test("a change of any byte is detected, or does not change the content")
  func changedBytes() {
    var generator = SeededGenerator(seed: 1)
    var changedLayout = 0
    var lean = Fixtures.full()
    lean.fit.covariance = nil
    lean.deviation?.covariance = [1]
    // The matrices have thousands of digits: with them only every eleventh byte.
    for (profile, step) in [(lean, 1), (Fixtures.full(), 11)] {
      let bytes = Array(profile.json.utf8)
      for index in stride(from: 0, to: bytes.count, by: step) {
        var damaged = bytes
        damaged[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        if let read = read(damaged) {
          #expect(read == profile, "byte \(index) of \(bytes.count)")
          changedLayout += 1
        }
        // Reading must end for any change, also without the check of the checksum.
        _ = self.read(damaged, isChecked: false)
      }
    }
    // Only space between values and equal spellings of numbers are accepted.
    #expect(changedLayout < 400)
  }

  @Test("a change of a digit to any other is detected")
  func changedDigits() {
    let bytes = Array(Fixtures.small().json.utf8)
    for index in bytes.indices where (0x30...0x39).contains(bytes[index]) {
      for digit: UInt8 in 0x30...0x39 where digit != bytes[index] {
        var damaged = bytes
        damaged[index] = digit
        #expect(read(damaged) == nil, "byte \(index) to \(digit)")
      }
    }
  }

  @Test("a truncated file is refused at every length")
  func truncated() {
    let bytes = Array(Fixtures.small().json.utf8)
    // Up to the closing brace; the line feed after it is optional.
    for length in 0..<bytes.count - 1 { #expect(read(Array(bytes[..<length])) == nil, "\(length)") }
  }

  @Test("blocks of zeros and of another profile are detected")
  func blocks() {
    let (bytes, other) = (
      Array(Fixtures.full().json.utf8), Array(Fixtures.small(hardIron: 13).json.utf8)
    )
    for start in stride(from: 0, to: bytes.count, by: 64) {
      let end = min(start + 64, bytes.count)
      var damaged = bytes
      damaged.replaceSubrange(start..<end, with: Array(repeating: 0, count: end - start))
      #expect(read(damaged) == nil)
      damaged.replaceSubrange(start..<end, with: other[100..<100 + end - start])
      #expect(read(damaged) == nil)
    }
  }

  @Test("a damaged newest file is refused with its path and reason, the previous one is used")
  func previous() throws {
    let folder = try TemporaryFolder()
    let store = ProfileStore(directory: folder.path)
    let first = try store.save(Fixtures.small(hardIron: 1))
    let second = try store.save(Fixtures.small(hardIron: 2))
    let third = try store.save(Fixtures.small(hardIron: 3))
    let text = try String(contentsOfFile: third.path, encoding: .utf8)
    try Data(text.replacingOccurrences(of: "[3, ", with: "[4, ").utf8)
      .write(to: URL(fileURLWithPath: third.path))
    try Data(text.utf8.dropLast(100)).write(to: URL(fileURLWithPath: second.path))
    let current = try store.current(for: Fixtures.identity)
    #expect(current.stored?.profile == first.profile)
    #expect(current.refusals.map(\.path) == [third.path, second.path])
    let lines = current.refusals.map(\.description)
    #expect(lines[0].hasPrefix(third.path) && lines[0].contains("damaged"))
    #expect(lines[1].contains("line ") && lines[1].contains("too early"))
    // A damaged file keeps its number: the next one is newer.
    #expect(try store.save(Fixtures.small()).profile.generation == 4)
    #expect(try store.current(for: Fixtures.identity).refusals.isEmpty)
  }
}
