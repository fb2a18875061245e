/// A part of a payload that repeats with a fixed length.
public protocol UBXBlock {
  /// Its length in bytes.
  static var size: Int { get }
  /// Reads one that begins at the offset.
  init(_ fields: UBXFields, at offset: Int)
}

/// The repeated blocks of a payload, read one by one when asked for; nothing is copied.
///
/// Valid only while the closure runs that got the frame.
public struct UBXBlocks<Block: UBXBlock>: RandomAccessCollection {
  private let fields: UBXFields
  private let start: Int
  /// How many blocks there are.
  public let count: Int

  /// - Throws: `.malformed` where the payload is too short for as many.
  init(_ fields: UBXFields, from start: Int, count: Int) throws(UBXRejection) {
    guard start <= fields.count, count <= (fields.count - start) / Block.size else {
      throw .malformed
    }
    self.fields = fields
    self.start = start
    self.count = count
  }

  /// As many as fit into the rest of the payload.
  init(_ fields: UBXFields, from start: Int) {
    self.fields = fields
    self.start = start
    count = (fields.count - start) / Block.size
  }

  /// Zero.
  public var startIndex: Int { 0 }
  /// `count`.
  public var endIndex: Int { count }

  /// The block of an index from 0 to `count` less one.
  public subscript(index: Int) -> Block {
    precondition(index >= 0 && index < count)
    return Block(fields, at: start + index * Block.size)
  }
}
