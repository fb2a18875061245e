/// ASCII text of a fixed-length field, up to its first NUL.
///
/// Valid only inside the closure that receives the frame.
public struct UBXText {
  /// The characters.
  public let bytes: UnsafeBufferPointer<UInt8>

  init(_ field: UnsafeBufferPointer<UInt8>) {
    let end = field.firstIndex(of: 0) ?? field.endIndex
    bytes = UnsafeBufferPointer(rebasing: field[..<end])
  }

  /// An independent copy.
  public var string: String { String(decoding: bytes, as: UTF8.self) }

  /// True where the text begins with these ASCII characters.
  public func begins(with prefix: StaticString) -> Bool {
    prefix.withUTF8Buffer { wanted in
      guard bytes.count >= wanted.count else { return false }
      for i in 0..<wanted.count where bytes[i] != wanted[i] { return false }
      return true
    }
  }
}
