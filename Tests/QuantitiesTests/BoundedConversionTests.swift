import Quantities
import Testing

@Suite("Conversion of a Double to an integer", .timeLimit(.minutes(30)))
struct BoundedConversionTests {
  @Test("drops the fraction and limits the value to the type's range; NaN is 0")
  func limits() {
    #expect(Int(bounded: 2.9) == 2 && Int(bounded: -2.9) == -2)
    #expect(Int(bounded: .nan) == 0 && UInt8(bounded: -.nan) == 0)
    #expect(UInt64(bounded: .infinity) == .max && UInt64(bounded: -1) == 0)
    #expect(Int64(bounded: -.infinity) == .min && Int64(bounded: 0x1p63) == .max)
    #expect(Int64(bounded: (0x1p63).nextDown) == 9_223_372_036_854_774_784)
    #expect(UInt64(bounded: 0x1p64) == .max)
    #expect(UInt8(bounded: 255.9) == 255 && UInt8(bounded: 256) == 255)
    #expect(Int8(bounded: -128.9) == -128 && Int8(bounded: -1e300) == -128)
    #expect(UInt32(bounded: -0.9) == 0)
  }

  @Test("a duration in nanoseconds has a limit at both ends")
  func nanoseconds() {
    #expect(UInt64(nanosecondsIn: 1.5) == 1_500_000_000)
    #expect(UInt64(nanosecondsIn: -1) == 0 && UInt64(nanosecondsIn: .nan) == 0)
    #expect(UInt64(nanosecondsIn: 1e11) == .max)
  }

  @Test("a deadline beyond the clock's end is the clock's end, not an instant in the past")
  func deadline() {
    let now = Timestamp(nanoseconds: 5_000_000_000)
    #expect(now.advanced(bySeconds: 2) == Timestamp(nanoseconds: 7_000_000_000))
    #expect(now.advanced(bySeconds: 1e11) == Timestamp(nanoseconds: .max))
    #expect(now.advanced(bySeconds: -.infinity) == now && now.advanced(bySeconds: .nan) == now)
    #expect(now.advanced(byNanoseconds: .max) == Timestamp(nanoseconds: .max))
  }
}
