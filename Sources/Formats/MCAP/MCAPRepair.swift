/// Makes a whole file, with index and statistics, of one that ends anywhere.
package struct MCAPRepair {
  /// What was kept and what was lost.
  package struct Outcome: Equatable, Sendable {
    /// Messages that were kept.
    package var messages: UInt64
    /// Bytes after the last whole record.
    package var lostBytes: Int
    /// Damaged chunks that were left out.
    package var damagedChunks: Int
    /// True where the file was whole before.
    package var wasWhole: Bool
  }

  private var reader: MCAPReader
  private let size: Int?

  /// Begins to repair a file.
  package init(_ bytes: ByteReader) throws(RecordingError) {
    size = bytes.size
    reader = try MCAPReader(bytes, skipsDamage: true)
  }

  /// Copies every whole record.
  /// - Parameters:
  ///   - compression: The compression of the new file's chunks.
  ///   - write: Receives the bytes of the new file in order.
  /// - Returns: What was kept.
  /// - Throws: `RecordingError` where the file cannot be read or has damage before its end, or what
  ///   `write` throws.
  package mutating func copy(
    compression: ChunkCompression = .usual, _ write: ([UInt8]) throws -> Void
  ) throws -> Outcome {
    var writer = MCAPWriter(library: "lodestar record --repair", compression: compression)
    var hasBegun = false
    var numbers: (schemas: [UInt16: UInt16], channels: [UInt16: UInt16]) = ([0: 0], [:])
    var hasEnd = false
    while let record = try reader.next() {
      if case .header(_, let library) = record, !hasBegun {
        writer = MCAPWriter(library: library, compression: compression)
      }
      hasBegun = true
      switch record {
      case .header: break
      case .schema(let schema):
        // A file may repeat a schema in each chunk.
        guard numbers.schemas[schema.id] == nil else { break }
        numbers.schemas[schema.id] = writer.addSchema(
          name: schema.name, encoding: schema.encoding, data: schema.data)
      case .channel(let channel):
        guard numbers.channels[channel.id] == nil else { break }
        numbers.channels[channel.id] = writer.addChannel(
          topic: channel.topic, schema: numbers.schemas[channel.schema] ?? 0,
          encoding: channel.encoding,
          metadata: channel.metadata.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
      case .message(let message):
        guard let channel = numbers.channels[message.channel] else { break }
        writer.add(
          Array(message.data), to: channel, at: message.time, published: message.published)
      case .attachment(let file):
        writer.addAttachment(
          name: file.name, mediaType: file.mediaType, data: file.data, at: file.time)
      case .metadata(let name, let entries):
        writer.addMetadata(
          name: name, entries.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
      case .dataEnd: hasEnd = true
      }
      let bytes = writer.removeBytes()
      if !bytes.isEmpty { try write(bytes) }
    }
    writer.finish()
    try write(writer.removeBytes())
    let isWhole = try hasEnd && reader.damagedChunks == 0 && reader.hasWholeSummary()
    return Outcome(
      messages: writer.messageCount,
      lostBytes: hasEnd ? 0 : max(0, (size ?? reader.lastWhole) - reader.lastWhole),
      damagedChunks: reader.damagedChunks, wasWhole: isWhole)
  }
}
