/// Up to 32 bytes of consecutive registers, without allocation. An SMBus block has at most 32 bytes
/// too.
public struct RegisterBytes: Equatable, Sendable {
  /// The largest number of bytes.
  public static var capacity: Int { 32 }

  /// The number of bytes.
  public let count: Int
  @usableFromInline var storage = SIMD32<UInt8>(repeating: 0)

  /// Makes `count` zero bytes, at most `capacity`.
  @inlinable
  public init(count: Int) { self.count = min(count, Self.capacity) }

  /// Makes a copy of at most `capacity` bytes.
  @inlinable
  public init(_ bytes: some Collection<UInt8>) {
    count = min(bytes.count, Self.capacity)
    for (index, byte) in zip(0..<count, bytes) { storage[index] = byte }
  }

  /// One byte, counted from the first register that was read.
  @inlinable
  public subscript(_ index: Int) -> UInt8 {
    get { storage[index] }
    set { storage[index] = newValue }
  }

  /// The bytes after the first ones.
  @inlinable
  func dropping(_ first: Int) -> RegisterBytes {
    var rest = RegisterBytes(count: count - min(first, count))
    for index in 0..<rest.count { rest.storage[index] = storage[index + first] }
    return rest
  }

  /// A signed 16-bit number with its low byte first.
  @inlinable
  public func littleEndian(at index: Int) -> Int16 {
    Int16(bitPattern: UInt16(storage[index]) | UInt16(storage[index + 1]) << 8)
  }

  /// Three signed 16-bit numbers with their low bytes first: x, y and z.
  @inlinable
  public func littleEndianAxes(at index: Int) -> SIMD3<Double> {
    SIMD3(
      Double(littleEndian(at: index)), Double(littleEndian(at: index + 2)),
      Double(littleEndian(at: index + 4)))
  }

  /// A signed 16-bit number with its high byte first.
  @inlinable
  public func bigEndian(at index: Int) -> Int16 {
    Int16(bitPattern: UInt16(storage[index]) << 8 | UInt16(storage[index + 1]))
  }

  /// A signed 24-bit number with its high byte first.
  @inlinable
  public func bigEndian24(at index: Int) -> Int {
    Int(Int32(bigEndian(at: index)) << 8 | Int32(storage[index + 2]))
  }

  /// A signed 24-bit number with its low byte first.
  @inlinable
  public func littleEndian24(at index: Int) -> Int {
    Int(Int32(littleEndian(at: index + 1)) << 8 | Int32(storage[index]))
  }

  /// True where every byte is the same one.
  @inlinable
  public func isConstant(_ byte: UInt8) -> Bool {
    for index in 0..<count where storage[index] != byte { return false }
    return true
  }

  /// Lets `body` fill the bytes.
  @inlinable
  mutating func fill(_ body: (UnsafeMutableRawBufferPointer) -> Void) {
    let count = self.count
    withUnsafeMutableBytes(of: &storage) {
      body(UnsafeMutableRawBufferPointer(rebasing: $0[..<count]))
    }
  }
}
