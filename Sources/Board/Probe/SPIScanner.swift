import Chips

/// Finds the chip at an SPI device. It only reads identity registers, with the framing that all
/// supported chips but the MS5611 share: a first byte with the highest bit set, which for each of
/// them is a read. For each register the scan sends that byte and two zeros, in a selection of its
/// own.
///
/// A LIS2MDL, which reads by three wires until it was written to, a sleeping BMM150 and an MS5611,
/// which has no identity, are not found.
package struct SPIScanner {
  let device: any SPIDevice

  package init(device: any SPIDevice) { self.device = device }

  /// The registers that are read: 0x00, 0x01, 0x0D, 0x0F, 0x2F, 0x36, 0x40, 0x50 (0xD0 of a
  /// BMP280), 0x72 and 0x75 with today's catalogue.
  package static var registers: [UInt8] {
    Set(candidates.map { $0.register & 0x7F }).sorted()
  }

  private typealias Candidate = (model: ChipModel, register: UInt8, value: UInt8, name: String)

  private static var candidates: [Candidate] {
    ChipModel.allCases.filter { $0.spi?.isScanned == true }.flatMap { model in
      model.identityValues.map { (model, $0.register, $0.value, $0.name) }
    }
  }

  /// Readings of the same registers, with a pause of some ns, for a chip that may be two.
  private static var repeats: Int { 4 }
  private static var repeatPause: UInt64 { 5_000_000 }

  /// The chip; nil where none is identified.
  /// - Throws: `BusError` where the device cannot be used.
  package func scan() throws(BusError) -> Finding? {
    var answers: [UInt8: (UInt8, UInt8)] = [:]
    // The first selection switches BMI160, BMI270, BMP581 and DPS310 to SPI, and has no valid
    // answer.
    for register in [0x7F] + Self.registers { answers[register] = try read(register) }
    let bytes = Self.registers.compactMap { answers[$0]?.0 }
    // Where all first bytes are equal, they are dummies or nothing.
    let isConstant = Set(bytes).count == 1
    var matches = Self.candidates.filter {
      Self.isMatch($0, answers[$0.register & 0x7F]) && !(isConstant && !$0.model.hasDummyByte)
    }
    // A register of measurements holds the identity of another chip by chance, but not for long.
    for _ in 0..<Self.repeats where matches.count > 1 {
      device.wait(nanoseconds: Self.repeatPause)
      for register in Set(matches.map { $0.register & 0x7F }).sorted() {
        let answer = try read(register)
        matches.removeAll { $0.register & 0x7F == register && !Self.isMatch($0, answer) }
      }
    }
    // Chips without a dummy byte come first: the identity of a BMP581, in register 0x01, is also
    // that of a BMP388 after the dummy byte of register 0x00.
    if let match = matches.first(where: { !$0.model.hasDummyByte }) ?? matches.first {
      return Finding(
        bus: device.name, address: 0, device: .chip(match.model),
        remark: match.model.remark(identifiedAs: match.name))
    }
    // Without a chip the line is not driven.
    if isConstant { return nil }
    let text = zip(Self.registers, bytes).map {
      "\(Hexadecimal.text($0))=\(Hexadecimal.text($1))"
    }
    return Finding(
      bus: device.name, address: 0, device: .unknown,
      remark: "registers " + text.joined(separator: " "))
  }

  private static func isMatch(_ candidate: Candidate, _ answer: (UInt8, UInt8)?) -> Bool {
    guard let answer else { return false }
    return (candidate.model.hasDummyByte ? answer.1 : answer.0) == candidate.value
  }

  private func read(_ register: UInt8) throws(BusError) -> (UInt8, UInt8) {
    var frame: (UInt8, UInt8, UInt8) = (register | 0x80, 0, 0)
    var failure: BusError?
    withUnsafeMutableBytes(of: &frame) {
      do throws(BusError) { try device.exchange($0) } catch { failure = error }
    }
    if let failure { throw failure }
    return (frame.1, frame.2)
  }
}

extension ChipModel {
  fileprivate var hasDummyByte: Bool { spi?.hasDummyByte == true }
}
