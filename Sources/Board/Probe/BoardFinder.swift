import Chips
import Configuration
import LinuxIO
import Quantities
import ReceiverProtocols

/// Identifies the attached board.
public struct BoardFinder {
  private let hardware: any BoardHardware
  private let library: BoardLibrary

  /// Makes a finder over this machine's buses.
  public init() { self.init(hardware: LinuxHardware()) }

  package init(hardware: any BoardHardware, library: BoardLibrary = BoardLibrary()) {
    self.hardware = hardware
    self.library = library
  }

  /// True if the machine has an I2C bus; no device is accessed.
  public var hasBus: Bool { !hardware.buses.isEmpty || !hardware.kernelChips.isEmpty }

  /// The result of a scan.
  public struct Inventory: Sendable {
    /// The scanned buses, with the adapters' names.
    public var buses: [(path: String, adapter: String?)] = []
    /// The devices that answered.
    public var findings: [Finding] = []
    /// Buses that could not be scanned.
    public var faults: [BusError] = []
    /// Board files whose chips were all found, the best match first.
    public var matches: [BoardMatch] = []
    /// The errors of invalid board files, which were skipped.
    public var refusedFiles: [BoardFileError] = []
    /// Ports that a receiver may be connected to: first those on I2C, where one was found, then the
    /// serial ones.
    public var ports: [String] = []
    /// What was heard on the serial ports, where that was asked for.
    package var portFindings: [PortFinding] = []
    /// The release of this machine's gpsd daemon; nil where none answers.
    public var gpsdRelease: String?
    /// The paths of the kernel's PPS sources.
    public var pulseSources: [String] = []

    package init() {}

    /// Adds what the scans of buses do not find: the further quantities of a kernel's device, such
    /// as the AK8963 in an MPU-9250, and devices on other buses than I2C or on a bus without a
    /// device file.
    fileprivate mutating func add(_ chips: [KernelChip], ofBuses named: [String]?) {
      for chip in chips {
        let isFound = findings.contains { $0.bus == chip.bus && $0.address == chip.address }
        if !isFound, named != nil { continue }
        if !isFound, !buses.contains(where: { $0.path == chip.bus }) {
          buses.append((chip.bus, "kernel driver \(chip.driver)"))
        }
        for (place, model) in chip.models.enumerated() where place > 0 || !isFound {
          let isInside = place > 0 && !model.isOfKernel
          findings.append(
            Finding(
              bus: chip.bus, address: isInside ? model.addresses[0] : chip.address,
              device: .kernel(driver: chip.driver, model), remark: chip.access,
              isBehind: isInside ? chip.models[0] : nil))
        }
      }
    }

    /// The board of a match, with a receiver at a port of this machine.
    package func board(of match: BoardMatch) -> Board {
      var board = match.board
      // The file's port may be absent or the console's; the receiver is then on another one.
      if board.receiver.map({ !ports.contains($0.port) }) ?? true {
        // The pulse's line is wired on the board.
        let pulse = board.receiver?.pulse
        board.receiver = ports.first.map { Board.Receiver(port: $0) }
        board.receiver?.pulse = pulse
      }
      return board
    }

    /// The buses with their devices, and the buses that could not be scanned, as lines of text.
    package var deviceLines: [String] {
      var lines: [String] = []
      for (path, adapter) in buses {
        lines.append(path + (adapter.map { "  (\($0))" } ?? ""))
        let findings = findings.filter { $0.bus == path }
        if findings.isEmpty { lines.append("  no device answers") }
        for finding in findings {
          let place = finding.address == 0 ? "" : Hexadecimal.text(finding.address) + "  "
          var line = "  \(place)\(finding.name)"
          if let unit = finding.isBehind { line += ", behind the \(unit.rawValue)" }
          if let remark = finding.remark { line += "  (\(remark))" }
          lines.append(line)
        }
      }
      return lines + faults.map(\.description)
    }
  }

  /// What a serial port receives.
  package struct PortFinding: Equatable, Sendable {
    /// The port's device.
    package var path: String
    /// Whether a receiver sends there.
    package var hasReceiver: Bool
    /// The speed of the receiver, bits per second; nil where none was detected, and on I2C.
    package var baud: Int?
    /// The module that sends there in place of a receiver; nil for none.
    package var module: ChipModel?
    /// The receiver's messages that are not decoded.
    package var undecoded = UndecodedMessages()
    /// Why the port cannot be read; nil where it was.
    package var fault: BusError?

    package init(path: String, baud: Int? = nil, fault: BusError? = nil) {
      (self.path, self.fault) = (path, fault)
      hasReceiver = baud != nil
      self.baud = Board.isOnBus(path) ? nil : baud
    }
  }

