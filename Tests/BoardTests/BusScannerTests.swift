import Board
import Chips
import Configuration
import Simulation
import TestSupport
import Testing

@Suite("Scanning a bus", .timeLimit(.minutes(30)))
struct BusScannerTests {
  private let scanned: ClosedRange<UInt8> = 0x08...0x77
  /// Look-alikes that have a PROM in place of an identity register.
  private static let withoutIdentity: [ChipModel: [ChipModel]] = [
    .ms5607: [.ms5611]
  ]

  private func bus(_ chips: [(ChipModel, UInt8)]) -> EmulatedBus {
    let bus = EmulatedBus(name: "/dev/i2c-1")
    for (model, address) in chips {
      bus.place(model.emulated(FixedSurroundings()), at: address)
    }
    return bus
  }

  @Test(
    "every chip with a driver is identified by reads only, and a sleeping one by its wake command",
    arguments: ChipModel.allCases
  )
  func everyChip(model: ChipModel) throws {
    // Behind the bypass, or distinguished by other chips: other tests.
    let company: [ChipModel: [(ChipModel, UInt8)]] = [
      .lsm9ds1Magnetometer: [(.lsm9ds1Inertial, 0x6B)],
      .lsm303dlhcMagnetometer: [(.lsm303dlhcAccelerometer, 0x19)],
      .lsm303dlhcAccelerometer: [(.lsm303dlhcMagnetometer, 0x1E)],
      .lsm303agrAccelerometer: [(.lis2mdl, 0x1E)],
    ]
    // Of those that answer alike the first of the catalogue is taken: only the board file says
    // which it is.
    let alike = [model] + model.lookAlikes + (Self.withoutIdentity[model] ?? [])
    let expected = ChipModel.allCases.first { alike.contains($0) }
    // A QMC6309 is also at 0x7C, which I2C reserves: a scan does not look there.
    for address in model.addresses where scanned.contains(address) {
      let bus = bus([(model, address)] + (company[model] ?? []))
      let sleeps = WakeCommand.all.contains { $0.model == model }
      let findings = try BusScanner(bus: bus).scan(opensBypass: sleeps)
      #expect(findings.first { $0.address == address }?.device == expected.map { .chip($0) })
      #expect(bus.writes == (sleeps ? 1 : 0))
    }
  }

  @Test(
    "a bus of eight chips is scanned in less than a second at 100 kHz",
    arguments: ChipModel.allCases)
  func eightChips(first: ChipModel) throws {
    var chips: [(ChipModel, UInt8)] = []
    for model in [first] + ChipModel.allCases where chips.count < 8 {
      let taken = chips.map(\.1)
      if let free = model.addresses.first(where: { !taken.contains($0) && scanned.contains($0) }) {
        chips.append((model, free))
      }
    }
    #expect(chips.count == 8)
    let bus = bus(chips)
    let begin = bus.now
    #expect(try BusScanner(bus: bus).scan(opensBypass: true).count >= 8)
    // The emulated clock counts transfers at 400 kHz; the pauses are lengthened with them.
    let seconds = 4 * bus.now.seconds(since: begin)
    #expect(seconds < 1, "\(seconds) s")
  }

  @Test("a chip behind a motion unit is found by its bypass, and not if writes are forbidden")
  func bypass() throws {
    for (unit, compass, address) in [
      (ChipModel.mpu9250, ChipModel.ak8963, UInt8(0x0C)), (.mpu6050, .hmc5883l, 0x1E),
      (.icm20948, .ak09916, 0x0C),
    ] {
      let bus = bus([(unit, 0x68), (compass, address)])
      bus.placeBehindUnit(address)
      let hidden = try BusScanner(bus: bus).scan(opensBypass: false)
      #expect(hidden.map(\.device) == [.chip(unit)])
      #expect(bus.writes == 0)
      let found = try BusScanner(bus: bus).scan(opensBypass: true)
      #expect(found.first { $0.address == address }?.device == .chip(compass))
      #expect(found.first { $0.address == address }?.isBehind == unit)
    }
  }

  @Test("a sleeping chip is woken only by permission, and another device gets its register back")
  func wake() throws {
    let asleep = bus([(.bmm150, 0x10)])
    #expect(try BusScanner(bus: asleep).scan(opensBypass: false).first?.device == .unknown)
    #expect(asleep.writes == 0)
    let scanner = BusScanner(bus: asleep, kernelDriver: { $0 == 0x10 ? "bmc150_magn_i2c" : nil })
    _ = try scanner.scan(opensBypass: true)
    #expect(asleep.writes == 0)
    // A register that is not zero in sleep; and a device that takes the command but is no BMM150.
    for (defaults, writes, left) in [
      ([UInt8(0x40): UInt8(0x31)], 0, UInt8(0)), ([0x4B: 0x02], 0, 2), ([:], 2, 0),
    ] {
      let bus = EmulatedBus(name: "/dev/i2c-1")
      let other = RegisterFile(defaults: defaults, writable: [0x4B: 0xFF])
      bus.place(other, at: 0x10)
      #expect(try BusScanner(bus: bus).scan(opensBypass: true).first?.device == .unknown)
      #expect(bus.writes == writes)
      #expect(other.registers[0x4B] == left)
    }
  }

  @Test("a register that happens to read as another chip's identity does not hide the chip")
  func coincidences() throws {
    // The low byte of a QMC5883L's x axis, where IST8310 and AK8963 have their identity.
    for byte in [UInt8(0x10), 0x48] {
      let bus = bus([(.qmc5883l, 0x0D)])
      let file = try #require(bus.chip(at: 0x0D) as? RegisterFile)
      file.registers[0x00] = byte
      let findings = try BusScanner(bus: bus).scan(opensBypass: false)
      #expect(findings.map(\.device) == [.chip(.qmc5883l)])
    }
  }

