import Configuration
import Testing

@Suite("Regions files", .timeLimit(.minutes(30)))
struct RegionsFileTests {
  private func read(_ text: String) throws -> RegionsFile {
    try RegionsFile(json: Array(text.utf8), path: "r.json")
  }

  private func region(_ name: String) -> String {
    "{\"identifier\":\"\(name)\",\"latitude\":1,\"longitude\":2,\"radius\":3}"
  }

  @Test(
    "regions are read in their order, and a name that is used twice is refused with both places")
  func names() throws {
    let file = try read("{\"regions\":[\(region("b")),\(region("a"))],\"visits\":false}")
    #expect(file.regions.map(\.identifier) == ["b", "a"])
    #expect(!file.visits && file.significantChanges && file.notices.isEmpty)
    do {
      _ = try read("{\"regions\":[\(region("b")),\(region("a")),\(region("b"))]}")
      Issue.record("a name was used twice")
    } catch {
      let text = "\(error)"
      #expect(text.hasPrefix("r.json: regions[2]: 'b' is regions[0] already"), "\(text)")
    }
  }

  @Test("arrays and objects that are nested deeply are refused", arguments: ["[", "{\"a\":"])
  func nesting(opening: String) {
    let closing = opening == "[" ? "]" : "}"
    let value =
      String(repeating: opening, count: 400) + "1" + String(repeating: closing, count: 400)
    do {
      _ = try read("{\"more\":\(value)}")
      Issue.record("read")
    } catch {
      #expect("\(error)" == "r.json: arrays and objects are nested more than 16 deep")
    }
  }

  // Comparing each name with all before it would take a minute.
  @Test("a file of many regions is read")
  func many() throws {
    let regions = (0..<20_000).map { region("r\($0)") }.joined(separator: ",")
    #expect(try read("{\"regions\":[\(regions)]}").regions.count == 20_000)
    do {
      _ = try read("{\"regions\":[\(regions),\(region("more"))]}")
      Issue.record("read")
    } catch {
      #expect("\(error)" == "r.json: regions: 20001 entries; expected at most 20000")
    }
  }

  @Test("the greatest number of conditions is refused with the limit")
  func largestLimit() {
    do {
      _ = try read("{\"configuration\":{\"conditionLimit\":\(Int.max)}}")
      Issue.record("read")
    } catch {
      #expect("\(error)".contains("'conditionLimit': expected 1 to 1000000"), "\(error)")
    }
  }
}
