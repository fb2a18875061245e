import Glibc
import Quantities

/// The message digest MD5. It is broken as a signature; casters ask for it in HTTP's digest
/// authentication.
/// - Source: RFC 1321, 3.1 to 3.4.
package enum MD5 {
  /// Left rotations of the four rounds.
  private static let rotations: [[UInt32]] = [
    [7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21],
  ]
  /// The integer parts of 2^32 |sin(i)|, i from 1 to 64 radians.
  private static let sines: [UInt32] = (1...64).map {
    UInt32(truncatingIfNeeded: Int64(bounded: abs(sin(Double($0))) * 4_294_967_296))
  }

  /// The digest of a text's UTF-8 as 32 hexadecimal digits.
  package static func text(_ text: String) -> String {
    hash(Array(text.utf8)).hexadecimalText
  }

  /// The digest of bytes: 16 bytes.
  package static func hash(_ bytes: [UInt8]) -> [UInt8] {
    let (block, lengthAt) = (64, 56)
    var padded = bytes + [0x80]
    padded += [UInt8](
      repeating: 0, count: (lengthAt + block - padded.count % block) % block)
    let bits = UInt64(bytes.count) &* 8
    padded += (0..<8).map { (byte: UInt64) -> UInt8 in
      UInt8(truncatingIfNeeded: bits >> (8 * byte))
    }
    var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476]
    for start in stride(from: 0, to: padded.count, by: block) {
      let words: [UInt32] = (0..<16).map { word in
        // The least significant byte comes first.
        (0..<4).reversed().reduce(0) { (value: UInt32, byte: Int) -> UInt32 in
          value << 8 | UInt32(padded[start + 4 * word + byte])
        }
      }
      add(words, to: &state)
    }
    return state.flatMap { (word: UInt32) -> [UInt8] in
      (0..<4).map { (byte: UInt32) -> UInt8 in UInt8(truncatingIfNeeded: word >> (8 * byte)) }
    }
  }

  private static func add(_ words: [UInt32], to state: inout [UInt32]) {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    for step in 0..<64 {
      let mixed: UInt32
      let word: Int
      switch step / 16 {
      case 0:
        mixed = (b & c) | (~b & d)
        word = step
      case 1:
        mixed = (d & b) | (~d & c)
        word = (5 * step + 1) % 16
      case 2:
        mixed = b ^ c ^ d
        word = (3 * step + 5) % 16
      default:
        mixed = c ^ (b | ~d)
        word = 7 * step % 16
      }
      let sum: UInt32 = a &+ mixed &+ sines[step] &+ words[word]
      let count = rotations[step / 16][step % 4]
      let rotated: UInt32 = sum << count | sum >> (32 - count)
      (a, d, c, b) = (d, c, b, b &+ rotated)
    }
    state[0] &+= a
    state[1] &+= b
    state[2] &+= c
    state[3] &+= d
  }
}
