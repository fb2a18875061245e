import Chips
import Quantities

/// A board of emulated chips in a simulated world; drivers use its buses like real ones.
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
    /// The name of its bus.
    public var bus: String
    /// Its address, 7 bits.
    public var address: UInt8
    /// From the body's axes to the chip's.
    public var bodyToChip: Rotation<BodyFrame, SensorFrame>
    /// Its rate as configured by its driver, hertz.
    public var rateHertz: Double
    /// The age of a sample at the end of its averaging, seconds.
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
  /// - Throws: `ScenarioError` for an invalid scenario or date.
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

  /// Adds a chip to its bus.
  public func place(_ placement: Placement) {
    // One random stream for each chip, so that a further chip does not change the others' samples.
    let stream = 16 + UInt64(placement.address)
    let surroundings = ChipSurroundings(
      physics: physics, bodyToChip: placement.bodyToChip, hertz: placement.rateHertz,
      latencySeconds: placement.latencySeconds, random: RandomStream(seed: seed, stream: stream))
    let bus = bus(named: placement.bus)
    bus.place(placement.model.emulated(surroundings), at: placement.address)
    // The AK8963 is a part of the MPU-9250, behind its bypass.
    if placement.model == .ak8963 { bus.placeBehindUnit(placement.address) }
  }

  /// When the receiver sends its next bytes; nil without a receiver.
  public var receiverDue: Timestamp? { upcoming?.timestamp }

  /// The bytes of the receiver's next epoch.
  public func receiverBytes() -> [UInt8] {
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