  /// Reads each port at the usual speeds, some seconds where nothing is received.
  package func receivers(
    on ports: [String], progress: (String) -> Void = { _ in }
  ) -> [PortFinding] {
    ports.map { path in
      progress(path)
      do throws(BusError) {
        let (port, baud) = try receiver(at: path)
        var finding = PortFinding(path: path, baud: baud)
        if finding.hasReceiver { finding.undecoded = try detector.undecoded(of: port) }
        return finding
      } catch {
        return PortFinding(path: path, fault: error)
      }
    }
  }

  /// Listens for modules that send by themselves, at their usual speeds; nothing is written. A port
  /// takes some seconds where nothing is received.
  package func modules(
    on ports: [String], progress: (String) -> Void = { _ in }
  ) -> [PortFinding] {
    ports.map { path in
      progress(path)
      var finding = PortFinding(path: path)
      guard !Board.isOnBus(path) else { return finding }
      do throws(BusError) {
        let port = try hardware.serialPort(path, baud: Self.moduleSpeeds[0])
        for speed in Self.moduleSpeeds where finding.module == nil {
          try port.setBaud(speed)
          guard try hears(port) else { continue }
          (finding.module, finding.baud) = (.wt901, speed)
        }
      } catch {
        finding.fault = error
      }
      return finding
    }
  }

  /// Starts the modules that send nothing by themselves, a BNO055 and then a BNO085, to see which
  /// one answers. It writes to the ports, so that only ports may be given that the user has named:
  /// another device there may take the bytes for commands.
  package func askedModules(
    on ports: [String], progress: (String) -> Void = { _ in }
  ) -> [PortFinding] {
    ports.map { path in
      progress(path)
      var finding = PortFinding(path: path)
      for model in [ChipModel.bno055, .bno085] {
        guard let baud = model.serialBaud else { continue }
        let line = SerialBus(path, baud: baud, hardware: hardware)
        do throws(BusError) { try line.open() } catch {
          // The first module has a usual speed, which each port can have.
          if model == .bno055 { finding.fault = error }
          break
        }
        guard var driver = model.driver(port: line, settings: ChipSettings()) else { continue }
        do throws(ChipError) {
          try driver.start()
          (finding.module, finding.baud) = (model, baud)
          break
        } catch {
          // Another device, or none.
          continue
        }
      }
      return finding
    }
  }

  /// The speeds of WitMotion's modules, the usual ones first.
  private static let moduleSpeeds = [9600, 115_200, 230_400, 38_400]
  /// Time at each speed, ns: the modules send ten times a second or more often.
  private static let moduleTime: UInt64 = 500_000_000
  /// Frames with a valid sum that are no chance.
  private static let convincingFrames = 4