  @Test("a clone on a board that is sold as another is named as one")
  func clone() throws {
    let findings = try BusScanner(bus: bus([(.qmc5883l, 0x0D)])).scan(opensBypass: false)
    #expect(findings.first?.remark?.contains("HMC5883L") == true)
  }

  @Test("members of a family that registers cannot separate are named together")
  func families() throws {
    for (model, names) in [
      (
        ChipModel.lsm6dso,
        "LSM6DSO or LSM6DSOX; LSM6DSO32 answers alike: name that in the board file if it is the part"
      ),
      (
        .lsm6dsv,
        "LSM6DSV or LSM6DSV16X; LSM6DSV32X answers alike: name that in the board file if it is the part"
      ),
      (.ism330dhcx, "ISM330DHCX or LSM6DSR"),
    ] {
      let findings = try BusScanner(bus: bus([(model, 0x6A)])).scan(opensBypass: false)
      #expect(findings.map(\.device) == [.chip(model)])
      #expect(findings.first?.remark == names)
    }
  }

  @Test("a known chip without a driver is named, an unknown device is shown with its registers")
  func strangers() throws {
    let bus = EmulatedBus(name: "/dev/i2c-1")
    bus.place(RegisterFile(defaults: [0x0F: 0xBB], writable: [:]), at: 0x5D)
    bus.place(RegisterFile(defaults: [0x0F: 0x5A], writable: [:]), at: 0x5C)
    bus.place(RegisterFile(defaults: [:], writable: [:]), at: 0x3C)
    let findings = try BusScanner(bus: bus).scan(opensBypass: true)
    #expect(findings.map(\.address) == [0x3C, 0x5C, 0x5D])
    #expect(findings[0].device == .unknown)
    #expect(findings[1].device == .unknown)
    #expect(findings[1].remark?.contains("0x0F=0x5A") == true)
    #expect(findings[2].device == .known("LPS331AP"))
    #expect(bus.writes == 0)
  }

  @Test("a chip without registers is found by its command, which is not sent without permission")
  func commands() throws {
    let bus = bus([(.icp10125, 0x63)])
    #expect(try BusScanner(bus: bus).scan(opensBypass: false).isEmpty)
    #expect(bus.writes == 0)
    let finding = try #require(try BusScanner(bus: bus).scan(opensBypass: true).first)
    #expect(finding.device == .chip(.icp10125))
    #expect(finding.remark?.contains("ICP-10111") == true)
    // Another device at this address gets the command once and stays unknown.
    let other = EmulatedBus(name: "/dev/i2c-1")
    other.place(RegisterFile(defaults: [:], writable: [:]), at: 0x63)
    #expect(try BusScanner(bus: other).scan(opensBypass: true).first?.device == .unknown)
    #expect(other.writes == 1)
  }

  @Test("a chip owned by the kernel is reported and not accessed")
  func kernelOwned() throws {
    let bus = bus([(.lis3mdl, 0x1C)])
    let scanner = BusScanner(
      bus: bus, kernelDriver: { $0 == 0x1C ? "st-magn-i2c" : nil },
      kernelChip: {
        $0 == 0x1C
          ? KernelChip(
            bus: "/dev/i2c-1", address: 0x1C, driver: "st-magn-i2c", models: [.lis3mdl],
            access: "from the kernel's buffer") : nil
      })
    let before = bus.transfers
    let findings = try scanner.scan(opensBypass: true)
    #expect(findings.first?.device == .kernel(driver: "st-magn-i2c", .lis3mdl))
    #expect(findings.first?.model == .lis3mdl)
    // Each of the other addresses is read once, and one command is tried.
    #expect(bus.transfers - before == 112)
  }

  @Test("a bus with a line held low, and one that hangs, are reported as stuck")
  func stuck() throws {
    let held = EmulatedBus(name: "/dev/i2c-1")
    for address in UInt8(0x08)...0x77 {
      held.place(RegisterFile(defaults: [:], writable: [:]), at: address)
    }
    let hangs = EmulatedBus(name: "/dev/i2c-1")
    hangs.faults.always = .stuck
    for bus in [held, hangs] {
      var caught: BusError?
      do { _ = try BusScanner(bus: bus).scan(opensBypass: false) } catch { caught = error }
      #expect(caught?.kind == .stuck)
    }
  }

  @Test("the board files whose chips were all found match, the one that explains most first")
  func matches() throws {
    let folder = SharedData.repository.appendingPathComponent("Boards").path
    let library = BoardLibrary(folders: [folder])
    #expect(library.faults.isEmpty)
    func names(_ chips: [(ChipModel, UInt8)]) throws -> [String] {
      let findings = try BusScanner(bus: bus(chips)).scan(opensBypass: true)
      return library.matches(findings).map(\.board.name)
    }
    #expect(
      try names([(.lsm9ds1Inertial, 0x6A), (.lsm9ds1Magnetometer, 0x1C), (.lps25hb, 0x5C)])
        == ["Raspberry Pi Sense HAT"])
    let gy91 = try names([(.mpu9250, 0x68), (.ak8963, 0x0C), (.bmp280, 0x76)])
    #expect(gy91.contains("GY-91"))
    #expect(try names([(.qmc5883l, 0x0D), (.bmp280, 0x76)]).first == "GY-271 and BMP280")
    #expect(try names([(.bmp280, 0x76)]).isEmpty)
  }
}
