import Foundation
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
    UInt32(truncatingIfNeeded: Int(bounded: abs(sin(Double($0))) * 4_294_967_296))
  }

  /// The digest of a text's UTF-8 as 32 hexadecimal digits.
  package static func text(_ text: String) -> String {
    hash(Array(text.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// The digest of bytes: 16 bytes.
  package static func hash(_ bytes: [UInt8]) -> [UInt8] {
    let (block, lengthAt) = (64, 56)
    var padded = bytes + [0x80]
    padded += [UInt8](
      repeating: 0, count: (lengthAt + block - padded.count % block) % block)
    let bits = UInt64(bytes.count) &* 8
    padded += (0..<8).map { UInt8(truncatingIfNeeded: bits >> (8 * UInt64($0))) }
    var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476]
    for start in stride(from: 0, to: padded.count, by: block) {
      let words = (0..<16).map { word in
        (0..<4).reduce(UInt32(0)) { $0 | UInt32(padded[start + 4 * word + $1]) << (8 * UInt32($1)) }
      }
      add(words, to: &state)
    }
    return state.flatMap { word in
      (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * UInt32($0))) }
    }
  }

  private static func add(_ words: [UInt32], to state: inout [UInt32]) {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    for step in 0..<64 {
      let mixed: UInt32
      let word: Int
      switch step / 16 {
      case 0: (mixed, word) = (b & c | ~b & d, step)
      case 1: (mixed, word) = (d & b | ~d & c, (5 * step + 1) % 16)
      case 2: (mixed, word) = (b ^ c ^ d, (3 * step + 5) % 16)
      default: (mixed, word) = (c ^ (b | ~d), 7 * step % 16)
      }
      let sum = a &+ mixed &+ sines[step] &+ words[word]
      let count = rotations[step / 16][step % 4]
      (a, d, c, b) = (d, c, b, b &+ (sum << count | sum >> (32 - count)))
    }
    state[0] &+= a
    state[1] &+= b
    state[2] &+= c
    state[3] &+= d
  }
}
