/// Reads an MCAP file from its beginning to its end, without its index: also one that ends
/// anywhere, as after a power cut, up to the last whole chunk or record. The checksums of chunks
/// and attachments are compared.
/// - Source: MCAP Format Specification, mcap.dev/spec.
package struct MCAPReader {
  /// Greatest size of a chunk's content, bytes: a larger one is refused.
  private static let largestChunk = 1 << 28

  private let bytes: ByteReader
  private var buffer: [UInt8] = []
  /// The first byte of `buffer` that was not read.
  private var start = 0
  /// The place of that byte in the file.
  private var offset = 0
  private var isInData = true
  private var chunk: (content: [UInt8], position: Int, offset: Int)?

  /// True where the file ends within a record, or without the end of its data.
  package private(set) var isCut = false
  /// Where the last whole record ended.
  package private(set) var lastWhole = 0
  /// Chunks that were left out because they are damaged.
  package private(set) var damagedChunks = 0
  private let skipsDamage: Bool

  /// Begins to read a file.
  /// - Parameters:
  ///   - bytes: The file.
  ///   - skipsDamage: Whether damaged chunks are left out, instead of ending the reading with an
  ///     error.
  /// - Throws: `RecordingError` where it cannot be read, `damaged` where it is no MCAP.
  package init(_ bytes: ByteReader, skipsDamage: Bool = false) throws(RecordingError) {
    (self.bytes, self.skipsDamage) = (bytes, skipsDamage)
    let magic = MCAPFormat.magic
    guard try fill(magic.count), buffer[start..<start + magic.count].elementsEqual(magic) else {
      throw .damaged(path: bytes.path, offset: 0, reason: "the first bytes are not those of MCAP")
    }
    skip(magic.count)
  }

  /// The next record; nil at the end.
  package mutating func next() throws(RecordingError) -> MCAPRecord? {
    do throws(MCAPFault) {
      while true {
        if let record = try nextInChunk() { return record }
        guard isInData else { return nil }
        // No record has the kind 0: after a power cut the end of a file may be zeros.
        guard try fillRecord(), buffer[start] != 0 else {
          isCut = true
          isInData = false
          return nil
        }
        if let record = try readRecord() { return record }
      }
    } catch {
      if let reading { throw reading }
      throw .damaged(path: bytes.path, offset: error.offset, reason: error.reason)
    }
  }

  // MARK: Records of the file

  /// The fault of the last attempt to read, which has another type than those of the content.
  private var reading: RecordingError?

  /// Reads until the buffer has a whole record.
  /// - Returns: False at the end of the file.
  private mutating func fillRecord() throws(MCAPFault) -> Bool {
    do throws(RecordingError) {
      guard try fill(MCAPFormat.headBytes) else { return false }
      let length = recordLength
      guard length <= MCAPFormat.longestRecord else {
        throw .damaged(
          path: bytes.path, offset: offset,
          reason: "a record of \(length) bytes, more than \(MCAPFormat.longestRecord)")
      }
      return try fill(MCAPFormat.headBytes + Int(length))
    } catch {
      reading = error
      throw MCAPFault(offset: offset, reason: "")
    }
  }

  private var recordLength: UInt64 {
    buffer[start + 1..<start + 9].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  private mutating func readRecord() throws(MCAPFault) -> MCAPRecord? {
    let length = Int(recordLength)
    let first = start + MCAPFormat.headBytes
    let content = buffer[first..<first + length]
    let opcode = MCAPFormat.Opcode(rawValue: buffer[start])
    let at = offset
    defer { lastWhole = offset }
    var fields = MCAPFields(content, at: at)
    switch opcode {
    case .header:
      let record = MCAPRecord.header(profile: try fields.text(), library: try fields.text())
      skip(MCAPFormat.headBytes + length)
      return record
    case .chunk:
      do throws(MCAPFault) {
        try open(&fields)
      } catch {
        guard skipsDamage else { throw error }
        damagedChunks += 1
      }
      skip(MCAPFormat.headBytes + length)
      return nil
    case .attachment:
      let record = try Self.attachment(content, at: at)
      skip(MCAPFormat.headBytes + length)
      return record
    case .metadata:
      let record = MCAPRecord.metadata(name: try fields.text(), entries: try fields.map())
      skip(MCAPFormat.headBytes + length)
      return record
    case .dataEnd:
      isInData = false
      skip(MCAPFormat.headBytes + length)
      return .dataEnd
    case .footer: throw fields.fault("the footer, before the end of the data")
    default:
      let record = try Self.content(opcode, &fields)
      skip(MCAPFormat.headBytes + length)
      return record
    }
  }

  /// A record that may be in a chunk; nil for one without use, such as an index, and for an unknown
  /// one.
  private static func content(
    _ opcode: MCAPFormat.Opcode?, _ fields: inout MCAPFields
  ) throws(MCAPFault) -> MCAPRecord? {
    switch opcode {
    case .schema:
      let id = try fields.number(UInt16.self)
      let (name, encoding) = (try fields.text(), try fields.text())
      let data = Array(try fields.readBytes(try fields.number(UInt32.self)))
      return .schema(MCAPSchema(id: id, name: name, encoding: encoding, data: data))
    case .channel:
      let (id, schema) = (try fields.number(UInt16.self), try fields.number(UInt16.self))
      let (topic, encoding) = (try fields.text(), try fields.text())
      return .channel(
        MCAPChannel(
          id: id, schema: schema, topic: topic, encoding: encoding, metadata: try fields.map()))
    case .message:
      let channel = try fields.number(UInt16.self)
      _ = try fields.number(UInt32.self)
      let (time, published) = (try fields.number(UInt64.self), try fields.number(UInt64.self))
      return .message(
        MCAPMessage(channel: channel, time: time, published: published, data: fields.rest))
    default: return nil
    }
  }

  private static func attachment(
    _ content: ArraySlice<UInt8>, at offset: Int
  ) throws(MCAPFault) -> MCAPRecord {
    var fields = MCAPFields(content, at: offset)
    let time = try fields.number(UInt64.self)
    _ = try fields.number(UInt64.self)
    let (name, type) = (try fields.text(), try fields.text())
    let data = Array(try fields.readBytes(try fields.number(UInt64.self)))
    let sum = try fields.number(UInt32.self)
    guard sum == 0 || sum == CRC32(content.dropLast(4)).value else {
      throw fields.fault("the checksum of the attachment \(name) is wrong")
    }
    return .attachment(MCAPAttachment(name: name, mediaType: type, time: time, data: data))
  }

  // MARK: Chunks

  private mutating func open(_ fields: inout MCAPFields) throws(MCAPFault) {
    _ = try fields.number(UInt64.self)
    _ = try fields.number(UInt64.self)
    let size = try fields.number(UInt64.self)
    let sum = try fields.number(UInt32.self)
    let compression = try fields.text()
    let records = try fields.readBytes(try fields.number(UInt64.self))
    guard size <= Self.largestChunk else {
      throw fields.fault("a chunk of \(size) bytes, more than \(Self.largestChunk)")
    }
    let content: [UInt8]
    do {
      content = try CompressionFault.decompressed(records, compression, size: Int(size))
    } catch {
      throw fields.fault(
        "a chunk cannot be read: \(error) (lodestar record --repair leaves it out)")
    }
    guard content.count == Int(size) else {
      throw fields.fault("a chunk has \(content.count) bytes in place of \(size)")
    }
    guard sum == 0 || sum == CRC32(content).value else {
      throw fields.fault(
        "the checksum of a chunk is wrong (lodestar record --repair leaves it out)")
    }
    chunk = (content, 0, offset)
  }

  private mutating func nextInChunk() throws(MCAPFault) -> MCAPRecord? {
    while let open = chunk {
      guard open.position < open.content.count else {
        chunk = nil
        return nil
      }
      var head = MCAPFields(open.content[open.position...], at: open.offset)
      let opcode = try head.number(UInt8.self)
      let length = try head.number(UInt64.self)
      var fields = MCAPFields(try head.readBytes(length), at: open.offset)
      chunk?.position += MCAPFormat.headBytes + Int(length)
      if let record = try Self.content(MCAPFormat.Opcode(rawValue: opcode), &fields) {
        return record
      }
    }
    return nil
  }

  // MARK: Summary

  /// Greatest size of a summary that is checked, bytes.
  private static let largestSummary = 1 << 28

  /// After the end of the data: whether an undamaged summary with its footer follows, and nothing
  /// else.
  package mutating func hasWholeSummary() throws(RecordingError) -> Bool {
    // Reads to the end.
    guard try !fill(Self.largestSummary) else { return false }
    let rest = buffer[start...]
    let magic = MCAPFormat.magic
    let footer = MCAPFormat.headBytes + 20
    guard rest.count >= footer + magic.count, rest.suffix(magic.count).elementsEqual(magic) else {
      return false
    }
    var fields = MCAPFields(rest.dropLast(magic.count).suffix(footer), at: offset)
    do throws(MCAPFault) {
      guard try fields.number(UInt8.self) == MCAPFormat.Opcode.footer.rawValue,
        try fields.number(UInt64.self) == 20,
        try fields.number(UInt64.self) == UInt64(offset)
      else { return false }
      _ = try fields.number(UInt64.self)
      let sum = try fields.number(UInt32.self)
      return sum == 0 || sum == CRC32(rest.dropLast(magic.count + 4)).value
    } catch {
      return false
    }
  }

  // MARK: Bytes

  /// Reads until the buffer has so many bytes.
  /// - Returns: False where the file has fewer.
  private mutating func fill(_ count: Int) throws(RecordingError) -> Bool {
    while buffer.count - start < count {
      let more = try bytes.next()
      if more.isEmpty { return false }
      if start > 0 {
        buffer.removeSubrange(..<start)
        start = 0
      }
      buffer += more
    }
    return true
  }

  private mutating func skip(_ count: Int) {
    start += count
    offset += count
  }
}
