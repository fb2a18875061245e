/// The head of a caster's answer.
package enum NTRIPHead: Equatable {
  /// NTRIP 1: the stream follows, perhaps after a blank line.
  case stream
  /// NTRIP 1: lines of a header and of the source table follow.
  case table
  /// NTRIP 1: a refusal in words.
  case refusal(String)
  /// HTTP.
  case http(status: Int, reason: String, fields: [String: String])
}

/// Reads the head of an answer, however it was split.
package struct NTRIPHeadReader {
  /// The most bytes of a head. Casters send some hundred.
  static let longestHead = 8192
  /// The longest first line, bytes.
  private static let longestFirstLine = 512

  /// What was received, from the head of the last answer on.
  private var bytes: [UInt8] = []
  /// The lines that are complete, without their ends, and the start of the next one.
  private var lines: [String] = []
  private var lineStart = 0
  /// The bytes before have no line end after `lineStart`.
  private var searched = 0

  /// Begins before the first byte.
  package init() {}

  /// True before the first byte.
  package var isEmpty: Bool { bytes.isEmpty }

  /// Adds bytes.
  /// - Returns: The head and the bytes after it; nil while it is not complete.
  package mutating func append(
    _ new: ArraySlice<UInt8>
  ) throws(CorrectionFault) -> (head: NTRIPHead, rest: ArraySlice<UInt8>)? {
    bytes += new
    try checkFirstByte()
    while let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
      guard end <= limit else { throw lines.isEmpty ? notNTRIP : .longHeader }
      let isCR = end > lineStart && bytes[end - 1] == UInt8(ascii: "\r")
      let line = String(decoding: bytes[lineStart..<(isCR ? end - 1 : end)], as: UTF8.self)
      (lineStart, searched) = (end + 1, end + 1)
      guard !lines.isEmpty else {
        if let head = try Self.firstLine(line) { return (head, bytes[lineStart...]) }
        lines.append(line)
        continue
      }
      guard line.isEmpty else {
        lines.append(line)
        continue
      }
      let head = try Self.head(lines)
      // An interim answer (RFC 9110, 15.2) is followed by the answer.
      guard case .http(100..<200, _, _) = head else { return (head, bytes[lineStart...]) }
      bytes.removeFirst(lineStart)
      (lines, lineStart, searched) = ([], 0, 0)
      try checkFirstByte()
    }
    searched = bytes.count
    guard bytes.count <= limit else { throw lines.isEmpty ? notNTRIP : .longHeader }
    return nil
  }

  /// The most bytes up to the end of the present line.
  private var limit: Int { lines.isEmpty ? Self.longestFirstLine : Self.longestHead }

  private func checkFirstByte() throws(CorrectionFault) {
    if bytes.first == UInt8(ascii: "<") { throw .webPage }
    if bytes.first == 0xD3 { throw .sendsUnasked }
  }

  private var notNTRIP: CorrectionFault {
    Self.notNTRIP(String(decoding: bytes.prefix(Self.longestFirstLine), as: UTF8.self))
  }

  private static func notNTRIP(_ text: String) -> CorrectionFault {
    .notNTRIP(String(printable: text, atMost: 40))
  }

  /// The head of revision 1, which is one line; nil for the first line of HTTP.
  private static func firstLine(_ line: String) throws(CorrectionFault) -> NTRIPHead? {
    let words = line.split(separator: " ", maxSplits: 2)
    let isOK = words.count > 1 && words[1] == "200"
    switch words.first.map({ $0.uppercased() }) {
    case "ICY" where isOK: return .stream
    case "SOURCETABLE" where isOK: return .table
    case "ICY", "SOURCETABLE", "ERROR": return .refusal(String(printable: line))
    case .some(let word) where word.hasPrefix("HTTP/"): return nil
    default: throw notNTRIP(line)
    }
  }

  /// The field with the ways of authentication, in small letters.
  static let challengeField = "www-authenticate"

  private static func head(_ lines: [String]) throws(CorrectionFault) -> NTRIPHead {
    let words = (lines.first ?? "").split(separator: " ", maxSplits: 2)
    guard words.count >= 2, let status = Int(words[1]), (100...999).contains(status) else {
      throw notNTRIP(lines.first ?? "")
    }
    var fields: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let value = String(line[line.index(after: colon)...].trimmed)
      let name = line[..<colon].lowercased()
      // A caster may offer several ways of authentication, each in a field of its own.
      let earlier = name == Self.challengeField ? fields[name] : nil
      fields[name] = earlier.map { "\($0), \(value)" } ?? value
    }
    return .http(
      status: status, reason: words.count > 2 ? String(printable: words[2]) : "", fields: fields)
  }
}

