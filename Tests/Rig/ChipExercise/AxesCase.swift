import Chips
import LinuxIO
import Quantities

/// One quantity with three axes of a chip.
struct AxesCase {
  /// The common start of the kernel's attributes.
  var stem: String
  /// The chip whose `IIO` driver reads it, where that is not the case's.
  var model: ChipModel?
  /// The first of the data registers.
  var register: UInt8
  /// The registers of three words, as the chip puts them.
  var bytes: (SIMD3<Int16>) -> [UInt8]
  /// The word that is one count: 16 where four bits are unused.
  var unit: Int16 = 1
  /// Our unit in the kernel's: 100 microtesla in a gauss, or 1.
  var perABIUnit = 1.0
  /// The number of Lodestar's counts in one of the kernel's.
  var countsPerKernelCount = 1.0
  /// The counts at which the kernel limits its values; it then prints another value than the
  /// driver's count.
  var kernelLimit: Int?
  /// Hundredths where the kernel's scale is one.
  var kernelScaleTimes = 1.0
  /// The bits of the chip's words; the ends of the patterns are written with all bits nevertheless.
  var wordBits = 16
  /// Counts at which our decoder reports saturation, on any axis.
  var isSaturated: (Int) -> Bool = { _ in false }
  /// The counts between which our IIO driver reports no saturation.
  var measured = -32_767...32_766
  /// A word that is no value to the kernel's driver, which returns an error in its place.
  var invalid: Int16?
  /// Whether the kernel's driver states x's scale for y and z too, by mistake.
  var hasOnlyXScale = false
  /// The scales to set for the ranges, where the driver has no list of them.
  var scales: [String]?
  /// Whether the ranges are set in the registers, where the driver sets others than it is asked
  /// for.
  var hasRangesByRegister = false
  /// The ranges in the order of `scales`, or the kernel's.
  var ranges: [RangeCase]

  func isReadable(_ words: SIMD3<Int16>) -> Bool {
    invalid.map { words.x != $0 && words.y != $0 && words.z != $0 } ?? true
  }
}

/// One range of a quantity.
struct RangeCase {
  /// Where the kernel puts the range's bits: register, mask, and what our driver puts there.
  var bits: (register: UInt8, mask: UInt8, value: UInt8)?
  /// The kernel's printed scale where it differs from the data sheet's by more than printing does.
  var kernelDigits: Int64?
  /// Our decoder.
  var decode: (RegisterBytes) -> SIMD3<Double>?
}

extension Reading where Value == MagneticField<SensorFrame> {
  var components: SIMD3<Double>? { value?.components }
}
extension Reading where Value == AngularRate<SensorFrame> {
  var components: SIMD3<Double>? { value?.components }
}
extension Reading where Value == SpecificForce<SensorFrame> {
  var components: SIMD3<Double>? { value?.components }
}

/// Six bytes, the low byte of each word first.
func littleEndian(_ words: SIMD3<Int16>) -> [UInt8] {
  bigEndian(words.x.byteSwapped, words.y.byteSwapped, words.z.byteSwapped)
}

/// Six bytes, the high byte of each word first, in this order.
func bigEndian(_ words: Int16...) -> [UInt8] {
  words.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }
}
