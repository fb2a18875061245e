import Configuration
import Testing

@Suite("The YAML reader", .timeLimit(.minutes(30)))
struct YAMLNodeTests {
  private enum Word: String, CaseIterable { case up, down }

  private func root(_ text: String) throws -> YAMLNode {
    try #require(try YAMLNode.root(of: text))
  }

  private func fault(_ body: () throws -> Void) -> YAMLFault? {
    do { try body() } catch { return error as? YAMLFault }
    return nil
  }

  @Test("gives values with their full keys, in the order of the file")
  func values() throws {
    let root = try root("b: {x: 1.5}\na: [up, down]\n")
    let values = try root.values(expected: "names")
    #expect(values.map(\.name) == ["b", "a"] && values.map(\.line) == [1, 2])
    let x = try #require(try values[0].values(of: ["x"])["x"])
    let number = try x.number(in: 0...2, expected: "0 to 2")
    #expect(x.key == "b.x" && number == 1.5)
    let words: [Word] = try #require(values[1].list).map { try $0.word() }
    #expect(words == [.up, .down])
  }

  @Test("is nil for an empty file and for comments alone", arguments: ["", "# a\n", "---\n"])
  func empty(text: String) throws {
    let root = try YAMLNode.root(of: text)
    #expect(root == nil)
  }

  @Test("names place, key, the value found and the allowed values")
  func faults() throws {
    let root = try root("a: 1\nb:\n  c: maybe\n")
    let unknown = try #require(fault { _ = try root.values(of: ["a"]) })
    #expect(unknown.line == 2 && unknown.column == 1 && unknown.problem == "unknown key 'b'")
    #expect(unknown.allowed == "a")
    let b = try #require(try root.values(of: ["a", "b"])["b"])
    let c = try #require(try b.values(of: ["c"])["c"])
    let wrong = try #require(
      fault {
        let word: Word = try c.word()
        _ = word
      })
    #expect(wrong.line == 3 && wrong.column == 6 && wrong.problem == "b.c: 'maybe'")
    #expect(wrong.allowed == "up, down")
    let keys = try #require(fault { _ = try c.values(of: ["d"]) })
    #expect(keys.problem == "b.c: 'maybe'" && keys.allowed == "keys: d")
    for text in ["a: 1\na: 2\n", "a: [\n", "\u{0}"] {
      #expect(fault { _ = try YAMLNode.root(of: text) }?.problem.hasPrefix("not YAML: ") == true)
    }
  }

  @Test("an integer of base 60 is none, however long")
  func baseSixty() throws {
    let long = Array(repeating: "59", count: 40).joined(separator: ":")
    for text in ["1:30", long, "-" + long] { #expect(try root(text).integer == nil) }
    #expect(try root("0x1E").integer == 30 && root("-12").integer == -12)
  }

  @Test("aliases that multiply are refused at the place of the first one too many")
  func aliases() throws {
    // Each level has nine of the one before: the last stands for 9^9 words, and as a key it would
    // be hashed.
    var text = "a: &a0 [x]\n"
    for level in 1...9 {
      let words = Array(repeating: "*a\(level - 1)", count: 9).joined(separator: ", ")
      text += "b\(level): &a\(level) [\(words)]\n"
    }
    let found = try #require(fault { _ = try root(text + "? *a9\n: 1\n") })
    #expect(found.line == 5 && found.problem.contains("aliases"))
    #expect(try root("a: &a up\nb: *a\n").values(of: ["a", "b"])["b"]?.text == "up")
    // Asterisks within words are no aliases.
    let comment =
      "# " + String(repeating: "*", count: 100) + "\nc: " + String(repeating: "a*", count: 100)
    #expect(try root(comment).values(of: ["c"]).count == 1)
  }

  @Test("words and numbers are those of YAML 1.1, without quotation marks")
  func scalars() throws {
    for text in ["true", "Yes", "ON"] { #expect(try root(text).truth == true) }
    for text in ["False", "no", "off"] { #expect(try root(text).truth == false) }
    for text in ["yEs", "'yes'", "\"true\"", "1", "[yes]"] { #expect(try root(text).truth == nil) }
    let integers = [("0", 0), ("+7", 7), ("0b101", 5), ("0o17", 15), ("017", 15), ("1_000", 1000)]
    for (text, value) in integers { #expect(try root(text).integer == value, "\(text)") }
    for text in ["'7'", "7.0", "0x", "abc", "99999999999999999999"] {
      #expect(try root(text).integer == nil, "\(text)")
    }
    let range = -Double.infinity...Double.infinity
    for (text, value) in [("1e3", 1000), ("-.5", -0.5), (".inf", Double.infinity), ("1_0.5", 10.5)]
    {
      #expect(try root(text).number(in: range, expected: "a number") == value, "\(text)")
    }
    for text in ["'1'", ".nan", "1:30", "one"] {
      #expect(
        fault { _ = try root(text).number(in: range, expected: "a number") } != nil, "\(text)")
    }
  }

  @Test("an alias is the value of its name, a later name replaces an earlier one")
  func names() throws {
    let root = try root("a: &x 1\nb: *x\nc: &x 2\nd: *x\n")
    #expect(try root.values(expected: "keys").map(\.integer) == [1, 1, 2, 2])
  }

  @Test(
    "a text that is no single document is refused at its place",
    arguments: [
      ("a: 1\n---\nb: 2\n", 2, 1, "a second document"), ("a: *x\n", 1, 4, "undefined alias"),
      ("b: 1\na: 1\nb: 2\na: 3\n", 2, 1, "duplicate key: a, b"),
      ("é: [ü, *x]\n", 1, 8, "undefined alias"),
      ("a:\n- b\n\t- c\n", 3, 2, "found a tab character that violates indentation"),
    ])
  func documents(text: String, line: Int, column: Int, problem: String) throws {
    let found = try #require(fault { _ = try root(text) })
    #expect(found.line == line && found.column == column)
    #expect(found.problem == "not YAML: \(problem)")
  }

  @Test("a deep nesting is refused", arguments: ["[", "{a: ", "- ", "? "])
  func nesting(opening: String) {
    #expect(fault { _ = try root(String(repeating: opening, count: 50_000)) } != nil)
  }
}
