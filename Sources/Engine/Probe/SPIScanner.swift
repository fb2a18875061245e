import Chips

/// Finds the chip at an SPI device. It only reads identity registers, with the framing that all supported chips but the
/// MS5611 share: a first byte with the highest bit set, which for each of them is a read. For each register the scan sends
/// that byte and two zeros, in a selection of its own.
///
/// A LIS2MDL, which reads by three wires until it was written to, a sleeping BMM150 and an MS5611, which has no identity, are
/// not found.
package struct SPIScanner {
  let device: any SPIDevice

  package init(device: any SPIDevice) { self.device = device }

  /// The registers that are read: 0x00, 0x0F, 0x2F, 0x36, 0x40, 0x50 (0xD0 of a BMP280) and 0x75 with today's catalogue.
  package static var registers: [UInt8] {
    Set(candidates.map { $0.register & 0x7F }).sorted()
  }

  private static var candidates: [(model: ChipModel, register: UInt8, value: UInt8, name: String)] {
    ChipModel.allCases.filter { $0.spi?.isScanned == true }.flatMap { model in
      model.identityValues.map { (model, $0.register, $0.value, $0.name) }
    }
  }

  /// The chip; nil where none is identified.
  /// - Throws: `BusError` where the device cannot be used.
  package func scan() throws(BusError) -> Finding? {
    var answers: [UInt8: (UInt8, UInt8)] = [:]
    // The first selection switches a BMI160 to SPI, and has no valid answer.
    for register in [0x7F] + Self.registers { answers[register] = try read(register) }
    let bytes = Self.registers.compactMap { answers[$0]?.0 }
    for candidate in Self.candidates {
      guard let answer = answers[candidate.register & 0x7F], let spi = candidate.model.spi,
        (spi.hasDummyByte ? answer.1 : answer.0) == candidate.value
      else { continue }
      let remark = candidate.name == candidate.model.rawValue ? nil : candidate.name
      return Finding(
        bus: device.name, address: 0, device: .chip(candidate.model), remark: remark)
    }
    // Without a chip the line is not driven.
    if Set(bytes).count == 1 { return nil }
    let text = zip(Self.registers, bytes).map {
      "\(Hexadecimal.text($0))=\(Hexadecimal.text($1))"
    }
    return Finding(
      bus: device.name, address: 0, device: .unknown,
      remark: "registers " + text.joined(separator: " "))
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
