import Geocoder
import TestSupport
import Testing

@Suite("Blocks of names", .timeLimit(.minutes(30)))
struct NameBlockTests {
  /// "paris" of places 5 and 300, then "parma" of place 7.
  private static let bytes: [UInt8] = {
    let paris: [UInt8] = [0, 5] + Array("paris".utf8) + [2, 5, 0xA7, 2]
    let parma: [UInt8] = [3, 2] + Array("ma".utf8) + [1, 7]
    return paris + parma
  }()

  @Test("a name yields its places, and an absent name none")
  func lookup() {
    let block = NameBlock(bytes: Self.bytes)
    #expect(block.places(named: "paris") == [5, 300])
    #expect(block.places(named: "parma") == [7])
    #expect(block.places(named: "par") == [])
    #expect(NameBlock(bytes: []).places(named: "paris") == [])
  }

  @Test("a block that ends within a name is not read")
  func truncated() {
    for count in 1..<Self.bytes.count where count != 11 {
      #expect(NameBlock(bytes: Array(Self.bytes[..<count])).places(named: "zzz") == nil)
    }
  }

  @Test("reading arbitrary bytes fails only by returning nil")
  func noise() {
    var random = SeededGenerator(seed: 7)
    var refused = 0
    for _ in 0..<2000 {
      let bytes = (0..<Int.random(in: 0...60, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      let places = NameBlock(bytes: bytes).places(named: "paris")
      // No noise of this seed spells the name.
      #expect(places?.isEmpty != false, "\(bytes)")
      if places == nil { refused += 1 }
    }
    // A block begins with 0, as there is no name before, or is empty: some 40 are read at all.
    #expect(refused > 1900, "\(refused)")
  }
}
