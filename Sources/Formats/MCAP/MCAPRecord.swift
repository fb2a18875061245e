/// A record of an MCAP file, as far as its readers need it.
package enum MCAPRecord: Sendable {
  /// The beginning: the profile, and the program that wrote the file.
  case header(profile: String, library: String)
  case schema(MCAPSchema)
  case channel(MCAPChannel)
  case message(MCAPMessage)
  case attachment(MCAPAttachment)
  case metadata(name: String, entries: [String: String])
  /// The end of the data of a complete file.
  case dataEnd
}

/// The type of a channel's messages.
package struct MCAPSchema: Equatable, Sendable {
  package var id: UInt16
  package var name: String
  package var encoding: String
  package var data: [UInt8]
}

/// A topic.
package struct MCAPChannel: Equatable, Sendable {
  package var id: UInt16
  package var schema: UInt16
  package var topic: String
  package var encoding: String
  package var metadata: [String: String]
}

/// A message; times in nanoseconds, usually since 1970.
package struct MCAPMessage: Sendable {
  package var channel: UInt16
  package var time: UInt64
  package var published: UInt64
  package var data: ArraySlice<UInt8>
}

/// A file in the file.
package struct MCAPAttachment: Equatable, Sendable {
  package var name: String
  package var mediaType: String
  package var time: UInt64
  package var data: [UInt8]
}

/// What is wrong with a file, and where.
package struct MCAPFault: Error, Equatable, Sendable, CustomStringConvertible {
  /// The byte in the file at which the record begins.
  package var offset: Int
  /// What was found and what was expected.
  package var reason: String

  package var description: String { "byte \(offset): \(reason)" }
}

/// Reads the fields of a record.
struct MCAPFields {
  private let bytes: ArraySlice<UInt8>
  private var position: Int
  private let offset: Int

  /// - Parameters:
  ///   - bytes: The record's content.
  ///   - offset: Where the record begins in the file, for faults.
  init(_ bytes: ArraySlice<UInt8>, at offset: Int) {
    (self.bytes, position, self.offset) = (bytes, bytes.startIndex, offset)
  }

  var isAtEnd: Bool { position >= bytes.endIndex }
  /// The rest of the content.
  var rest: ArraySlice<UInt8> { bytes[position...] }

  func fault(_ reason: String) -> MCAPFault { MCAPFault(offset: offset, reason: reason) }

  mutating func readBytes(_ count: some BinaryInteger) throws(MCAPFault) -> ArraySlice<UInt8> {
    guard let count = Int(exactly: count), count <= bytes.endIndex - position else {
      throw fault("a field is longer than its record of \(bytes.count) bytes")
    }
    defer { position += count }
    return bytes[position..<position + count]
  }

  mutating func number<Value: FixedWidthInteger>(
    _ type: Value.Type = Value.self
  ) throws(MCAPFault) -> Value {
    let taken = try readBytes(MemoryLayout<Value>.size)
    var value = Value.zero
    withUnsafeMutableBytes(of: &value) { $0.copyBytes(from: taken) }
    return Value(littleEndian: value)
  }

  mutating func text() throws(MCAPFault) -> String {
    String(decoding: try readBytes(try number(UInt32.self)), as: UTF8.self)
  }

  mutating func map() throws(MCAPFault) -> [String: String] {
    var inner = MCAPFields(try readBytes(try number(UInt32.self)), at: offset)
    var map: [String: String] = [:]
    while !inner.isAtEnd {
      let key = try inner.text()
      map[key] = try inner.text()
    }
    return map
  }
}
