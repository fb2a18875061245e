import Chips
import Quantities
import ReceiverProtocols

/// Finds the devices on a bus. It only reads, with two exceptions: it may enable the bypass of an
/// identified motion unit, which connects the chips behind it to the bus, and wake a chip that has
/// no identity asleep (`WakeCommand`).
package struct BusScanner {
  let bus: any RegisterBus
  /// The kernel driver that owns an address; nil for none.
  let kernelDriver: (UInt8) -> String?
  /// The chip that a kernel driver reads at an address.
  let kernelChip: (UInt8) -> KernelChip?

  /// Addresses that are not reserved.
  /// - Source: NXP UM10204 revision 7, table 4.
  static var addresses: ClosedRange<UInt8> { 0x08...0x77 }
  /// More answers mean a fault: with SDA held low every address seems to answer.
  private static let mostDevices = 40
  /// Time in which a receiver must send, ns: it sends once a second.
  private static let receiverTime: UInt64 = 1_300_000_000

  package init(
    bus: any RegisterBus, kernelDriver: @escaping (UInt8) -> String? = { _ in nil },
    kernelChip: @escaping (UInt8) -> KernelChip? = { _ in nil }
  ) {
    self.bus = bus
    self.kernelDriver = kernelDriver
    self.kernelChip = kernelChip
  }

  /// Scans all addresses.
  /// - Parameters:
  ///   - opensBypass: Whether to enable the bypass of an identified motion unit, to find chips
  ///     behind it, and to wake sleeping chips.
  ///   - progress: Called with each address before the access.
  /// - Returns: The findings, sorted by address.
  /// - Throws: `BusError` where the bus itself is at fault.
  package func scan(
    opensBypass: Bool, progress: (UInt8) -> Void = { _ in }
  ) throws(BusError) -> [Finding] {
    var findings: [Finding] = []
    var silence: BusError?
    for address in Self.addresses {
      progress(address)
      if let finding = try identify(at: address, mayWrite: opensBypass, &silence) {
        findings.append(finding)
      }
      guard findings.count <= Self.mostDevices else {
        throw BusError(.stuck, device: bus.name)
      }
    }
    if findings.isEmpty, let silence { throw silence }
    if opensBypass { findings += try behind(findings) }
    return distinguish(findings).sorted { $0.address < $1.address }
  }

  /// The device at one address; nil without an answer.
  private func identify(
    at address: UInt8, mayWrite: Bool, _ silence: inout BusError?
  ) throws(BusError) -> Finding? {
    if let driver = kernelDriver(address) {
      let chip = kernelChip(address)
      return Finding(
        bus: bus.name, address: address, device: .kernel(driver: driver, chip?.models.first),
        remark: chip?.access)
    }
    do throws(BusError) {
      _ = try bus.receive(from: address)
    } catch {
      switch error.kind {
      case .noAnswer, .failed, .arbitrationLost:
        // A chip without registers answers no read before its command.
        guard mayWrite else { return nil }
        for command in WakeCommand.all where command.asleep.isEmpty {
          if let found = awakened(command, at: address) { return found }
        }
        return nil
      case .stuck:
        // Some controllers time out at an absent chip: the bus is stuck only if no address answers.
        silence = error
        return nil
      case .ownedByKernel:
        return Finding(bus: bus.name, address: address, device: .kernel(driver: "?", nil))
      default: throw error
      }
    }
    let finding = identify(address)
    guard mayWrite, finding.device == .unknown else { return finding }
    for command in WakeCommand.all {
      if let awake = awakened(command, at: address) { return awake }
    }
    return finding
  }

  /// The chip that a command wakes; nil where the registers are not those of its sleep, or another
  /// device answers, for which the command is taken back.
  private func awakened(_ command: WakeCommand, at address: UInt8) -> Finding? {
    guard command.model.addresses.contains(address) else { return nil }
    do throws(BusError) {
      for register in command.asleep where try bus.read(register, of: address) != 0 { return nil }
      try bus.write(command.value, to: command.register, of: address)
      bus.wait(nanoseconds: command.nanoseconds)
      let finding = identify(address)
      if finding.device == .chip(command.model) { return finding }
      if let value = command.takenBackBy {
        try bus.write(value, to: command.register, of: address)
      }
    } catch {}
    return nil
  }

  /// A u-blox receiver: it is given time to send, as it has no identity register and sends once a
  /// second. Nil for a device whose registers do not read as those of a receiver; only reads.
  private func receiver(at address: UInt8) -> Finding? {
    guard address == UBloxI2CPort<NoBus>.usualAddress else { return nil }
    var finding = Finding(bus: bus.name, address: address, device: .unknown)
    do throws(BusError) {
      let port: any SerialPort
      func open(_ bus: some RegisterBus) throws(BusError) -> (any SerialPort)? {
        let port = UBloxI2CPort(bus: bus, address: address)
        return try port.seemsPresent() ? port : nil
      }
      guard let found = try open(bus) else { return nil }
      port = found
      var stream = ReceiverStream()
      let end = bus.now.advanced(byNanoseconds: Self.receiverTime)
      while bus.now < end {
        _ = try stream.receive(from: port, until: end, now: { bus.now }) { _ in }
        let counts = stream.counts
        if counts.accepted + counts.binaryFrames > 0 {
          finding.device = .receiver
          finding.remark = finding.receiverPort.map { "receiver: {port: \($0)}" }
          return finding
        }
      }
    } catch {
      return nil
    }
    finding.remark =
      "reads like an idle u-blox receiver, but sends nothing; check its power and that messages are enabled on its "
      + "I2C port"
    return finding
  }

  private func identify(_ address: UInt8) -> Finding {
    if let receiver = receiver(at: address) { return receiver }
    var values: [UInt8: UInt8] = [:]
    func value(_ register: UInt8) -> UInt8? {
      if let known = values[register] { return known }
      do throws(BusError) {
        let value = try bus.read(register, of: address)
        values[register] = value
        return value
      } catch {
        return nil
      }
    }
    let candidates = KnownDevice.candidates(at: address)
    for first in candidates.compactMap({ $0.model?.firstRegister }) { _ = value(first) }
    for candidate in candidates
    where value(candidate.register) == candidate.value
      && candidate.model?.isRefused(on: bus, at: address) != true
    {
      guard let model = candidate.model else {
        return Finding(bus: bus.name, address: address, device: .known(candidate.name))
      }
      return Finding(
        bus: bus.name, address: address, device: .chip(model),
        remark: model.remark(identifiedAs: candidate.name))
    }
    // Without an identity register: by the checks that the driver makes before it writes.
    for model in ChipModel.allCases
    where model.addresses.contains(address) && model.isRecognised(on: bus, at: address) == true {
      return Finding(
        bus: bus.name, address: address, device: .chip(model), remark: model.family)
    }
    let read = values.sorted { $0.key < $1.key }.map {
      "\(Hexadecimal.text($0.key))=\(Hexadecimal.text($0.value))"
    }
    let isDead = !values.isEmpty && values.values.allSatisfy { $0 == 0xFF || $0 == 0x00 }
    var remark = read.isEmpty ? nil : "registers " + read.joined(separator: " ")
    if isDead {
      remark =
        (remark ?? "") + "; all registers read as nothing: check its power, and that no two chips "
        + "share the address"
    }
    return Finding(bus: bus.name, address: address, device: .unknown, remark: remark)
  }

  /// The chips that answer after the bypass of an identified motion unit is enabled.
  private func behind(_ findings: [Finding]) throws(BusError) -> [Finding] {
    var found: [Finding] = []
    for unit in findings {
      guard case .chip(let model) = unit.device, model.hasBypass else { continue }
      do throws(BusError) { try openBypass(of: unit.address, model) } catch { continue }
      for address in ChipModel.addressesBehindBypass
      where !findings.contains(where: { $0.address == address }) {
        var silence: BusError?
        guard var finding = try identify(at: address, mayWrite: true, &silence) else { continue }
        finding.isBehind = model
        found.append(finding)
      }
    }
    return found
  }

  /// Enables the bypass with as few writes as needed: a unit that another program has configured
  /// may have it enabled already, and is then not changed.
  /// - Source: RM-MPU-6000A-00 revision 4.2, registers 55 (I2C_BYPASS_EN), 106 (I2C_MST_EN), 107
  ///   (SLEEP); ICM-20948 data sheet DS-000189 revision 1.3, the same bits in bank 0, where its
  ///   identity was read.
  private func openBypass(of unit: UInt8, _ model: ChipModel) throws(BusError) {
    let (pin, control, power): (UInt8, UInt8, UInt8) =
      model == .icm20948 ? (0x0F, 0x03, 0x06) : (0x37, 0x6A, 0x6B)
    if try bus.read(power, of: unit) & 0x40 != 0 { try bus.write(0x01, to: power, of: unit) }
    let master = try bus.read(control, of: unit)
    if master & 0x20 != 0 { try bus.write(master & ~0x20, to: control, of: unit) }
    let pins = try bus.read(pin, of: unit)
    if pins & 0x02 == 0 { try bus.write(pins | 0x02, to: pin, of: unit) }
  }

  /// Distinguishes chips with the same identity by the other chips on the bus.
  private func distinguish(_ findings: [Finding]) -> [Finding] {
    let has = { (model: ChipModel) in findings.contains { $0.device == .chip(model) } }
    // The LSM303DLHC's accelerometer has no documented identity of its own; it answers at 0x19.
    let hasDLHC =
      has(.hmc5883l) && findings.contains { $0.address == 0x19 && $0.device != .unknown }
    return findings.map { finding in
      var finding = finding
      switch finding.device {
      case .chip(.lis3mdl) where has(.lsm9ds1Inertial):
        (finding.device, finding.remark) = (.chip(.lsm9ds1Magnetometer), nil)
      case .chip(.lis3mdl): finding.remark = nil
      case .chip(.hmc5883l) where hasDLHC:
        (finding.device, finding.remark) = (.chip(.lsm303dlhcMagnetometer), nil)
      case .chip(.hmc5883l): finding.remark = nil
      // An LSM303AGR is the same accelerometer beside a LIS2MDL.
      case .chip(.lsm303dlhcAccelerometer) where has(.lis2mdl):
        (finding.device, finding.remark) = (.chip(.lsm303agrAccelerometer), nil)
      case .known where hasDLHC && finding.address == 0x19:
        (finding.device, finding.remark) = (.chip(.lsm303dlhcAccelerometer), nil)
      default: break
      }
      return finding
    }
  }
}

extension ChipModel {
  /// True for motion units with an auxiliary bus that they can connect to the main one.
  var hasBypass: Bool {
    self == .mpu6050 || self == .mpu6500 || self == .mpu9250 || self == .icm20948
  }
  /// The addresses of the usual chips on an auxiliary bus: AK8963 and AK09916, QMC5883L, HMC5883L,
  /// QMC5883P.
  static var addressesBehindBypass: [UInt8] { [0x0C, 0x0D, 0x1E, 0x2C] }

  /// Whether a chip without a sufficient identity register is present; only reads. Nil for other
  /// chips.
  func isRecognised(on bus: any RegisterBus, at address: UInt8) -> Bool? {
    let driver = driver(bus: bus, address: address, settings: ChipSettings())
    guard let chip = driver as? any RecognisedChip else { return nil }
    do throws(ChipError) {
      try chip.recognise()
      return true
    } catch {
      return false
    }
  }

  /// Whether a chip with this model's identity is found to be another one; only reads.
  func isRefused(on bus: any RegisterBus, at address: UInt8) -> Bool {
    isRecognised(on: bus, at: address) == false
  }
}
