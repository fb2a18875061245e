import Quantities

/// Writes a filter's state into 64-bit words, or reads it back. One function of each type does
/// both, so that writing and reading cannot differ.
struct StateCoder {
  /// Identifies the format; changes with every change of the saved state.
  private static var version: UInt64 { 0x4C4F_4445_0000_0004 }

  private(set) var words: [UInt64] = []
  private let isReading: Bool
  private var position = 0
  private var isBroken = false

  /// Makes a coder that writes.
  init() {
    isReading = false
    words = [Self.version]
    words.reserveCapacity(1024)
  }

  /// Makes a coder that reads.
  init(reading words: [UInt64]) {
    isReading = true
    self.words = words
    isBroken = words.first != Self.version
    position = 1
  }

  /// True if exactly all words were read.
  var isComplete: Bool { !isBroken && position == words.count }

  mutating func code(_ x: inout UInt64) {
    guard isReading else {
      words.append(x)
      return
    }
    guard !isBroken, position < words.count else {
      isBroken = true
      return
    }
    x = words[position]
    position += 1
  }

  mutating func code(_ x: inout Double) {
    var bits = x.bitPattern
    code(&bits)
    x = Double(bitPattern: bits)
  }

  mutating func code(_ x: inout Double?) {
    var isThere = x != nil
    code(&isThere)
    var value = x ?? 0
    code(&value)
    x = isThere ? value : nil
  }

  mutating func code(_ x: inout Bool) {
    var bit: UInt64 = x ? 1 : 0
    code(&bit)
    if bit > 1 { isBroken = true }
    x = bit == 1
  }

  mutating func code(_ x: inout DisturbanceState) {
    let states = DisturbanceState.allCases
    var index = UInt64(states.firstIndex(of: x) ?? 0)
    code(&index)
    guard index < UInt64(states.count) else {
      isBroken = true
      return
    }
    x = states[Int(index)]
  }

  mutating func code(_ x: inout SIMD3<Double>) {
    code(&x.x)
    code(&x.y)
    code(&x.z)
  }

  mutating func code(_ x: inout Matrix3) {
    code(&x.r0)
    code(&x.r1)
    code(&x.r2)
  }

  mutating func code(_ x: inout SIMD3<Double>?) {
    var isThere = x != nil
    code(&isThere)
    var value = x ?? .zero
    code(&value)
    x = isThere ? value : nil
  }

  mutating func code(_ x: inout Timestamp?) {
    var isThere = x != nil
    code(&isThere)
    var nanoseconds = x?.nanoseconds ?? 0
    code(&nanoseconds)
    x = isThere ? Timestamp(nanoseconds: nanoseconds) : nil
  }

  mutating func code(_ x: inout Rotation<BodyFrame, MagneticEarthFrame>?) {
    var isThere = x != nil
    code(&isThere)
    var (w, v) = (x?.w ?? 1, x?.v ?? .zero)
    code(&w)
    code(&v)
    guard isThere, isReading else {
      if isReading { x = nil }
      return
    }
    // A saved quaternion has unit length up to rounding and is restored to the bit.
    let isUnit = abs(w * w + v.lengthSquared - 1) < 1e-9
    if !isUnit { isBroken = true }
    x = isUnit ? Rotation(restoring: w, v) : nil
  }
}
