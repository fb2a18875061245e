/// A message of a recording with its topic.
package struct RecordedMessage: Sendable {
  /// The topic, such as `/imu/data`.
  package var topic: String
  /// The type, such as `sensor_msgs/msg/Imu`.
  package var type: String
  /// The encoding, such as `cdr`.
  package var encoding: String
  /// When it was recorded, nanoseconds, usually since 1970.
  package var time: UInt64
  /// The message in its encoding.
  package var data: ArraySlice<UInt8>
}

/// The messages of a recording in the order of the file.
package protocol MessageSource {
  /// The next message; nil at the end.
  mutating func next() throws(RecordingError) -> RecordedMessage?
  /// The share that was read, 0 to 1; nil where it is not known.
  var fractionRead: Double? { get }
  /// Whether the file ends within a record.
  var isCut: Bool { get }
}

/// The messages of an MCAP file.
package struct MCAPMessages: MessageSource {
  private let bytes: ByteReader
  private var reader: MCAPReader
  private var schemas: [UInt16: String] = [:]
  private var channels: [UInt16: MCAPChannel] = [:]

  /// Begins to read a file.
  /// - Parameter bytes: The file, at its beginning.
  /// - Throws: `RecordingError` where it cannot be read or is no MCAP.
  package init(_ bytes: ByteReader) throws(RecordingError) {
    self.bytes = bytes
    reader = try MCAPReader(bytes)
  }

  package var fractionRead: Double? { bytes.fractionRead }
  package var isCut: Bool { reader.isCut }

  package mutating func next() throws(RecordingError) -> RecordedMessage? {
    while let record = try reader.next() {
      switch record {
      case .schema(let schema): schemas[schema.id] = schema.name
      case .channel(let channel): channels[channel.id] = channel
      case .message(let message):
        guard let channel = channels[message.channel] else {
          throw .damaged(
            path: bytes.path, offset: reader.lastWhole,
            reason: "a message of the channel \(message.channel), which was not declared")
        }
        return RecordedMessage(
          topic: channel.topic, type: schemas[channel.schema] ?? "", encoding: channel.encoding,
          time: message.time, data: message.data)
      default: break
      }
    }
    return nil
  }
}
