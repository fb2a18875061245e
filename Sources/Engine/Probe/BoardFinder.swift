import BoardFile
import Bus
import Chips
import Foundation
import LinuxBus
import Quantities

/// Finds the board that is attached.
public struct BoardFinder {
  private let hardware: any BoardHardware
  private let library: BoardLibrary

  /// Makes a finder over this machine's buses.
  public init() { self.init(hardware: LinuxHardware()) }

  package init(hardware: any BoardHardware, library: BoardLibrary = BoardLibrary()) {
    self.hardware = hardware
    self.library = library
  }

  /// True where the machine has a bus that chips can be on; nothing on it is touched.
  public var hasBus: Bool { !hardware.buses.isEmpty }

  /// What is on the machine's buses.
  public struct Inventory: Sendable {
    /// The buses that were scanned, with the adapters' names.
    public var buses: [(path: String, adapter: String?)] = []
    /// What answered.
    public var findings: [Finding] = []
    /// Buses that could not be scanned.
    public var faults: [BusError] = []
    /// Board files whose chips are all there, the best first.
    public var matches: [BoardMatch] = []
    /// Board files that were passed over because they are at fault.
    public var refusedFiles: [BoardFileError] = []
    /// Serial ports at which a receiver can be.
    public var ports: [String] = []
    /// The release of the gpsd daemon of this machine; nil where none answers.
    public var gpsdRelease: String?
    /// The kernel's sources of pulses per second.
    public var pulseSources: [String] = []
  }

  /// Scans every bus.
  /// - Parameters:
  ///   - buses: The buses to scan; nil for all.
  ///   - opensBypass: Whether an identified motion unit may be told to show the chips behind it.
  ///   - asksGPSD: Whether to look for a gpsd daemon on this machine.
  ///   - progress: Called with each bus and address before it is asked.
  /// - Returns: What was found.
  public func inventory(
    buses: [String]? = nil, opensBypass: Bool = true, asksGPSD: Bool = false,
    progress: (String, UInt8) -> Void = { _, _ in }
  ) -> Inventory {
    var inventory = Inventory()
    inventory.ports = hardware.receiverPorts
    inventory.gpsdRelease = asksGPSD ? hardware.gpsdRelease : nil
    inventory.pulseSources = hardware.pulseSources
    for path in buses ?? hardware.buses {
      do throws(BusError) {
        let bus = try hardware.bus(path)
        inventory.buses.append((path, hardware.adapter(of: path)))
        let scanner = BusScanner(
          bus: bus, kernelDriver: { hardware.kernelDriver(bus: path, address: $0) },
          kernelChip: { hardware.kernelChip(bus: path, address: $0) })
        inventory.findings += try scanner.scan(opensBypass: opensBypass) { progress(path, $0) }
      } catch {
        inventory.faults.append(error)
      }
    }
    inventory.matches = library.matches(inventory.findings)
    inventory.refusedFiles = library.faults
    return inventory
  }

  /// The board that is attached: by the file that matches best, else by the chips that were found.
  /// - Throws: `SourceError.noSensors` where there is nothing that can be read.
  public func board() throws(SourceError) -> Board {
    let inventory = inventory()
    if let best = inventory.matches.first(where: { !$0.isAmbiguous }) {
      var board = best.board
      // The file's port may be the console's, or absent, and the receiver at another.
      if board.receiver.map({ !inventory.ports.contains($0.port) }) ?? true {
        // The pulse's line is the board's own.
        let pulse = board.receiver?.pulse
        board.receiver = inventory.ports.first.map { Board.Receiver(port: $0) }
        board.receiver?.pulse = pulse
      }
      return board
    }
    var board = Board(findings: inventory.findings, port: inventory.ports.first)
    guard board.sensors.isEmpty else { return board }
    // A bus that may not be opened hides the chips: that comes first.
    if let fault = inventory.faults.first { throw .bus(fault) }
    // A port alone is no receiver: many a board has one with nothing behind it.
    board.receiver = speaking(inventory.ports)
    guard board.receiver != nil else {
      throw .noSensors(searched: inventory.buses.map(\.path) + inventory.ports)
    }
    return board
  }

  /// The first port on which a receiver speaks at a usual speed.
  private func speaking(_ ports: [String]) -> Board.Receiver? {
    let ear = ReceiverEar(hardware: hardware, isStopped: { false })
    for path in ports {
      do throws(BusError) {
        let usual = Array(ReceiverEar.speeds.prefix(4))
        let port = try hardware.serialPort(path, baud: usual[0])
        if let speed = try ear.speed(of: port, trying: usual) {
          return Board.Receiver(port: path, baud: speed)
        }
      } catch {
        // The console's port, or another program's: not a receiver of ours.
        continue
      }
    }
    return nil
  }
}

extension Board {
  /// A board of what was found, its mounting not known.
  public init(findings: [Finding], port: String?) {
    self.init(name: "what was found", mount: .automatic)
    // A motion unit comes first: it lets the bus through to what is behind it.
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
  /// A chip as it sits on its board when nobody has turned it: an AK8963 lies turned in its MPU-9250.
  init(inPackage chip: ChipModel, bus: String = Board.usualBus, address: UInt8? = nil) {
    self.init(chip: chip, bus: bus, address: address)
    guard chip == .ak8963 else { return }
    let words = AK8963<LinuxI2CBus>.mpuAxisWords
    mount = AxisMount(x: words.x, y: words.y, z: words.z).map { .axes($0) } ?? mount
  }
}
