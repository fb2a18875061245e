/// The numbers of the container.
/// - Source: MCAP Format Specification, mcap.dev/spec: records, opcodes, serialization.
package enum MCAPFormat {
  /// First and last bytes of a file; the fifth is the version, 0.
  package static let magic: [UInt8] = [0x89, 0x4D, 0x43, 0x41, 0x50, 0x30, 0x0D, 0x0A]
  /// Bytes of an opcode and a length.
  static let headBytes = 9

  package enum Opcode: UInt8 {
    case header = 0x01
    case footer, schema, channel, message, chunk, messageIndex, chunkIndex, attachment
    case attachmentIndex, statistics, metadata, metadataIndex, summaryOffset, dataEnd
  }

  /// Greatest length of a record that is read, bytes: a longer one is taken for damage.
  static let longestRecord = 1 << 28
}

extension [UInt8] {
  /// Appends a number, the lowest byte first.
  @inline(__always)
  package mutating func append(little value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
  }

  /// Appends a text after its length in 32 bits.
  package mutating func append(text: String) {
    append(little: UInt32(text.utf8.count))
    append(contentsOf: text.utf8)
  }

  /// Appends pairs of texts after their length in bytes.
  mutating func append(map: [(String, String)]) {
    append(little: UInt32(map.reduce(0) { $0 + 8 + $1.0.utf8.count + $1.1.utf8.count }))
    for (key, value) in map {
      append(text: key)
      append(text: value)
    }
  }

  /// Appends a record with its opcode and length.
  package mutating func append(record opcode: MCAPFormat.Opcode, _ content: [UInt8]) {
    append(opcode.rawValue)
    append(little: UInt64(content.count))
    append(contentsOf: content)
  }
}
