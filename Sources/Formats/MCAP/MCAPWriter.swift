/// Writes an MCAP file as bytes: chunks with indexes, a summary with statistics. It does no input
/// or output: the caller appends `removeBytes()` to a file. What was taken up to the end of a chunk
/// can be read without the rest.
/// - Source: MCAP Format Specification, mcap.dev/spec.
package struct MCAPWriter: Sendable {
  private struct ChunkEntry {
    var (start, end) = (UInt64.max, UInt64(0))
    var offset = 0
    var length = 0
    var indexes: [(channel: UInt16, offset: Int)] = []
    var indexLength = 0
    var compression = ""
    var (compressedSize, size) = (0, 0)
  }
  private struct Attachment {
    var (offset, length, time, size) = (0, 0, UInt64(0), 0)
    var (name, mediaType) = ("", "")
  }

  private let compression: ChunkCompression
  private let chunkLimit: Int
  /// Bytes that were not taken yet.
  private var output: [UInt8] = []
  /// Number of bytes that were taken.
  private var taken = 0
  private var dataSum = CRC32()
  private var schemas: [[UInt8]] = []
  private var channels: [[UInt8]] = []
  private var counts: [UInt64] = []
  private var chunk: [UInt8] = []
  private var open = ChunkEntry()
  /// For each channel the time and the place of its messages in the open chunk.
  private var indexes: [[(time: UInt64, offset: UInt64)]] = []
  private var chunks: [ChunkEntry] = []
  private var attachments: [Attachment] = []
  private var metadata: [(offset: Int, length: Int, name: String)] = []
  private var (firstTime, lastTime) = (UInt64.max, UInt64(0))

  /// Begins a file of the profile `ros2`.
  /// - Parameters:
  ///   - library: The program that writes it.
  ///   - chunkLimit: Size from which a chunk is closed, bytes. Large: smaller files; small: less is
  ///     lost in a power cut.
  ///   - compression: The compression of the chunks.
  package init(
    library: String, chunkLimit: Int = 1 << 19, compression: ChunkCompression = .usual
  ) {
    (self.chunkLimit, self.compression) = (chunkLimit, compression)
    output = MCAPFormat.magic
    var header: [UInt8] = []
    header.append(text: "ros2")
    header.append(text: library)
    output.append(record: .header, header)
  }

  /// Bytes that wait in the open chunk.
  package var chunkBytes: Int { chunk.count }

  /// Size of the file so far, without the open chunk.
  package var size: Int { taken + output.count }

  /// Messages so far.
  package var messageCount: UInt64 { counts.reduce(0, +) }

  // MARK: Content

  /// Adds a schema.
  /// - Returns: Its number.
  package mutating func addSchema(name: String, encoding: String, data: [UInt8]) -> UInt16 {
    let id = UInt16(schemas.count + 1)
    var content: [UInt8] = []
    content.append(little: id)
    content.append(text: name)
    content.append(text: encoding)
    content.append(little: UInt32(data.count))
    content += data
    schemas.append(content)
    endChunk()
    output.append(record: .schema, content)
    return id
  }

  /// Adds a channel.
  /// - Returns: Its number.
  package mutating func addChannel(
    topic: String, schema: UInt16, encoding: String = "cdr", metadata: [(String, String)] = []
  ) -> UInt16 {
    let id = UInt16(channels.count)
    var content: [UInt8] = []
    content.append(little: id)
    content.append(little: schema)
    content.append(text: topic)
    content.append(text: encoding)
    content.append(map: metadata)
    channels.append(content)
    counts.append(0)
    indexes.append([])
    endChunk()
    output.append(record: .channel, content)
    return id
  }

  /// Adds a message.
  /// - Parameters:
  ///   - data: The message in the channel's encoding.
  ///   - channel: The channel.
  ///   - time: When it was recorded, nanoseconds since 1970.
  ///   - published: When it was made; nil for the same.
  package mutating func add(
    _ data: [UInt8], to channel: UInt16, at time: UInt64, published: UInt64? = nil
  ) {
    let index = Int(channel)
    indexes[index].append((time, UInt64(chunk.count)))
    chunk.append(MCAPFormat.Opcode.message.rawValue)
    chunk.append(little: UInt64(22 + data.count))
    chunk.append(little: channel)
    chunk.append(little: UInt32(truncatingIfNeeded: counts[index]))
    chunk.append(little: time)
    chunk.append(little: published ?? time)
    chunk += data
    counts[index] += 1
    (open.start, open.end) = (min(open.start, time), max(open.end, time))
    if chunk.count >= chunkLimit { endChunk() }
  }

  /// Adds an attachment.
  package mutating func addAttachment(
    name: String, mediaType: String, data: [UInt8], at time: UInt64
  ) {
    endChunk()
    var content: [UInt8] = []
    content.append(little: time)
    content.append(little: time)
    content.append(text: name)
    content.append(text: mediaType)
    content.append(little: UInt64(data.count))
    content += data
    content.append(little: CRC32(content).value)
    let offset = size
    output.append(record: .attachment, content)
    attachments.append(
      Attachment(
        offset: offset, length: size - offset, time: time, size: data.count, name: name,
        mediaType: mediaType))
  }

  /// Adds pairs of texts about the file.
  package mutating func addMetadata(name: String, _ entries: [(String, String)]) {
    endChunk()
    var content: [UInt8] = []
    content.append(text: name)
    content.append(map: entries)
    let offset = size
    output.append(record: .metadata, content)
    metadata.append((offset, size - offset, name))
  }

  /// Closes the open chunk; nothing where it is empty.
  package mutating func endChunk() {
    guard !chunk.isEmpty else { return }
    let (bytes, name) = compression.compressed(chunk)
    var content: [UInt8] = []
    content.reserveCapacity(bytes.count + 64)
    content.append(little: open.start)
    content.append(little: open.end)
    content.append(little: UInt64(chunk.count))
    content.append(little: CRC32(chunk).value)
    content.append(text: name)
    content.append(little: UInt64(bytes.count))
    content += bytes
    open.offset = size
    output.append(record: .chunk, content)
    open.length = size - open.offset
    for channel in indexes.indices where !indexes[channel].isEmpty {
      open.indexes.append((UInt16(channel), size))
      var index: [UInt8] = []
      index.append(little: UInt16(channel))
      index.append(little: UInt32(16 * indexes[channel].count))
      for entry in indexes[channel] {
        index.append(little: entry.time)
        index.append(little: entry.offset)
      }
      output.append(record: .messageIndex, index)
      indexes[channel].removeAll(keepingCapacity: true)
    }
    open.indexLength = size - open.offset - open.length
    (open.compression, open.compressedSize, open.size) = (name, bytes.count, chunk.count)
    (firstTime, lastTime) = (min(firstTime, open.start), max(lastTime, open.end))
    chunks.append(open)
    open = ChunkEntry()
    chunk.removeAll(keepingCapacity: true)
  }

  /// Moves the bytes that are ready to the caller, who appends them to the file.
  package mutating func removeBytes() -> [UInt8] {
    defer { output = [] }
    dataSum.add(output)
    taken += output.count
    return output
  }

  // MARK: End

  /// Ends the file: data end, summary, footer. The bytes are then in `removeBytes()`.
  package mutating func finish() {
    endChunk()
    var sum = dataSum
    sum.add(output)
    var end: [UInt8] = []
    end.append(little: sum.value)
    output.append(record: .dataEnd, end)

    let summaryStart = size
    var summary: [UInt8] = []
    var groups: [(opcode: MCAPFormat.Opcode, start: Int, length: Int)] = []
    func group(_ opcode: MCAPFormat.Opcode, _ contents: [[UInt8]]) {
      guard !contents.isEmpty else { return }
      let start = summaryStart + summary.count
      for content in contents { summary.append(record: opcode, content) }
      groups.append((opcode, start, summaryStart + summary.count - start))
    }
    group(.schema, schemas)
    group(.channel, channels)
    group(.statistics, [statistics])
    group(.chunkIndex, chunks.map(Self.index))
    group(.attachmentIndex, attachments.map(Self.index))
    group(
      .metadataIndex,
      metadata.map { entry in
        var content: [UInt8] = []
        content.append(little: UInt64(entry.offset))
        content.append(little: UInt64(entry.length))
        content.append(text: entry.name)
        return content
      })
    let offsetStart = summaryStart + summary.count
    for group in groups {
      var content = [group.opcode.rawValue]
      content.append(little: UInt64(group.start))
      content.append(little: UInt64(group.length))
      summary.append(record: .summaryOffset, content)
    }
    // The checksum covers the footer up to itself.
    summary.append(MCAPFormat.Opcode.footer.rawValue)
    summary.append(little: UInt64(20))
    summary.append(little: UInt64(summaryStart))
    summary.append(little: UInt64(offsetStart))
    summary.append(little: CRC32(summary).value)
    output += summary
    output += MCAPFormat.magic
  }

  private var statistics: [UInt8] {
    var content: [UInt8] = []
    content.append(little: messageCount)
    content.append(little: UInt16(schemas.count))
    content.append(little: UInt32(channels.count))
    content.append(little: UInt32(attachments.count))
    content.append(little: UInt32(metadata.count))
    content.append(little: UInt32(chunks.count))
    content.append(little: chunks.isEmpty ? 0 : firstTime)
    content.append(little: lastTime)
    let used = counts.indices.filter { counts[$0] > 0 }
    content.append(little: UInt32(10 * used.count))
    for channel in used {
      content.append(little: UInt16(channel))
      content.append(little: counts[channel])
    }
    return content
  }

  private static func index(_ chunk: ChunkEntry) -> [UInt8] {
    var content: [UInt8] = []
    content.append(little: chunk.start)
    content.append(little: chunk.end)
    content.append(little: UInt64(chunk.offset))
    content.append(little: UInt64(chunk.length))
    content.append(little: UInt32(10 * chunk.indexes.count))
    for index in chunk.indexes {
      content.append(little: index.channel)
      content.append(little: UInt64(index.offset))
    }
    content.append(little: UInt64(chunk.indexLength))
    content.append(text: chunk.compression)
    content.append(little: UInt64(chunk.compressedSize))
    content.append(little: UInt64(chunk.size))
    return content
  }

  private static func index(_ attachment: Attachment) -> [UInt8] {
    var content: [UInt8] = []
    content.append(little: UInt64(attachment.offset))
    content.append(little: UInt64(attachment.length))
    content.append(little: attachment.time)
    content.append(little: attachment.time)
    content.append(little: UInt64(attachment.size))
    content.append(text: attachment.name)
    content.append(text: attachment.mediaType)
    return content
  }
}
