import Bus
import Chips
import Quantities

/// A board of emulated chips in a simulated world: drivers talk to its buses as they talk to real ones.
public final class EmulatedBoard {
  /// The clock of all of its buses; zero is the world's start.
  public let clock = EmulatedClock()
  private let physics: WorldPhysics
  private let seed: UInt64
  private var buses: [String: EmulatedBus] = [:]
  private var receiver: SimulatedWorld?
  private var upcoming: SimulatedSample?

  /// A chip's place on the board.
  public struct Placement {
    /// The chip.
    public var model: ChipModel
    /// What messages call its bus.
    public var bus: String
    /// Its address, 7 bits.
    public var address: UInt8
    /// Takes the body's axes to the chip's.
    public var bodyToChip: Rotation<BodyFrame, SensorFrame>
    /// How often it samples as its driver will configure it, hertz.
    public var rateHertz: Double
    /// How much older a sample is than its end, seconds.
    public var latencySeconds: Double

    /// Makes a place.
    public init(
      model: ChipModel, bus: String, address: UInt8,
      bodyToChip: Rotation<BodyFrame, SensorFrame>, rateHertz: Double, latencySeconds: Double
    ) {
      self.model = model
      self.bus = bus
      self.address = address
      self.bodyToChip = bodyToChip
      self.rateHertz = rateHertz
      self.latencySeconds = latencySeconds
    }
  }

  /// Makes a board in a scenario. The same scenario, seed, start and chips give the same samples.
  /// - Throws: `ScenarioError` where the scenario or its date cannot be.
  public init(
    scenario: Scenario, seed: UInt64, startUTC: UTCTime, hasReceiver: Bool
  ) throws(ScenarioError) {
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

  /// Solders a chip to its bus.
  public func place(_ placement: Placement) {
    // A stream of its own for each chip, so that one more chip leaves the others' samples alone.
    let stream = 16 + UInt64(placement.address)
    let surroundings = ChipSurroundings(
      physics: physics, bodyToChip: placement.bodyToChip, hertz: placement.rateHertz,
      latencySeconds: placement.latencySeconds, random: RandomStream(seed: seed, stream: stream))
    let bus = bus(named: placement.bus)
    bus.place(placement.model.emulated(surroundings), at: placement.address)
    // The AK8963 is a part of the MPU-9250, behind its bypass.
    if placement.model == .ak8963 { bus.placeBehindUnit(placement.address) }
  }

  /// When the receiver's next bytes come; nil where there is none.
  public var receiverDue: Timestamp? { upcoming?.timestamp }

  /// Takes the receiver's next epoch as the bytes of its wire.
  public func receiverBytes() -> [UInt8] {
    guard case .fix(let fix) = upcoming else { return [] }
    upcoming = receiver?.next()
    return ReceiverSentences.bytes(
      of: fix, geoidSeparationMetres: physics.scenario.geoidSeparationMetres)
  }

  /// What really is the case at an instant, for any thread.
  public var truth: @Sendable (Timestamp) -> Truth {
    let physics = self.physics
    return { physics.truth(at: $0) }
  }
}