/// What follows the head of an answer.
package struct NTRIPContent: Equatable {
  /// Whether it is the source table.
  package var isTable: Bool
  /// Whether it has HTTP's chunks.
  package var isChunked: Bool
  /// Whether the head says that it is a stream; else its beginning is checked.
  package var isCertain: Bool
  /// Bytes of the content; nil where it ends with the connection.
  package var length: Int?

  /// Interprets a head.
  /// - Parameters:
  ///   - head: The head.
  ///   - mountPoint: What was requested; nil for the table.
  ///   - hasCredentials: Whether user and password were sent.
  /// - Throws: Why it is not what was requested.
  package init(
    _ head: NTRIPHead, for mountPoint: String?, hasCredentials: Bool
  ) throws(CorrectionFault) {
    (isTable, isChunked, isCertain, length) = (mountPoint == nil, false, false, nil)
    switch head {
    case .stream:
      // Casters that know no table answer so.
      guard mountPoint != nil else { throw .emptyTable }
    case .table:
      if let mountPoint { throw .tableInPlaceOfData(mountPoint: mountPoint) }
    case .refusal(let text): throw Self.fault(of: text, mountPoint, hasCredentials)
    case .http(let status, let reason, let fields):
      guard status == 200 else {
        throw Self.fault(status, reason, fields, mountPoint, hasCredentials)
      }
      let type = (fields["content-type"] ?? "").lowercased()
      if type.hasPrefix("text/html") { throw .webPage }
      if type.hasPrefix("gnss/sourcetable"), let mountPoint {
        throw .tableInPlaceOfData(mountPoint: mountPoint)
      }
      isCertain = type.hasPrefix("gnss/data")
      isChunked = (fields["transfer-encoding"] ?? "").lowercased().contains("chunked")
      length = isChunked ? nil : fields["content-length"].flatMap { Int($0) }
      // Such a length says nothing about the content.
      if let length, length < 0 { self.length = nil }
    }
  }

  /// - Source: the texts of NTRIP 1 casters: "ERROR - Bad Password", "ERROR - Mount Point Taken or
  ///   Invalid", "ICY 401 Unauthorized".
  private static func fault(
    of text: String, _ mountPoint: String?, _ hasCredentials: Bool
  ) -> CorrectionFault {
    let words = text.lowercased()
    if words.contains("401") || words.contains("password") || words.contains("unauthorized") {
      return .unauthorized(hasCredentials: hasCredentials)
    }
    if words.contains("404") { return .noMountPoint(mountPoint) }
    return .refused(text)
  }

  private static func fault(
    _ status: Int, _ reason: String, _ fields: [String: String], _ mountPoint: String?,
    _ hasCredentials: Bool
  ) -> CorrectionFault {
    switch status {
    case 401: .unauthorized(hasCredentials: hasCredentials)
    case 403: .forbidden(mountPoint: mountPoint)
    case 404: .noMountPoint(mountPoint)
    case 300..<400: .moved(to: String(printable: fields["location"] ?? "another place"))
    case 400, 405, 501, 505: .unknownRequest(status)
    case 429, 502...504: .busy(status, reason)
    default: .refused("\(status) \(reason)")
    }
  }
}
