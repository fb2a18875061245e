import Chips
import Quantities
import Simulation
import Testing

/// Driver and emulated chip, each by itself beside the table of facts: a reading of a data sheet
/// that both share is found.
@Suite("The table of facts", .timeLimit(.minutes(30)))
struct FactTests {
  @Test(
    "the bytes of a sample are what the sources say, and the driver reads them so",
    arguments: chipCases)
  func samples(_ chip: ChipCase) throws {
    for fact in chip.model.facts {
      guard case .samples(let layout) = fact.check else { continue }
      for scale in layout.scales {
        let bench = Bench(chip, settings: layout.settings(for: scale))
        // What x shows of z has a row of its own.
        (bench.chip as? EmulatedBMI270)?.crossAxisFactor = 0
        var transfer: [UInt8] = []
        bench.bus.observer = { register, bytes in
          if register == layout.register { transfer = bytes }
        }
        try bench.driver.start()
        let truth = SIMD3(0.52, -0.31, 0.17) * scale.full
        switch layout.quantity {
        case .field: bench.surroundings.field = truth
        case .angularRate: bench.surroundings.angularRate = truth
        case .specificForce: bench.surroundings.specificForce = truth
        }
        _ = try bench.read(atLeast: chip.settlingSamples + 1)
        let last = try #require(try bench.next(layout.chipRange))
        let driven = try #require(last.vectors[layout.chipRange]?.value)
        let counts = try #require(layout.counts(in: transfer), "no sample in \(transfer)")
        for (place, (axis, sign)) in layout.axes.enumerated() {
          let value = counts[place] * sign * scale.perCount(on: axis)
          // A rounded sensitivity: three in a thousand; the samples are some counts apart in time.
          let slack = 2 * scale.perCount(on: axis) + 0.004 * abs(truth[axis])
          #expect(
            abs(value - truth[axis]) <= slack, "emulated chip, axis \(axis): \(value), \(truth)")
          #expect(abs(value - driven[axis]) <= slack, "driver, axis \(axis): \(driven), \(value)")
        }
      }
    }
  }

  @Test("the identities are those of the sources, in chip and driver", arguments: chipCases)
  func identities(_ chip: ChipCase) throws {
    for fact in chip.model.facts {
      guard case .identity(let register, let values) = fact.check else { continue }
      let bench = Bench(chip)
      let file = try #require(bench.chip as? RegisterFile)
      #expect(values.contains(file.registers[Int(register)]))
      let own = Set(chip.model.identityValues.filter { $0.register == register }.map(\.value))
      #expect(own == Set(values))
    }
  }

  @Test(
    "a chip that still boots does not acknowledge, and its driver waits for it",
    arguments: chipCases)
  func silence(_ chip: ChipCase) throws {
    for fact in chip.model.facts {
      guard case .silence(let milliseconds) = fact.check else { continue }
      let bench = Bench(chip)
      bench.chip.losePower(at: bench.bus.now)
      #expect(throws: BusError.self) { _ = try bench.bus.receive(from: chip.address) }
      bench.bus.wait(nanoseconds: (milliseconds - 1) * 1_000_000)
      #expect(throws: BusError.self) { _ = try bench.bus.receive(from: chip.address) }
      bench.chip.losePower(at: bench.bus.now)
      try bench.driver.start()
      #expect(try !bench.read(atLeast: 1).isEmpty)
    }
  }

  @Test("each chip has rows; each row has a source, and one without a second says so")
  func rows() {
    for model in ChipModel.allCases { #expect(!model.facts.isEmpty, "\(model)") }
    for (model, facts) in ChipFact.table {
      for fact in facts {
        #expect(!fact.witnesses.isEmpty, "\(model): \(fact.text)")
        if fact.dispute != nil { #expect(fact.proof != nil, "\(model): \(fact.text)") }
      }
    }
  }
}

extension SampleLayout {
  fileprivate var chipRange: ChipRange.Quantity {
    switch quantity {
    case .field: .field
    case .angularRate: .angularRate
    case .specificForce: .specificForce
    }
  }

  fileprivate func settings(for scale: Scale) -> ChipSettings {
    switch quantity {
    case .field: ChipSettings(fieldMicrotesla: scale.full)
    case .angularRate: ChipSettings(angularRateRadiansPerSecond: scale.full)
    case .specificForce: ChipSettings(specificForceMetresPerSecondSquared: scale.full)
    }
  }

  /// The newest sample's counts in a transfer; nil where it has none.
  fileprivate func counts(in bytes: [UInt8]) -> [Double]? {
    var begin = 0
    if let frame {
      let begins = Array(stride(from: 0, through: bytes.count - frame.bytes, by: frame.bytes))
      guard let last = begins.last(where: { bytes[$0] & frame.mask == frame.value }) else {
        return nil
      }
      begin = last
    }
    let size = coding == .big24 ? 3 : 2
    guard bytes.count >= begin + offset + 3 * size else { return nil }
    return (0..<3).map { place in
      let word = bytes[(begin + offset + place * size)...].prefix(size)
      let ordered = coding == .little16 ? Array(word.reversed()) : Array(word)
      let bits = ordered.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      return Double(Int32(bitPattern: bits << (32 - 8 * UInt32(size))) >> (32 - 8 * Int32(size)))
    }
  }
}
