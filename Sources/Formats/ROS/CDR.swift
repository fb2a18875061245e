/// Writes a message in the Common Data Representation as ROS 2 uses it: little-endian, each number
/// aligned to its size from the end of the four-byte header on.
/// - Source: OMG DDS-XTypes 1.3, 7.6.2 (encapsulation 0x0001, CDR_LE) and 7.4.1 (alignment of XCDR
///   version 1).
package struct CDRWriter {
  /// The message so far.
  package private(set) var bytes: [UInt8] = [0, 1, 0, 0]

  /// Begins a message.
  package init(capacity: Int = 512) { bytes.reserveCapacity(capacity) }

  private mutating func align(_ size: Int) {
    while (bytes.count - 4) % size != 0 { bytes.append(0) }
  }

  /// Adds a number.
  package mutating func add<Value: FixedWidthInteger>(_ value: Value) {
    align(MemoryLayout<Value>.size)
    bytes.append(little: value)
  }

  /// Adds a number.
  package mutating func add(_ value: Double) { add(value.bitPattern) }

  /// Adds true or false.
  package mutating func add(_ value: Bool) { bytes.append(value ? 1 : 0) }

  /// Adds a text.
  package mutating func add(_ text: String) {
    add(UInt32(text.utf8.count + 1))
    bytes.append(contentsOf: text.utf8)
    bytes.append(0)
  }

  /// Adds the numbers of an array of fixed length.
  package mutating func add(array values: [Double]) {
    for value in values { add(value) }
  }

  /// Adds numbers after their count.
  package mutating func add(sequence values: [Double]) {
    add(UInt32(values.count))
    add(array: values)
  }

  /// Adds three numbers after their count; no numbers for nil.
  package mutating func add(sequence vector: SIMD3<Double>?) {
    guard let vector else { return add(UInt32(0)) }
    add(UInt32(3))
    add(vector)
  }

  /// Adds three numbers.
  package mutating func add(_ vector: SIMD3<Double>) {
    add(vector.x)
    add(vector.y)
    add(vector.z)
  }

  /// Adds bytes after their count.
  package mutating func add(sequence values: [UInt8]) {
    add(UInt32(values.count))
    bytes += values
  }
}

/// Why a message cannot be read.
package struct CDRFault: Error, Equatable, Sendable, CustomStringConvertible {
  /// What was found.
  package var description: String

  /// Makes a fault.
  package init(description: String) { self.description = description }
}

/// Reads a message in the Common Data Representation, little-endian or big-endian.
package struct CDRReader {
  private let bytes: ArraySlice<UInt8>
  private let isBigEndian: Bool
  private var position = 4

  /// Begins to read a message.
  package init(_ bytes: ArraySlice<UInt8>) throws(CDRFault) {
    guard bytes.count >= 4 else { throw CDRFault(description: "a message of \(bytes.count) bytes") }
    let kind = bytes[bytes.startIndex + 1]
    guard bytes[bytes.startIndex] == 0, kind <= 1 else {
      throw CDRFault(description: "a message that is no CDR of version 1")
    }
    (self.bytes, isBigEndian) = (bytes, kind == 0)
  }

  private mutating func readBytes(_ count: Int) throws(CDRFault) -> ArraySlice<UInt8> {
    guard count >= 0, count <= bytes.count - position else {
      throw CDRFault(description: "a message that ends after \(bytes.count) bytes, too early")
    }
    let start = bytes.startIndex + position
    position += count
    return bytes[start..<start + count]
  }

  /// Reads a number.
  package mutating func number<Value: FixedWidthInteger>(
    _ type: Value.Type = Value.self
  ) throws(CDRFault) -> Value {
    let size = MemoryLayout<Value>.size
    position += (size - (position - 4) % size) % size
    let taken = try readBytes(size)
    var value = Value.zero
    withUnsafeMutableBytes(of: &value) { $0.copyBytes(from: taken) }
    return isBigEndian ? Value(bigEndian: value) : Value(littleEndian: value)
  }

  /// Reads a number.
  package mutating func double() throws(CDRFault) -> Double {
    Double(bitPattern: try number(UInt64.self))
  }

  /// Reads a text.
  package mutating func text() throws(CDRFault) -> String {
    let count = Int(clamping: try number(UInt32.self))
    return String(decoding: try readBytes(count).prefix { $0 != 0 }, as: UTF8.self)
  }

  /// Reads the numbers of an array of fixed length.
  package mutating func array(_ count: Int) throws(CDRFault) -> [Double] {
    guard count <= (bytes.count - position) / 8 + 1 else {
      throw CDRFault(description: "a message with \(count) numbers in \(bytes.count) bytes")
    }
    var values: [Double] = []
    values.reserveCapacity(count)
    for _ in 0..<count { values.append(try double()) }
    return values
  }

  /// Reads three numbers.
  package mutating func vector() throws(CDRFault) -> SIMD3<Double> {
    SIMD3(try double(), try double(), try double())
  }

  /// Reads numbers after their count.
  package mutating func sequence() throws(CDRFault) -> [Double] {
    try array(Int(clamping: try number(UInt32.self)))
  }

  /// Reads three numbers after their count; nil where there are none.
  package mutating func optionalVector() throws(CDRFault) -> SIMD3<Double>? {
    let values = try sequence()
    if values.isEmpty { return nil }
    guard values.count == 3 else {
      throw CDRFault(description: "a vector of \(values.count) numbers")
    }
    return SIMD3(values[0], values[1], values[2])
  }

  /// Reads bytes after their count.
  package mutating func byteSequence() throws(CDRFault) -> [UInt8] {
    Array(try readBytes(Int(clamping: try number(UInt32.self))))
  }
}
