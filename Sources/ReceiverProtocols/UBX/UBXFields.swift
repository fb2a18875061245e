import Quantities

/// Reads a payload's little-endian numbers at their offsets; the methods have u-blox's names of the
/// types.
///
/// The caller must have checked that the payload is as long as its layout. An offset beyond the
/// payload is a programming error and stops the program before it reads other memory.
/// - Source: u-blox M8 receiver description UBX-13003221, "Number formats".
public struct UBXFields {
  private let bytes: UnsafeRawBufferPointer

  /// Makes a reader of a payload.
  public init(_ payload: UnsafeBufferPointer<UInt8>) { bytes = UnsafeRawBufferPointer(payload) }

  /// The payload's length.
  public var count: Int { bytes.count }

  @inline(__always)
  private func load<T: FixedWidthInteger & BitwiseCopyable>(_ offset: Int, as type: T.Type) -> T {
    precondition(offset >= 0 && offset <= bytes.count - MemoryLayout<T>.size)
    return T(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: T.self))
  }

  /// Unsigned, one byte; also bit fields (X1).
  public func u1(_ offset: Int) -> UInt8 { load(offset, as: UInt8.self) }
  /// Unsigned, two bytes; also bit fields (X2).
  public func u2(_ offset: Int) -> UInt16 { load(offset, as: UInt16.self) }
  /// Unsigned, four bytes; also bit fields (X4).
  public func u4(_ offset: Int) -> UInt32 { load(offset, as: UInt32.self) }
  /// Unsigned, eight bytes; also bit fields (X8).
  public func u8(_ offset: Int) -> UInt64 { load(offset, as: UInt64.self) }
  /// Two's complement, one byte.
  public func i1(_ offset: Int) -> Int8 { load(offset, as: Int8.self) }
  /// Two's complement, two bytes.
  public func i2(_ offset: Int) -> Int16 { load(offset, as: Int16.self) }
  /// Two's complement, four bytes.
  public func i4(_ offset: Int) -> Int32 { load(offset, as: Int32.self) }
  /// IEEE 754, four bytes.
  public func r4(_ offset: Int) -> Float { Float(bitPattern: u4(offset)) }
  /// IEEE 754, eight bytes.
  public func r8(_ offset: Int) -> Double { Double(bitPattern: u8(offset)) }

  /// A range of raw bytes.
  public func bytes(_ offset: Int, count: Int) -> UnsafeBufferPointer<UInt8> {
    precondition(offset >= 0 && count >= 0 && offset <= bytes.count - count)
    return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
      .bindMemory(to: UInt8.self)
  }
}

extension UBXFields {
  // Scaled numbers are divided: 1e7 is exact in binary and 1e-7 is not, so the quotient is the
  // `Double` nearest to the receiver's value.

  /// A signed four-byte number in units of 1 / `scale`.
  func i4(_ offset: Int, per scale: Double) -> Double { Double(i4(offset)) / scale }
  /// An unsigned two-byte number in units of 1 / `scale`.
  func u2(_ offset: Int, per scale: Double) -> Double { Double(u2(offset)) / scale }
  /// A signed four-byte angle in units of 1 / `scale` degrees.
  func angle4(_ offset: Int, per scale: Double) -> Angle { Angle(degrees: i4(offset, per: scale)) }

  /// An unsigned four-byte accuracy in units of 1 / `scale`; nil where all bits are set.
  ///
  /// Receivers without a fix set all bits: u-blox's descriptions do not mention it, recorded
  /// messages show it.
  func accuracy4(_ offset: Int, per scale: Double) -> Double? {
    let parts = u4(offset)
    return parts == .max ? nil : Double(parts) / scale
  }

  /// An accuracy in units of 1 / `scale` degrees; nil where all bits are set.
  func angleAccuracy4(_ offset: Int, per scale: Double) -> Angle? {
    accuracy4(offset, per: scale).map { Angle(degrees: $0) }
  }
}

extension FixedWidthInteger where Self: UnsignedInteger {
  /// One bit of a bit field.
  func bit(_ position: Int) -> Bool { self >> position & 1 != 0 }

  /// `count` bits of a bit field, the lowest at `position`.
  func bits(_ position: Int, count: Int) -> UInt8 {
    UInt8(truncatingIfNeeded: self >> position & ((1 << count) - 1))
  }
}
