import Chips
import Quantities

/// A board of emulated chips in a simulated world; drivers use its buses like real ones.
public final class EmulatedBoard {
  /// The clock of all of its buses; zero is the world's start.
  public let clock = EmulatedClock()
  private let physics: WorldPhysics
  private let seed: UInt64
  private var buses: [String: EmulatedBus] = [:]
  private var lines: [String: EmulatedSerialLine] = [:]
  private var receiver: SimulatedWorld?
  private var upcoming: SimulatedSample?
  private let fault: InjectedFault?

  /// A chip's place on the board.
  public struct Placement {
    /// The chip.
    public var model: ChipModel
    /// The name of its bus.
    public var bus: String
    /// Its address, 7 bits.
    public var address: UInt8
    /// Whether its bus is a serial port.
    public var isSerial: Bool
    /// From the body's axes to the chip's.
    public var bodyToChip: Rotation<BodyFrame, SensorFrame>
    /// For each quantity that has a mount of its own, the matrix from the chip's axes to those
    /// along which the quantity is measured.
    public var axes: [SampleQuantity: Matrix3] = [:]
    /// Its rate as configured by its driver, hertz.
    public var rateHertz: Double
    /// The age of a sample at the end of its averaging, seconds.
    public var latencySeconds: Double

    /// Makes a place.
    public init(
      model: ChipModel, bus: String, address: UInt8, isSerial: Bool = false,
      bodyToChip: Rotation<BodyFrame, SensorFrame>, rateHertz: Double, latencySeconds: Double
    ) {
      self.model = model
      self.bus = bus
      self.address = address
      self.isSerial = isSerial
      self.bodyToChip = bodyToChip
      self.rateHertz = rateHertz
      self.latencySeconds = latencySeconds
    }
  }

  /// Makes a board in a scenario. The same scenario, seed, start, chips and fault give the same
  /// samples.
  /// - Parameters:
  ///   - scenario: The world.
  ///   - seed: The seed of all random numbers.
  ///   - startUTC: Civil time at the start.
  ///   - hasReceiver: Whether the board has a receiver.
  ///   - fault: The fault that it has; nil for none.
  /// - Throws: `ScenarioError` for an invalid scenario or date.
  public init(
    scenario: Scenario, seed: UInt64, startUTC: UTCTime, hasReceiver: Bool,
    fault: BoardFault? = nil
  ) throws(ScenarioError) {
    self.fault = fault.map { InjectedFault($0, seed: seed) }
    physics = try WorldPhysics(scenario: scenario, startUTC: startUTC)
    self.seed = seed
    guard hasReceiver else { return }
    var alone = scenario
    (alone.inertialUnit, alone.magnetometer, alone.barometer) = (nil, nil, nil)
    receiver = try SimulatedWorld(scenario: alone, seed: seed, startUTC: startUTC)
    upcoming = receiver?.next()
  }

  /// The bus of a name.
  public func bus(named name: String) -> EmulatedBus {
    if let bus = buses[name] { return bus }
    let bus = EmulatedBus(name: name, clock: clock)
    buses[name] = bus
    return bus
  }

  /// The serial port of a name, with an emulated module before it is placed in the world.
  package func line(named name: String, of model: ChipModel) -> EmulatedSerialLine {
    if let line = lines[name] { return line }
    let line = EmulatedSerialLine(
      model.emulatedSerial(FixedSurroundings()) ?? EmulatedWT901(surroundings: FixedSurroundings()),
      name: name, clock: clock)
    lines[name] = line
    return line
  }

  /// The image that the emulated BMI270 accepts.
  public static var image: [UInt8] { EmulatedBMI270.image }

  /// Adds a chip to its bus.
  public func place(_ placement: Placement) {
    // One random stream for each chip, so that a further chip does not change the others' samples.
    let stream = 16 + UInt64(placement.address)
    let surroundings = ChipSurroundings(
      physics: physics, bodyToChip: placement.bodyToChip, hertz: placement.rateHertz,
      latencySeconds: placement.latencySeconds, random: RandomStream(seed: seed, stream: stream))
    if placement.isSerial {
      if let device = placement.model.emulatedSerial(surroundings) {
        line(named: placement.bus, of: placement.model).connect(device)
      }
      return
    }
    let bus = bus(named: placement.bus)
    var changes = InputChanges()
    changes.fieldAxes = placement.axes[.field] ?? .identity
    changes.rateAxes = placement.axes[.rate] ?? .identity
    changes.forceAxes = placement.axes[.force] ?? .identity
    let input: any Surroundings =
      placement.axes.isEmpty ? surroundings : FaultySurroundings(surroundings, changes)
    bus.place(chip(placement.model, in: input), at: placement.address)
    if let fault, fault.fault == .busErrors {
      bus.faults.random = (share: InjectedFault.failingShare, stream: fault.random)
    }
    // The AK8963 is a part of the MPU-9250 and the AK09916 of the ICM-20948, behind their bypass.
    if placement.model == .ak8963 || placement.model == .ak09916 {
      bus.placeBehindUnit(placement.address)
    }
  }

  /// The mount of the board by its fault, relative to that of its file.
  public var faultyMounting: Rotation<BodyFrame, BodyFrame> { fault?.mounting ?? .identity }

  /// Makes one of the chips dead where that is the fault; call after all were added.
  public func breakChip(of placements: [(bus: String, address: UInt8)]) {
    guard let fault, let index = fault.deadSensor(of: placements.count) else { return }
    let (bus, address) = placements[index]
    self.bus(named: bus).place(fault.deadByte.map { ConstantChip($0) }, at: address)
  }

  private func chip(_ model: ChipModel, in surroundings: any Surroundings) -> any EmulatedChip {
    guard let fault else { return model.emulated(surroundings) }
    let input =
      fault.changes(of: model).map { FaultySurroundings(surroundings, $0) } ?? surroundings
    let chip = model.emulated(input)
    guard let unit = chip as? EmulatedMPU6050Family else { return chip }
    unit.rateRatio = fault.rateRatio
    if fault.fault == .lostSamples {
      unit.losses = (share: InjectedFault.lostShare, stream: fault.random)
    }
    return unit
  }

  /// When the receiver sends its next bytes; nil without a receiver, and for a mute one.
  public var receiverDue: Timestamp? {
    fault?.fault == .receiverMute ? nil : upcoming?.timestamp
  }

  /// The bytes of the receiver's next epoch, as the port reads them.
  public func receiverBytes() -> [UInt8] {
    let bytes = sentBytes()
    guard let speeds = fault?.speeds else { return bytes }
    return MisreadLine(sent: speeds.sent, read: speeds.read).reading(of: bytes)
  }

  private func sentBytes() -> [UInt8] {
    guard case .fix(let fix) = upcoming else { return [] }
    upcoming = receiver?.next()
    var bytes = ReceiverSentences.bytes(
      of: fix, geoidSeparationMetres: physics.scenario.geoidSeparationMetres)
    // In an outage no satellite is received.
    guard fix.position != nil, let utc = fix.utc else { return bytes }
    ReceiverSentences.append(
      SimulatedSky(at: utc, used: fix.satellitesUsed ?? 0),
      horizontalDilution: fix.horizontalDilution, to: &bytes)
    return bytes
  }

  /// The true state at an instant; safe from any thread.
  public var truth: @Sendable (Timestamp) -> Truth {
    let physics = self.physics
    return { physics.truth(at: $0) }
  }
}
