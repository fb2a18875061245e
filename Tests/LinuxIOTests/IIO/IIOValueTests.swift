import LinuxIO
import Testing

@Suite("IIO's numbers and scans", .timeLimit(.minutes(30)))
struct IIOValueTests {
  @Test(
    "numbers are read to their last digit",
    arguments: [
      ("-32767", Int64(-32_767), 0, -32_767.0), ("0.000146\n", 146, 6, 0.000_146),
      ("25080.000000000", 25_080_000_000_000, 9, 25_080),
      ("100.653253906", 100_653_253_906, 9, 100.653_253_906),
      ("-0.000010", -10, 6, -0.000_01), ("15.0 30.0", 150, 1, 15), ("0", 0, 0, 0),
    ])
  func numbers(text: String, digits: Int64, places: Int, value: Double) throws {
    let decimal = try #require(IIODecimal(text))
    #expect(decimal.digits == digits)
    #expect(decimal.places == places)
    #expect(decimal.value == value)
  }

  @Test(
    "invalid text is no number",
    arguments: ["", "-", ".", "nan", "0x12", "1.2.3", "1e3", "99999999999999999999"])
  func noNumbers(text: String) {
    #expect(IIODecimal(text) == nil)
  }

  @Test(
    "types are read as the kernel writes them, and a number out of its bytes",
    arguments: [
      ("le:s16/16>>0", [0x01, 0x80], Int64(-32_767)), ("be:s16/16>>0", [0x80, 0x01], -32_767),
      ("le:s12/16>>4", [0xF0, 0x7F], 2047), ("le:s12/16>>4", [0x0F, 0x80], -2048),
      ("be:u24/32>>8", [0x12, 0x34, 0x56, 0xFF], 0x12_3456),
      ("le:s24/32>>0", [0xFF, 0xFF, 0xFF, 0x12], -1), ("le:u32/32>>0", [0, 0, 0, 0x80], 1 << 31),
      ("le:s64/64>>0", [1, 0, 0, 0, 0, 0, 0, 0x80], Int64.min + 1), ("be:u8/8>>0", [0xFF], 255),
      ("le:s16/16X2>>0", [0xFE, 0xFF], -2),
    ] as [(String, [UInt8], Int64)])
  func types(text: String, bytes: [UInt8], number: Int64) throws {
    let type = try #require(IIOScanType(text))
    #expect(bytes.withUnsafeBytes { $0.baseAddress.map(type.number) } == number)
  }

  @Test(
    "an invalid type is rejected",
    arguments: [
      "", "le:s16/16", "le:x16/16>>0", "me:s16/16>>0", "le:s17/16>>0", "le:s16/24>>0",
      "le:s16/16>>1",
    ])
  func noTypes(text: String) {
    #expect(IIOScanType(text) == nil)
  }

  @Test("the ends of a type")
  func rails() throws {
    func rails(_ text: String) throws -> ClosedRange<Int64> {
      try #require(IIOScanType(text)).rails
    }
    #expect(try rails("le:s12/16>>4") == -2048...2047)
    #expect(try rails("be:s16/16>>0") == -32_768...32_767)
    #expect(try rails("le:u32/32>>0") == 0...4_294_967_295)
    #expect(try rails("le:s64/64>>0") == Int64.min...Int64.max)
  }

  /// Computed by hand with the kernel's rule: each at a multiple of its own size, the whole a
  /// multiple of the greatest.
  @Test(
    "scans are laid out as the kernel does",
    arguments: [
      (["le:s16/16>>0", "le:s16/16>>0", "le:s16/16>>0", "le:s64/64>>0"], [0, 2, 4, 8], 16),
      (["le:s24/32>>0", "le:s16/16>>0", "le:s64/64>>0"], [0, 4, 8], 16),
      (["le:s16/16>>0", "le:s32/32>>0"], [0, 4], 8),
      (["le:s32/32>>0", "le:s16/16>>0"], [0, 4], 8),
      (["be:s16/16>>0"], [0], 2),
      (["le:u8/8>>0", "le:s32/32X4>>0", "le:s64/64>>0"], [0, 16, 32], 48),
    ] as [([String], [Int], Int)])
  func layouts(texts: [String], offsets: [Int], bytes: Int) throws {
    let elements = try texts.enumerated().map { (index: $0, type: try #require(IIOScanType($1))) }
    let layout = IIOScanLayout(elements)
    #expect(layout.offsets == offsets)
    #expect(layout.bytes == bytes)
  }

  @Test("indices decide the order, not the names")
  func order() throws {
    let type = try #require(IIOScanType("be:s16/16>>0"))
    let layout = IIOScanLayout([
      (index: 0, type: type), (index: 2, type: type), (index: 1, type: type),
    ])
    #expect(layout.offsets == [0, 4, 2])
  }
}
