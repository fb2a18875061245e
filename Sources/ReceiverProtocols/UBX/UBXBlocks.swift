/// A part of a payload of fixed length that is repeated.
public protocol UBXBlock {
  /// Length of a block, bytes.
  static var size: Int { get }
  /// Reads the block at an offset.
  init(_ fields: UBXFields, at offset: Int)
}

/// The repeated blocks of a payload, each decoded on access, without a copy of the payload.
///
/// Valid only inside the closure that receives the frame.
public struct UBXBlocks<Block: UBXBlock>: RandomAccessCollection {
  private let fields: UBXFields
  private let start: Int
  /// Number of blocks.
  public let count: Int

  /// - Throws: `.malformed` where the payload is too short for `count` blocks.
  init(_ fields: UBXFields, from start: Int, count: Int) throws(UBXRejection) {
    guard start <= fields.count, count <= (fields.count - start) / Block.size else {
      throw .malformed
    }
    self.fields = fields
    self.start = start
    self.count = count
  }

  /// Makes as many blocks as fit into the rest of the payload.
  init(_ fields: UBXFields, from start: Int) {
    self.fields = fields
    self.start = start
    count = (fields.count - start) / Block.size
  }

  /// Zero.
  public var startIndex: Int { 0 }
  /// `count`.
  public var endIndex: Int { count }

  /// The block of an index from 0 to `count` - 1.
  public subscript(index: Int) -> Block {
    precondition(index >= 0 && index < count)
    return Block(fields, at: start + index * Block.size)
  }
}