  private func hears(_ port: any SerialPort) throws(BusError) -> Bool {
    var detector = WitMotionDetector()
    let end = hardware.now.advanced(byNanoseconds: Self.moduleTime)
    while hardware.now < end, detector.frames < Self.convincingFrames {
      var failure: BusError?
      withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { bytes in
        do throws(BusError) {
          let count = try port.read(into: bytes, until: end)
          detector.push(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
        } catch { failure = error }
      }
      if let failure { throw failure }
    }
    return detector.frames >= Self.convincingFrames
  }

  /// Scans every bus.
  /// - Parameters:
  ///   - buses: The buses to scan; nil for all.
  ///   - opensBypass: Whether to enable the bypass of an identified motion unit, to find chips
  ///     behind it.
  ///   - asksGPSD: Whether to look for a gpsd daemon on this machine.
  ///   - progress: Called with each bus and address before the access.
  /// - Returns: The chips and boards found.
  public func inventory(
    buses: [String]? = nil, opensBypass: Bool = true, asksGPSD: Bool = false,
    progress: (String, UInt8) -> Void = { _, _ in }
  ) -> Inventory {
    var inventory = Inventory()
    inventory.ports = hardware.receiverPorts
    inventory.gpsdRelease = asksGPSD ? hardware.gpsdRelease : nil
    inventory.pulseSources = hardware.pulseSources
    let kernelChips = hardware.kernelChips
    for path in buses.map({ $0.filter { !Board.isSPI($0) } }) ?? hardware.buses {
      do throws(BusError) {
        let bus = try hardware.bus(path)
        inventory.buses.append((path, hardware.adapter(of: path)))
        let scanner = BusScanner(
          bus: bus, kernelDriver: { hardware.kernelDriver(bus: path, address: $0) },
          kernelChip: { address in
            kernelChips.first { $0.bus == path && $0.address == address }
          })
        let adapter = hardware.adapter(of: path)
        inventory.findings += try scanner.scan(opensBypass: opensBypass) { progress(path, $0) }
          .map { $0.withStretchingRemark(adapter: adapter) }
      } catch {
        inventory.faults.append(error)
      }
    }
    let spiDevices = hardware.spiDevices
    for path in buses.map({ $0.filter(Board.isSPI) }) ?? spiDevices {
      do throws(BusError) {
        progress(path, 0)
        let device = try hardware.spiDevice(path)
        inventory.buses.append((path, "SPI"))
        if let finding = try SPIScanner(device: device).scan() {
          inventory.findings.append(finding)
        }
      } catch {
        inventory.faults.append(error)
      }
    }
    inventory.add(kernelChips, ofBuses: buses)
    inventory.ports = inventory.findings.compactMap(\.receiverPort) + inventory.ports
    inventory.matches = library.matches(inventory.findings)
    inventory.refusedFiles = library.faults
    return inventory
  }

  /// The attached board: by the best matching file, else from the chips that were found.
  /// - Throws: `SourceError.noSensors` where no chip and no receiver was found.
  public func board() throws(SourceError) -> Board {
    let inventory = inventory()
    if let best = inventory.matches.first(where: { !$0.isAmbiguous }) {
      return inventory.board(of: best)
    }
    var board = Board(findings: inventory.findings, port: inventory.ports.first)
    guard board.sensors.isEmpty else { return board }
    // The error of a bus explains the missing chips: report it first.
    if let fault = inventory.faults.first { throw .bus(fault) }
    // Many boards have a port without a receiver: one must send data.
    board.receiver = receiver(on: inventory.ports)
    guard board.receiver != nil else {
      throw .noSensors(searched: inventory.buses.map(\.path) + inventory.ports)
    }
    return board
  }

  /// A receiver on the first port with valid data at a usual speed.
  private func receiver(on ports: [String]) -> Board.Receiver? {
    for path in ports {
      do throws(BusError) {
        let finding = PortFinding(path: path, baud: try receiver(at: path).baud)
        if finding.hasReceiver { return Board.Receiver(port: path, baud: finding.baud) }
      } catch {
        // The port of the console or of another program.
        continue
      }
    }
    return nil
  }

  private var detector: BaudRateDetector {
    BaudRateDetector(hardware: hardware, isStopped: { false })
  }

  /// A port and the usual speed at which it receives valid data; nil for none.
  private func receiver(at path: String) throws(BusError) -> (port: any SerialPort, baud: Int?) {
    let usual = Array(BaudRateDetector.speeds.prefix(Board.isOnBus(path) ? 1 : 4))
    let port = try hardware.serialPort(path, baud: usual[0])
    return (port, try detector.speed(of: port, trying: usual))
  }
}

extension Board {
  /// A board made of the findings, with an unknown mounting.
  public init(findings: [Finding], port: String?) {
    self.init(name: "what was found", mount: .automatic)
    // A motion unit goes first: its driver enables the bypass to the chips behind it.
    let chips = findings.filter { $0.model != nil }
    let ordered =
      chips.filter { $0.model?.quantity == .inertia }
      + chips.filter { $0.model?.quantity != .inertia }
    sensors = ordered.compactMap { finding in
      finding.model.map { Sensor(inPackage: $0, bus: finding.bus, address: finding.address) }
    }
    receiver = port.map { Receiver(port: $0) }
  }
}

extension Board.Sensor {
  /// A chip in its usual orientation: the axes of an AK8963 differ from those of its MPU-9250.
  init(inPackage chip: ChipModel, bus: String? = nil, address: UInt8? = nil) {
    self.init(chip: chip, bus: bus, address: address)
    mount = chip.axesInPackage.map { .axes($0) } ?? mount
  }
}
