import Configuration
import LinuxIO
import Quantities

/// One answered request to a caster: the content of the answer, without chunks, and the way back.
package final class NTRIPConnection {
  /// Timeouts of the connection and of the answer's head, seconds.
  private static let connectTimeout = 10.0
  private static let answerTimeout = 15.0
  /// The most answers to demands for authentication.
  private static let mostAnswers = 3
  /// Timeout of a whole source table, seconds.
  private static let tableTimeout = 60.0
  /// Interval between checks for a stop, seconds.
  private static let step = 0.1
  /// The bytes of a beginning that tell a stream from a table or a page.
  private static let beginnings = ["STR;", "CAS;", "NET;", "<!DO", "<htm", "<HTM", "<?xm"].map {
    Array($0.utf8)
  }

  private let connection: any CorrectionConnection
  private let mountPoint: String?
  private let content: NTRIPContent
  private var chunks: ChunkedBody?
  /// Content that was received with the head, or is held until its beginning is known.
  private var pending: [UInt8] = []
  private var isChecked: Bool
  private var buffer = [UInt8](repeating: 0, count: 4096)
  /// The rest of a sentence that the kernel did not accept.
  private var unsent: ArraySlice<UInt8> = []
  /// Bytes of content that are missing; nil where it ends with the connection.
  private var left: Int?

  /// Connects, requests and reads the head of the answer. A demand for digest authentication is
  /// answered by a further request. Without a version in the source, a caster
  /// that does not answer a request of revision 2 is asked again by revision 1.
  /// - Parameters:
  ///   - source: The caster.
  ///   - mountPoint: The stream; nil for the source table.
  ///   - credentials: User and password.
  ///   - position: A GGA sentence with its line end.
  ///   - isStopped: Called several times a second; true ends the attempt.
  /// - Returns: The connection, at the start of the content.
  /// - Throws: Why there is no content.
  package static func open(
    _ source: NTRIPSource, mountPoint: String?, credentials: NTRIPCredentials?,
    position: [UInt8]? = nil, isStopped: () -> Bool
  ) throws(CorrectionFault) -> NTRIPConnection {
    var request = NTRIPRequest(
      source: source, mountPoint: mountPoint, version: source.version ?? .two,
      credentials: credentials, position: position)
    var answers = 0
    while true {
      var challenge: DigestChallenge?
      do throws(CorrectionFault) {
        return try NTRIPConnection(request, &challenge, isStopped)
      } catch {
        switch error {
        case .unknownRequest, .closedBeforeAnswer:
          guard source.version == nil, request.version == .two else { throw error }
          request.version = .one
        case .unauthorized(hasCredentials: true):
          // Answers the challenge once, and again if the caster reports a stale nonce.
          guard let challenge, answers < mostAnswers, challenge.isStale || answers == 0 else {
            throw error
          }
          answers += 1
          request.challenge = challenge
        default: throw error
        }
      }
    }
  }

  private init(
    _ request: NTRIPRequest, _ challenge: inout DigestChallenge?, _ isStopped: () -> Bool
  ) throws(CorrectionFault) {
    let source = request.source
    mountPoint = request.mountPoint
    let connection: any CorrectionConnection
    do throws(NetworkError) {
      connection = try Self.connect(source, isStopped)
      try Self.write(request.bytes, to: connection, source, isStopped)
    } catch {
      throw error.kind == .stopped ? .stopped : .network(error)
    }
    self.connection = connection
    let (head, rest) = try Self.head(connection, isStopped)
    if case .http(401, _, let fields) = head {
      challenge = fields[NTRIPHeadReader.challengeField].flatMap { DigestChallenge($0) }
    }
    content = try NTRIPContent(
      head, for: request.mountPoint, hasCredentials: request.credentials != nil)
    chunks = content.isChunked ? ChunkedBody() : nil
    isChecked = content.isTable || content.isCertain
    left = content.length
    try add(rest)
  }

  private static func connect(
    _ source: NTRIPSource, _ isStopped: () -> Bool
  ) throws(NetworkError) -> any CorrectionConnection {
    if source.isEncrypted {
      return try TLSSocket(
        host: source.host, port: source.port, certificates: source.certificatesPath,
        seconds: connectTimeout, isStopped: isStopped)
    }
    return try StreamSocket(
      host: source.host, port: source.port,
      until: MonotonicClock.now.advanced(bySeconds: connectTimeout), isStopped: isStopped)
  }

  /// A request fits into the kernel's queue of a new connection.
  private static func write(
    _ bytes: [UInt8], to connection: any CorrectionConnection, _ source: NTRIPSource,
    _ isStopped: () -> Bool
  ) throws(NetworkError) {
    var rest = bytes[...]
    let deadline = MonotonicClock.now.advanced(bySeconds: answerTimeout)
    while !rest.isEmpty {
      if isStopped() { throw NetworkError(.stopped, peer: source.host) }
      guard MonotonicClock.now < deadline else {
        throw NetworkError(.timedOut, peer: source.host)
      }
      let count = try connection.write(rest)
      rest = rest.dropFirst(count)
      if count == 0 { MonotonicClock.sleep(until: MonotonicClock.now.advanced(bySeconds: 0.01)) }
    }
  }

  private static func head(
    _ connection: any CorrectionConnection, _ isStopped: () -> Bool
  ) throws(CorrectionFault) -> (NTRIPHead, ArraySlice<UInt8>) {
    var reader = NTRIPHeadReader()
    var bytes = [UInt8](repeating: 0, count: 4096)
    let deadline = MonotonicClock.now.advanced(bySeconds: answerTimeout)
    while MonotonicClock.now < deadline {
      if isStopped() { throw .stopped }
      let count: Int
      do throws(NetworkError) {
        count = try connection.read(
          into: &bytes, until: MonotonicClock.now.advanced(bySeconds: step))
      } catch {
        throw error.kind == .closed ? .closedBeforeAnswer : .network(error)
      }
      if let head = try reader.append(bytes[..<count]) { return (head.head, head.rest) }
    }
    throw reader.isEmpty ? .noAnswer(seconds: answerTimeout) : .longHeader
  }

  // MARK: Content

  /// True after the last byte of the content.
  private var isAtEnd: Bool { chunks?.isAtEnd == true || left == 0 }

  /// Removes the chunks of received bytes, and adds them to the content.
  private func add(_ bytes: ArraySlice<UInt8>) throws(CorrectionFault) {
    let start = pending.count
    if chunks == nil {
      pending += bytes.prefix(left ?? bytes.count)
    } else {
      try chunks?.append(bytes, to: &pending)
    }
    if let left { self.left = left - (pending.count - start) }
  }

  /// Waits for content and moves it to `body`; nothing at the deadline.
  /// - Throws: `.closed` at the end of the content.
  func read(into body: inout [UInt8], until deadline: Timestamp) throws(CorrectionFault) {
    body.removeAll(keepingCapacity: true)
    try flush()
    if pending.isEmpty || !isReady {
      guard !isAtEnd else { throw .closed }
      let count: Int
      do throws(NetworkError) {
        count = try connection.read(into: &buffer, until: deadline)
      } catch {
        throw error.kind == .closed ? .closed : .network(error)
      }
      try add(buffer[..<count])
    }
    guard try checkBeginning() else { return }
    swap(&body, &pending)
  }

  private var isReady: Bool { isChecked || pending.count >= 4 }

  /// Whether the content is a stream as far as its beginning tells; false while it is too short.
  private func checkBeginning() throws(CorrectionFault) -> Bool {
    guard !isChecked else { return true }
    guard !pending.isEmpty else { return false }
    let beginning = Array(pending.prefix(4))
    let similar = Self.beginnings.filter { $0.starts(with: beginning) }
    if let first = similar.first, beginning.count == 4 {
      throw first[0] == UInt8(ascii: "<")
        ? .webPage : .tableInPlaceOfData(mountPoint: mountPoint ?? "")
    }
    isChecked = similar.isEmpty
    return isChecked
  }

  /// Reads a source table to its end.
  func readTable(isStopped: () -> Bool) throws(CorrectionFault) -> SourceTable {
    var table: [UInt8] = []
    var piece: [UInt8] = []
    var searched = 0
    let deadline = MonotonicClock.now.advanced(bySeconds: Self.tableTimeout)
    while true {
      if isStopped() { throw .stopped }
      guard MonotonicClock.now < deadline else { throw .noAnswer(seconds: Self.tableTimeout) }
      do throws(CorrectionFault) {
        try read(into: &piece, until: MonotonicClock.now.advanced(bySeconds: Self.step))
      } catch {
        guard error == .closed else { throw error }
        break
      }
      table += piece
      guard table.count <= SourceTable.longest else { throw .longTable }
      let start = max(0, searched - SourceTable.endLength)
      if SourceTable.hasEnd(table[start...]) { break }
      searched = table.count
    }
    let found = SourceTable(table)
    guard !found.isTooLong else { throw .longTable }
    guard !found.streams.isEmpty || !found.casters.isEmpty else {
      if table.first == UInt8(ascii: "<") { throw .webPage }
      throw .emptyTable
    }
    return found
  }

  // MARK: The way back

  /// Sends a sentence, never waiting; skipped while an earlier one is not sent.
  func send(_ sentence: [UInt8]) throws(CorrectionFault) {
    if unsent.isEmpty { unsent = sentence[...] }
    try flush()
  }

  private func flush() throws(CorrectionFault) {
    guard !unsent.isEmpty else { return }
    do throws(NetworkError) {
      unsent = unsent.dropFirst(try connection.write(unsent))
    } catch {
      throw error.kind == .closed ? .closed : .network(error)
    }
  }
}

extension SourceTable {
  /// Fetches the table of a caster.
  /// - Parameters:
  ///   - source: The caster; its mount point is not used.
  ///   - isStopped: Called several times a second; true ends the attempt.
  /// - Returns: The table.
  /// - Throws: Why there is none.
  package static func fetch(
    _ source: NTRIPSource, isStopped: () -> Bool = { false }
  ) throws(CorrectionFault) -> SourceTable {
    let credentials = try source.credentials
    let connection = try NTRIPConnection.open(
      source, mountPoint: nil, credentials: credentials, isStopped: isStopped)
    return try connection.readTable(isStopped: isStopped)
  }
}

extension NTRIPSource {
  /// User and password of the file; nil without a file.
  var credentials: NTRIPCredentials? {
    get throws(CorrectionFault) {
      guard let credentialsPath else { return nil }
      return try NTRIPCredentials(path: credentialsPath)
    }
  }
}
