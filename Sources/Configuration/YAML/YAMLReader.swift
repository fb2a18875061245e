/// Reads a text of YAML 1.1 into a tree: block and flow style, comments, quotation marks, block
/// scalars, anchors and aliases. Tags have no effect; a key is a scalar of one line, without `?`.
///
/// Written here because Swift's libraries for YAML need Foundation's regular expressions and with
/// them ICU, 15 MB of a program of 33, and because libyaml is not on every board.
/// - Source: YAML 1.1, https://yaml.org/spec/1.1; where that leaves a choice, and for the words of
///   faults, libyaml 0.2.5.
struct YAMLReader {
  /// The deepest nesting; recursion needs stack.
  private static let deepest = 64
  /// The longest key, bytes.
  private static let longestKey = 1024

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  private struct Position {
    var index = 0
    var line = 1
    /// The index of the line's first byte.
    var lineStart = 0
    /// The characters of the line before this place.
    var characters = 0
  }

  private let bytes: [UInt8]
  private var now = Position()
  private var named: [String: YAMLTree] = [:]

  init(_ text: String) throws(YAMLFault) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    var isAfterReturn = false
    for byte in text.utf8 {
      // A carriage return, alone or with a line feed, ends a line.
      let isReturn = byte == UInt8(ascii: "\r")
      if !(isAfterReturn && byte == UInt8(ascii: "\n")) {
        bytes.append(isReturn ? UInt8(ascii: "\n") : byte)
      }
      isAfterReturn = isReturn
    }
    if bytes.starts(with: Self.byteOrderMark) { bytes.removeFirst(Self.byteOrderMark.count) }
    self.bytes = bytes
    try checkCharacters()
  }

  private mutating func checkCharacters() throws(YAMLFault) {
    defer { now = Position() }
    while let byte = here {
      let isControl = byte < 0x20 && byte != UInt8(ascii: "\t") && byte != UInt8(ascii: "\n")
      if isControl || byte == 0x7F { throw fault("control characters are not allowed") }
      step()
    }
  }

  /// The only document of the text; nil for a text without one.
  mutating func document() throws(YAMLFault) -> YAMLTree? {
    try skipBlankLines()
    var hasDirectives = false
    while here == UInt8(ascii: "%"), column == 0 {
      hasDirectives = true
      skipLine()
      try skipBlankLines()
    }
    let tree: YAMLTree
    if isMarker("---") {
      step(3)
      tree = try content(indent: -1, after: mark, startsCollection: false)
    } else {
      if hasDirectives { throw fault("did not find expected <document start>") }
      if here == nil { return nil }
      tree = try content(indent: -1, after: mark, startsCollection: true)
    }
    try skipBlankLines()
    while isMarker("...") {
      step(3)
      try skipBlankLines()
    }
    if here != nil {
      throw fault(
        isMarker("---") ? "a second document" : "did not find expected <document start>")
    }
    return tree
  }

  // MARK: Bytes

  private var here: UInt8? { byte(0) }
  private func byte(_ offset: Int) -> UInt8? {
    bytes.indices.contains(now.index + offset) ? bytes[now.index + offset] : nil
  }
  private var column: Int { now.index - now.lineStart }

  private mutating func step(_ count: Int = 1) {
    for _ in 0..<count {
      if here == UInt8(ascii: "\n") {
        now.line += 1
        now.lineStart = now.index + 1
        now.characters = 0
      } else if let byte = here, byte & 0xC0 != 0x80 {
        // Bytes that continue a character begin with the bits 10.
        now.characters += 1
      }
      now.index += 1
    }
  }

  private func isBlank(_ byte: UInt8?) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }
  /// A blank, the end of the line or of the text.
  private func isSpace(_ byte: UInt8?) -> Bool {
    isBlank(byte) || byte == UInt8(ascii: "\n") || byte == nil
  }
  private func isFlowIndicator(_ byte: UInt8?) -> Bool {
    byte.map { ",[]{}".utf8.contains($0) } ?? false
  }
  private func isIndicator(_ indicator: Unicode.Scalar) -> Bool {
    here == UInt8(ascii: indicator) && isSpace(byte(1))
  }
  private func isMarker(_ marker: StaticString) -> Bool {
    guard column == 0, isSpace(byte(3)) else { return false }
    return (0..<3).allSatisfy { byte($0) == marker.utf8Start[$0] }
  }
  /// True at a line that ends a document.
  private var isAtMarker: Bool { isMarker("---") || isMarker("...") }

  private var mark: YAMLTree.Mark { mark(now) }
  private func mark(_ position: Position) -> YAMLTree.Mark {
    YAMLTree.Mark(line: position.line, column: position.characters + 1)
  }
  private func fault(_ problem: String, at mark: YAMLTree.Mark? = nil) -> YAMLFault {
    let mark = mark ?? self.mark
    return YAMLFault(line: mark.line, column: mark.column, key: "", .syntax(problem))
  }

  private mutating func skipBlanks() { while isBlank(here) { step() } }
  private mutating func skipLine() { while let byte = here, byte != UInt8(ascii: "\n") { step() } }

  /// Skips blanks and a comment; true at the end of the line.
  private mutating func skipToLineEnd() -> Bool {
    skipBlanks()
    if here == UInt8(ascii: "#") { skipLine() }
    return here == nil || here == UInt8(ascii: "\n")
  }

  /// Skips lines of blanks and comments, and the next line's indentation.
  private mutating func skipBlankLines() throws(YAMLFault) {
    while true {
      let begin = now
      guard skipToLineEnd() else {
        now = begin
        while here == UInt8(ascii: " ") { step() }
        // A tab does not indent.
        if isBlank(here) { throw fault("found character that cannot start any token") }
        return
      }
      guard here != nil else { return }
      step()
    }
  }

  // MARK: Block style

  // What follows an indicator, on its line or on lines that are indented more than the column of its
  // collection (`indent`; -1 for the document). `mark` is the position that is reported for an
  // empty value. A list or a mapping may begin on the same line where `startsCollection`, a list at
  // the column of its key for `isValue`.
  private mutating func content(
    indent: Int, after mark: YAMLTree.Mark, startsCollection: Bool, isValue: Bool = false,
    depth: Int = 0
  ) throws(YAMLFault) -> YAMLTree {
    guard depth <= Self.deepest else { throw fault("more than \(Self.deepest) levels") }
    var properties = Properties(start: now)
    var startsCollection = startsCollection
    while true {
      if skipToLineEnd() {
        try skipBlankLines()
        startsCollection = true
        let isList = isValue && column == indent && isIndicator("-")
        if here == nil || column <= indent && !isList || isAtMarker {
          return named(YAMLTree(mark, .scalar("", isPlain: true)), properties.anchor)
        }
        if properties.isEmpty { properties.start = now }
      }
      guard try readProperty(&properties) else { break }
      properties.hasLine = isAtLineEnd
    }
    return try node(
      indent: indent, properties, startsCollection: startsCollection, isValue: isValue, depth)
  }

  private struct Properties {
    var start: Position
    var anchor: String?
    var isEmpty = true
    /// True where they stand on a line of their own: they are not those of a key.
    var hasLine = false
  }

  /// True where nothing but blanks and a comment follows on this line.
  private var isAtLineEnd: Bool {
    var copy = self
    return copy.skipToLineEnd()
  }

  /// Reads an anchor or a tag.
  private mutating func readProperty(_ properties: inout Properties) throws(YAMLFault) -> Bool {
    guard here == UInt8(ascii: "&") || here == UInt8(ascii: "!") else { return false }
    if properties.isEmpty { properties.start = now }
    properties.isEmpty = false
    if here == UInt8(ascii: "&") {
      properties.anchor = try name()
    } else {
      while !isSpace(here), !isFlowIndicator(here) { step() }
    }
    return true
  }

  /// The name behind `&` or `*`.
  private mutating func name() throws(YAMLFault) -> String {
    let begin = now
    step()
    let start = now.index
    while let byte = here, Self.isOfName(byte) { step() }
    guard now.index > start, isSpace(here) || ",:?]}%@`".utf8.contains(here ?? 0) else {
      throw fault("did not find expected alphabetic or numeric character", at: mark(begin))
    }
    return String(decoding: bytes[start..<now.index], as: UTF8.self)
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  private mutating func named(_ tree: YAMLTree, _ anchor: String?) -> YAMLTree {
    if let anchor { named[anchor] = tree }
    return tree
  }

  private mutating func alias() throws(YAMLFault) -> YAMLTree {
    let place = mark
    guard let tree = named[try name()] else { throw fault("undefined alias", at: place) }
    return tree
  }

  /// A value whose first byte is here.
  private mutating func node(
    indent: Int, _ properties: Properties, startsCollection: Bool, isValue: Bool, _ depth: Int
  ) throws(YAMLFault) -> YAMLTree {
    if isIndicator("-") {
      guard startsCollection, properties.isEmpty || properties.hasLine else {
        throw fault("block sequence entries are not allowed in this context")
      }
      return named(
        try list(isAtKey: isValue && column == indent, depth: depth), properties.anchor)
    }
    let begin = now
    let tree: YAMLTree
    switch here {
    case UInt8(ascii: "|"), UInt8(ascii: ">"):
      return named(try blockScalar(indent: indent), properties.anchor)
    case UInt8(ascii: "["), UInt8(ascii: "{"): tree = try flow(depth: depth)
    default: tree = try scalar(indent: indent)
    }
    guard isAtKeyEnd(since: begin) else {
      guard skipToLineEnd() else { throw fault("did not find expected key") }
      return named(tree, properties.anchor)
    }
    guard startsCollection else { throw fault("mapping values are not allowed in this context") }
    // Properties on the key's line are those of the key.
    let isOfKey = !properties.isEmpty && !properties.hasLine
    let start = isOfKey ? properties.start : begin
    let key = isOfKey ? named(tree, properties.anchor) : tree
    let pairs = try mapping(key, from: begin, column: start.index - start.lineStart, depth: depth)
    return named(
      YAMLTree(mark(start), .mapping(pairs)), isOfKey ? nil : properties.anchor)
  }

  /// True where a colon makes what was read since a place a key; blanks before it are skipped.
  private mutating func isAtKeyEnd(since begin: Position) -> Bool {
    guard begin.line == now.line else { return false }
    let end = now
    skipBlanks()
    if isIndicator(":") { return true }
    now = end
    return false
  }

  private mutating func list(isAtKey: Bool, depth: Int) throws(YAMLFault) -> YAMLTree {
    let (start, column) = (mark, self.column)
    var items: [YAMLTree] = []
    while true {
      step()
      items.append(
        try content(indent: column, after: mark, startsCollection: true, depth: depth + 1))
      try skipBlankLines()
      if here != nil, self.column == column, isIndicator("-") { continue }
      if here == nil || self.column < column || isAtKey && self.column == column
        || isAtMarker
      {
        return YAMLTree(start, .list(items))
      }
      throw fault("did not find expected '-' indicator")
    }
  }

  /// The pairs from the first key's colon on.
  private mutating func mapping(
    _ first: YAMLTree, from begin: Position, column: Int, depth: Int
  ) throws(YAMLFault) -> [(key: YAMLTree, value: YAMLTree)] {
    var pairs: [(key: YAMLTree, value: YAMLTree)] = []
    var (key, begin) = (first, begin)
    while true {
      guard key.text != nil, now.index - begin.index <= Self.longestKey else {
        throw fault(
          "a key is one word or text of at most \(Self.longestKey) bytes", at: mark(begin))
      }
      step()
      let value = try content(
        indent: column, after: mark, startsCollection: false, isValue: true, depth: depth + 1)
      pairs.append((key, value))
      try skipBlankLines()
      if here == nil || self.column < column || isAtMarker {
        return try distinct(pairs)
      }
      guard self.column == column, !isIndicator("-") else {
        throw fault("did not find expected key")
      }
      begin = now
      var properties = Properties(start: now)
      while try readProperty(&properties) { skipBlanks() }
      let start = now
      key = named(try scalar(indent: column), properties.anchor)
      guard isAtKeyEnd(since: start) else { throw fault("could not find expected ':'") }
    }
  }

  private func distinct(
    _ pairs: [(key: YAMLTree, value: YAMLTree)]
  ) throws(YAMLFault) -> [(key: YAMLTree, value: YAMLTree)] {
    var firsts: [String: YAMLTree.Mark] = [:]
    var doubled: [String: YAMLTree.Mark] = [:]
    for (key, _) in pairs {
      guard let name = key.text else { continue }
      if let first = firsts[name] { doubled[name] = first } else { firsts[name] = key.mark }
    }
    let names = doubled.keys.sorted()
    if let first = names.first, let mark = doubled[first] {
      throw fault("duplicate key: \(names.joined(separator: ", "))", at: mark)
    }
    return pairs
  }

  // MARK: Scalars

  /// An alias, a text in quotation marks, or a plain text, which goes on on lines that are indented
  /// more than `indent`; nil in flow style, where it goes on up to an indicator.
  private mutating func scalar(indent: Int?) throws(YAMLFault) -> YAMLTree {
    let start = mark
    switch here {
    case UInt8(ascii: "*"): return try alias()
    case UInt8(ascii: "\""): return YAMLTree(start, .scalar(try quoted(), isPlain: false))
    case UInt8(ascii: "'"): return YAMLTree(start, .scalar(try quoted(), isPlain: false))
    default: return YAMLTree(start, .scalar(try plain(indent: indent), isPlain: true))
    }
  }

  private mutating func plain(indent: Int?) throws(YAMLFault) -> String {
    let isFlow = indent == nil
    let isSafe = !isSpace(byte(1)) && !(isFlow && isFlowIndicator(byte(1)))
    switch here {
    case UInt8(ascii: "?") where !isSafe: throw fault("keys behind '?' are not read")
    case UInt8(ascii: "-") where !isSafe:
      throw fault("block sequence entries are not allowed in this context")
    case UInt8(ascii: ":") where !isSafe || isFlow: throw fault("did not find expected key")
    case UInt8(ascii: "-"), UInt8(ascii: "?"), UInt8(ascii: ":"): break
    case let byte? where "#&*!|>'\"%@`,[]{}\t\n".utf8.contains(byte):
      throw fault("found character that cannot start any token")
    case nil: throw fault("found unexpected end of stream")
    default: break
    }
    let firstLine = now.line
    var text: [UInt8] = []
    while true {
      let hasComment = try readPlainLine(&text, isFlow: isFlow)
      let end = now
      guard !hasComment, !isKeyIndicator(isFlow: isFlow) else {
        // Only the first line may be a key.
        if now.line > firstLine, !isFlow, !hasComment {
          throw fault("mapping values are not allowed in this context")
        }
        break
      }
      var breaks = 0
      skipBlanks()
      while here == UInt8(ascii: "\n") {
        breaks += 1
        step()
        while here == UInt8(ascii: " ") { step() }
        let isIndented = isFlow || column > (indent ?? 0)
        skipBlanks()
        if !isIndented, byte(-1) == UInt8(ascii: "\t"), !isSpace(here), here != UInt8(ascii: "#") {
          throw fault("found a tab character that violates indentation")
        }
      }
      guard breaks > 0, here != nil, isFlow || column > (indent ?? 0),
        here != UInt8(ascii: "#"), !isAtMarker,
        !(isFlow && isFlowIndicator(here)), !(isFlow && isKeyIndicator(isFlow: true))
      else {
        now = end
        break
      }
      text += Self.fold(breaks)
    }
    return String(decoding: text, as: UTF8.self)
  }

  private func isKeyIndicator(isFlow: Bool) -> Bool {
    here == UInt8(ascii: ":") && (isSpace(byte(1)) || isFlow && isFlowIndicator(byte(1)))
  }

  /// Reads a plain text up to its end on this line, without the blanks behind it.
  /// - Returns: True where a comment follows.
  private mutating func readPlainLine(
    _ text: inout [UInt8], isFlow: Bool
  ) throws(YAMLFault) -> Bool {
    while true {
      let end = now
      let blanks = now.index
      skipBlanks()
      if here == UInt8(ascii: "#"), now.index > blanks {
        now = end
        return true
      }
      if isFlow, here == UInt8(ascii: ":"), isFlowIndicator(self.byte(1)) {
        throw fault("found unexpected ':'")
      }
      guard let byte = here, byte != UInt8(ascii: "\n"), !isKeyIndicator(isFlow: isFlow),
        !(isFlow && isFlowIndicator(byte))
      else {
        if !isKeyIndicator(isFlow: isFlow) { now = end }
        return false
      }
      text += bytes[blanks..<now.index]
      text.append(byte)
      step()
    }
  }

  private mutating func quoted() throws(YAMLFault) -> String {
    let start = mark
    let quote = here
    step()
    var text: [UInt8] = []
    while let byte = here {
      if byte == quote {
        if quote == UInt8(ascii: "'"), self.byte(1) == quote {
          text.append(byte)
          step(2)
          continue
        }
        step()
        return String(decoding: text, as: UTF8.self)
      }
      if quote == UInt8(ascii: "\""), byte == UInt8(ascii: "\\") {
        try readEscape(into: &text)
      } else if isSpace(byte) {
        readFold(into: &text)
        if isAtMarker {
          throw fault("found unexpected document indicator", at: start)
        }
      } else {
        text.append(byte)
        step()
      }
    }
    throw fault("found unexpected end of stream")
  }

  /// Blanks within a text; at a line's end they and the break become one blank, and further breaks
  /// stay.
  private mutating func readFold(into text: inout [UInt8]) {
    let start = now.index
    skipBlanks()
    guard here == UInt8(ascii: "\n") else {
      text += bytes[start..<now.index]
      return
    }
    text += Self.fold(readBreaks())
  }

  /// The text of so many line breaks: one is a blank, further ones stay.
  private static func fold(_ breaks: Int) -> [UInt8] {
    breaks == 1 ? [UInt8(ascii: " ")] : Array(repeating: UInt8(ascii: "\n"), count: breaks - 1)
  }

  private mutating func readBreaks() -> Int {
    var breaks = 0
    while here == UInt8(ascii: "\n") {
      breaks += 1
      step()
      if isAtMarker { break }
      skipBlanks()
    }
    return breaks
  }

  private static let escapes: [UInt8: Unicode.Scalar] = [
    UInt8(ascii: "0"): "\0", UInt8(ascii: "a"): "\u{7}", UInt8(ascii: "b"): "\u{8}",
    UInt8(ascii: "t"): "\t", UInt8(ascii: "\t"): "\t", UInt8(ascii: "n"): "\n",
    UInt8(ascii: "v"): "\u{B}", UInt8(ascii: "f"): "\u{C}", UInt8(ascii: "r"): "\r",
    UInt8(ascii: "e"): "\u{1B}", UInt8(ascii: " "): " ", UInt8(ascii: "\""): "\"",
    UInt8(ascii: "/"): "/", UInt8(ascii: "\\"): "\\", UInt8(ascii: "N"): "\u{85}",
    UInt8(ascii: "_"): "\u{A0}", UInt8(ascii: "L"): "\u{2028}", UInt8(ascii: "P"): "\u{2029}",
  ]

  private mutating func readEscape(into text: inout [UInt8]) throws(YAMLFault) {
    step()
    guard let byte = here else { throw fault("found unexpected end of stream") }
    if byte == UInt8(ascii: "\n") {
      // The break is no part of the text.
      let breaks = readBreaks()
      text += Array(repeating: UInt8(ascii: "\n"), count: breaks - 1)
      return
    }
    let digits = [UInt8(ascii: "x"): 2, UInt8(ascii: "u"): 4, UInt8(ascii: "U"): 8][byte]
    guard let digits else {
      guard let scalar = Self.escapes[byte] else { throw fault("found unknown escape character") }
      text += Array(String(scalar).utf8)
      return step()
    }
    step()
    var code: UInt32 = 0
    for _ in 0..<digits {
      guard let digit = here.flatMap({ Character(Unicode.Scalar($0)).hexDigitValue }) else {
        throw fault("did not find expected hexadecimal number")
      }
      code = code << 4 | UInt32(digit)
      step()
    }
    guard let scalar = Unicode.Scalar(code) else {
      throw fault("found invalid Unicode character escape code")
    }
    text += Array(String(scalar).utf8)
  }

  /// A text behind `|` or `>`.
  private mutating func blockScalar(indent: Int) throws(YAMLFault) -> YAMLTree {
    let start = mark
    let isLiteral = here == UInt8(ascii: "|")
    step()
    var (keep, strip, given) = (false, false, 0)
    while let byte = here, !isSpace(byte) {
      switch byte {
      case UInt8(ascii: "+") where !keep && !strip: keep = true
      case UInt8(ascii: "-") where !keep && !strip: strip = true
      case UInt8(ascii: "1")...UInt8(ascii: "9") where given == 0:
        given = Int(byte - UInt8(ascii: "0"))
      case UInt8(ascii: "0"): throw fault("found an indentation indicator equal to 0")
      default: throw fault("did not find expected comment or line break")
      }
      step()
    }
    guard skipToLineEnd() else { throw fault("did not find expected comment or line break") }
    if here != nil { step() }
    var width = given > 0 ? max(indent, 0) + given : 0
    var (text, trailing): ([UInt8], [UInt8]) = ([], [])
    var (hasBreak, wasBlank) = (false, false)
    try readBlockBreaks(&trailing, &width, least: max(indent + 1, 1))
    while column == width, here != nil {
      let startsBlank = isBlank(here)
      if !isLiteral, hasBreak, !wasBlank, !startsBlank {
        if trailing.isEmpty { text.append(UInt8(ascii: " ")) }
      } else if hasBreak {
        text.append(UInt8(ascii: "\n"))
      }
      text += trailing
      trailing = []
      wasBlank = startsBlank
      let begin = now.index
      skipLine()
      text += bytes[begin..<now.index]
      hasBreak = here != nil
      if hasBreak { step() }
      try readBlockBreaks(&trailing, &width, least: width)
    }
    if !strip, hasBreak { text.append(UInt8(ascii: "\n")) }
    if keep { text += trailing }
    // What follows is read from its line's begin.
    if here != nil { (now.index, now.characters) = (now.lineStart, 0) }
    return YAMLTree(start, .scalar(String(decoding: text, as: UTF8.self), isPlain: false))
  }

  private mutating func readBlockBreaks(
    _ breaks: inout [UInt8], _ width: inout Int, least: Int
  ) throws(YAMLFault) {
    var widest = 0
    while true {
      while here == UInt8(ascii: " "), width == 0 || column < width { step() }
      widest = max(widest, column)
      if here == UInt8(ascii: "\t"), width == 0 || column < width {
        throw fault("found a tab character where an indentation space is expected")
      }
      guard here == UInt8(ascii: "\n") else { break }
      breaks.append(UInt8(ascii: "\n"))
      step()
    }
    if width == 0 { width = max(widest, least) }
  }

  // MARK: Flow style

  private mutating func skipFlowBlanks() throws(YAMLFault) {
    while skipToLineEnd(), here != nil {
      step()
      if isAtMarker { throw fault("found unexpected document indicator") }
    }
  }

  private mutating func flow(depth: Int) throws(YAMLFault) -> YAMLTree {
    guard depth <= Self.deepest else { throw fault("more than \(Self.deepest) levels") }
    let start = mark
    let isList = here == UInt8(ascii: "[")
    let end = isList ? UInt8(ascii: "]") : UInt8(ascii: "}")
    step()
    var items: [YAMLTree] = []
    var pairs: [(key: YAMLTree, value: YAMLTree)] = []
    while true {
      try skipFlowBlanks()
      if here == end { break }
      let place = mark
      let line = now.line
      let item = try flowNode(depth: depth + 1)
      try skipFlowBlanks()
      if here == UInt8(ascii: ":"), now.line == line {
        guard item.text != nil else { throw fault("a key is one word or text", at: place) }
        step()
        try skipFlowBlanks()
        let value =
          here == UInt8(ascii: ",") || here == end
          ? YAMLTree(mark, .scalar("", isPlain: true)) : try flowNode(depth: depth + 1)
        if isList {
          items.append(YAMLTree(place, .mapping([(item, value)])))
        } else {
          pairs.append((item, value))
        }
        try skipFlowBlanks()
      } else if isList {
        items.append(item)
      } else {
        pairs.append((item, YAMLTree(mark, .scalar("", isPlain: true))))
      }
      if here == UInt8(ascii: ",") {
        step()
      } else if here != end {
        throw fault("did not find expected ',' or '\(Character(Unicode.Scalar(end)))'")
      }
    }
    step()
    return YAMLTree(start, isList ? .list(items) : .mapping(try distinct(pairs)))
  }

  private mutating func flowNode(depth: Int) throws(YAMLFault) -> YAMLTree {
    var properties = Properties(start: now)
    let place = mark
    while try readProperty(&properties) { try skipFlowBlanks() }
    let tree: YAMLTree
    if here == UInt8(ascii: "[") || here == UInt8(ascii: "{") {
      tree = try flow(depth: depth)
    } else if !properties.isEmpty, isFlowIndicator(here) || isKeyIndicator(isFlow: true) {
      tree = YAMLTree(place, .scalar("", isPlain: true))
    } else {
      tree = try scalar(indent: nil)
    }
    return named(tree, properties.anchor)
  }
}
