import Formats

/// The MCAP reader on a file, its repair, and the messages of ROS 2 in it and in the input itself.
struct MCAPBody: FuzzBody {
  private let file = ScratchFile()
  private let repaired = ScratchFile()

  func check(_ input: UnsafeRawBufferPointer) throws(Violation) {
    Self.decode(Array(input)[...])
    let hasMagic = input.starts(with: MCAPFormat.magic)
    try check(file: hasMagic ? Array(input) : MCAPFormat.magic + Array(input))
  }

  private func check(file bytes: [UInt8]) throws(Violation) {
    try Self.hold(bytes, in: file)
    let (messages, isRefused) = try Self.messages(file.path, size: bytes.count)
    for message in messages { Self.decode(message[...]) }
    guard !isRefused else { return }
    // The repaired file has the same messages, and is whole.
    var copy: [UInt8] = []
    do {
      var repair = try MCAPRepair(try ByteReader(path: file.path))
      _ = try repair.copy(compression: .none) { copy += $0 }
    } catch {
      throw Violation("a file that was read is not repaired: \(error)")
    }
    guard !copy.isEmpty else { return }
    try Self.hold(copy, in: repaired)
    let (again, isBroken) = try Self.messages(repaired.path, size: copy.count)
    try expect(!isBroken, "the repaired file is refused")
    try expect(again == messages, "\(again.count) messages after the repair of \(messages.count)")
  }

  private static func hold(_ bytes: [UInt8], in file: ScratchFile) throws(Violation) {
    let outcome: Result<Void, Violation> = bytes.withUnsafeBytes { bytes in
      do throws(Violation) {
        return .success(try file.hold(bytes))
      } catch {
        return .failure(error)
      }
    }
    try outcome.get()
  }

  /// The messages of declared channels up to the end or the first fault.
  private static func messages(
    _ path: String, size: Int
  ) throws(Violation) -> (messages: [[UInt8]], isRefused: Bool) {
    var messages: [[UInt8]] = []
    var channels: Set<UInt16> = []
    var last = 0
    do throws(RecordingError) {
      var reader = try MCAPReader(try ByteReader(path: path))
      while let record = try reader.next() {
        switch record {
        case .channel(let channel): channels.insert(channel.id)
        case .message(let message):
          if channels.contains(message.channel) { messages.append(Array(message.data)) }
        default: break
        }
        guard reader.lastWhole >= last, reader.lastWhole <= size else {
          return ([], true)
        }
        last = reader.lastWhole
      }
    } catch {
      guard case .damaged(_, let offset, let reason) = error else { throw Violation("\(error)") }
      try expect((0...size).contains(offset), "damage at byte \(offset) of \(size)")
      try expect(reason.utf8.count < 400 + size, "a message of \(reason.utf8.count) bytes")
      return (messages, true)
    }
    return (messages, false)
  }

  /// Reads bytes as each type of message; a fault is allowed, a stop of the program is not.
  private static func decode(_ bytes: ArraySlice<UInt8>) {
    let types: [any ROSMessage.Type] = [
      InputMessage.self, EstimateMessage.self, ReceiverBytesMessage.self, CalibrationMessage.self,
      EventMessage.self, ROSImu.self, ROSMagneticField.self, ROSFluidPressure.self,
      ROSTemperature.self, ROSNavSatFix.self,
    ]
    for type in types {
      do throws(CDRFault) { _ = try type.init(bytes) } catch { continue }
    }
  }
}
