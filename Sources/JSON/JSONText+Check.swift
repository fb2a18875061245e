extension JSONText {
  /// Checks that each text between quotation marks is UTF-8 with valid escapes and no control
  /// character.
  ///
  /// Foundation's `JSONDecoder` of Swift 6.0 stops the program at a name that is not, where a later
  /// one throws: what comes from outside is checked before it is decoded. The structure is left to
  /// the decoder.
  /// - Source: swift-foundation 6.0.3, `JSONDecoder.swift`, line 1193: a forced `try`.
  package static func check(_ bytes: some Sequence<UInt8>) throws(JSONFault) {
    let checked = bytes.withContiguousStorageIfAvailable { bytes in outcome(bytes) }
    try (checked ?? Array(bytes).withUnsafeBufferPointer { outcome($0) }).get()
  }

  private static func outcome(_ bytes: UnsafeBufferPointer<UInt8>) -> Result<Void, JSONFault> {
    var index = 0
    while let start = bytes[index...].firstIndex(of: UInt8(ascii: "\"")).map({ $0 + 1 }) {
      var end = start
      while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
        end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
      }
      guard end < bytes.count else {
        return .failure(JSONFault(at: bytes.count, "it ends too early"))
      }
      if let control = bytes[start..<end].firstIndex(where: { $0 < 0x20 }) {
        return .failure(JSONFault(at: control, "a control character in a text"))
      }
      let text = JSONText(bytes: UnsafeBufferPointer(rebasing: bytes[start..<end]), offset: start)
      do throws(JSONFault) { _ = try text.string() } catch { return .failure(error) }
      index = end + 1
    }
    return .success(())
  }
}
