import ReceiverProtocols
import Testing

@Suite("The table of sentences", .timeLimit(.minutes(30)))
struct SentenceTypeTests {
  @Test("each type has its row, by whose address a sentence of empty fields is found")
  func rows() throws {
    #expect(SentenceType.rows.map(\.type) == SentenceType.allCases)
    for row in SentenceType.rows {
      let address = "\(row.address)"
      let talker = address.count == 3 ? "GP" : ""
      // GSV states its parts.
      let first = row.type == .gsv ? ["1", "1", "00"] : []
      let fields = row.id.map { ["\($0)"] } ?? []
      let empty = [String](repeating: "", count: row.whole - first.count)
      let text = sentence(([talker + address] + fields + first + empty).joined(separator: ","))
      let (decoded, counts) = decode(text)
      #expect(decoded.map(\.sentence.type) == [row.type], "\(text): \(counts)")
    }
  }

  @Test("a set holds every number")
  func set() {
    var set = SentenceTypes()
    for type in SentenceType.allCases {
      #expect(!set.contains(type))
      set.insert(type)
      #expect(set.contains(type))
    }
  }
}
