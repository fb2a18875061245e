import Chips
import Configuration
import Formats
import LinuxIO
import Quantities
import Simulation

/// The simulated board's samples: the real drivers read emulated chips, with an emulated clock.
/// Without a duration in the scenario they never end. The same world, seed and board give the same
/// samples.
public struct SimulatedBoardSamples: SampleSource {
  private let board: EmulatedBoard
  package private(set) var runners: [ChipRunner]
  /// The runners of inertial units.
  private let inertial: [Int]
  private var receiver: ReceiverStream?
  private let output = ReceiverOutputBuffer()
  private var merger = SampleMerger()
  private var waiting: [SensorSamples] = []
  private var handedOut = 0
  private let end: Timestamp?
  private var samples: [Int: Int] = [:]
  private var epochs = 0
  private let shared = Locked(BoardStatus())
  private var sharedAt = Timestamp(nanoseconds: 0)

  /// Emulates the board of a file in a scenario.
  /// - Parameters:
  ///   - file: The board.
  ///   - scenario: The world.
  ///   - seed: The seed of all random numbers.
  ///   - startUTC: Civil time at the start.
  ///   - fault: The fault that the board has; nil for none.
  /// - Throws: `ScenarioError` for an invalid scenario.
  public init(
    _ file: Board, scenario: Scenario, seed: UInt64, startUTC: UTCTime, fault: BoardFault? = nil
  ) throws(ScenarioError) {
    let board = try EmulatedBoard(
      scenario: scenario, seed: seed, startUTC: startUTC, hasReceiver: file.receiver != nil,
      fault: fault)
    let mounting = board.faultyMounting * file.mounting
    self.board = board
    end = scenario.durationSeconds.flatMap { Timestamp(seconds: $0) }
    receiver = file.receiver.map { [output] _ in
      ReceiverStream {
        output.add($0)
        return $0
      }
    }
    let emulated = file.sensors.map(\.emulated)
    runners = zip(file.sensors, emulated).compactMap { sensor, emulated in
      var settings = sensor.settings
      // The emulated chip accepts no other.
      if sensor.chip == .bmi270 { settings.image = EmulatedBoard.image }
      func makeDriver() -> any SensorChip {
        if sensor.isSerial,
          let driver = sensor.chip.driver(
            port: board.line(named: sensor.bus, of: sensor.chip), settings: settings)
        {
          return driver
        }
        return emulated.chip.driver(
          bus: board.bus(named: emulated.bus), address: emulated.address, settings: settings)
      }
      let driver = makeDriver()
      let onBoard = sensor.mount.rotation ?? AxisMount.standard.rotation
      // From the body's axes to the board's, to the standard mount's (x forward, y left, z up), to
      // the chip's.
      let bodyToChip =
        onBoard.inverse * AxisMount.standard.rotation * mounting.inverse
      var placement = EmulatedBoard.Placement(
        model: emulated.chip, bus: emulated.bus, address: emulated.address,
        isSerial: sensor.isSerial, bodyToChip: bodyToChip, rateHertz: driver.rateHertz,
        latencySeconds: driver.latencySeconds)
      for quantity in [SampleQuantity.field, .rate, .force] {
        let own = sensor.mount(of: quantity)
        guard own.isMirrored || own != sensor.mount, let matrix = own.matrix else { continue }
        placement.axes[quantity] = matrix.transposed * Matrix3(onBoard)
      }
      board.place(placement)
      return ChipRunner(
        sensor: sensor, mounting: mounting, now: { board.clock.now }, makeDriver: makeDriver)
    }
    inertial = runners.enumerated().filter { $0.element.sensor.measures(.inertia) }.map(\.offset)
    board.breakChip(of: emulated.map { ($0.bus, $0.address) })
    shared.withLock {
      $0.chips = runners.map { BoardStatus.Chip($0.sensor) }
      $0.receivers = file.receivers.prefix(1).map { BoardStatus.Receiver(port: $0.port) }
    }
    shareStatus()
  }

  /// Updates the state of the chips and the receiver, as that of an attached board. In place: the
  /// names are made once.
  private func shareStatus() {
    shared.withLock { status in
      for (index, runner) in runners.enumerated() {
        status.chips[index].fault = runner.fault?.description
        let count = samples[index, default: 0]
        if count > status.chips[index].samples { status.chips[index].newest = board.clock.now }
        status.chips[index].samples = count
        status.chips[index].errors = runner.errors
        status.chips[index].rateHertz = runner.rateHertz
      }
      if let first = status.receivers.indices.first, epochs > status.receiverEpochs {
        status.receivers[first].epochs = epochs
        status.receivers[first].arrivals.add(board.clock.now)
      }
      status.receiverEpochs = epochs
      status.instant = board.clock.now
    }
  }

  /// The state up to the newest second; safe from any thread.
  package var boardStatus: @Sendable () -> BoardStatus {
    { [shared] in shared.withLock { $0 } }
  }

  /// The true state at an instant; safe from any thread.
  public var truth: @Sendable (Timestamp) -> Truth { board.truth }

  /// The emulated board, to remove chips and to add them again.
  package var emulatedBoard: EmulatedBoard { board }

  /// True while rows that were read together are left.
  public var hasRow: Bool { handedOut < waiting.count }
  /// The time of the emulated clock.
  public var readTime: Timestamp? { board.clock.now }

  /// The next row; it never throws.
  public mutating func next() throws(RecordingError) -> SensorSamples? {
    while handedOut == waiting.count {
      waiting.removeAll(keepingCapacity: true)
      handedOut = 0
      guard step() else { return nil }
    }
    handedOut += 1
    return waiting[handedOut - 1]
  }

  /// Moves what the simulated receiver sent up to the newest row to the caller.
  public func removeReceiverOutput(collecting: Bool) -> [ReceiverOutput] {
    output.removeAll(collecting: collecting)
  }

  /// Reads what is due next; false at the end, or for an empty board.
  private mutating func step() -> Bool {
    let next = runners.indices.min { runners[$0].due < runners[$1].due }
    let receiverDue = board.receiverDue
    guard var due = receiverDue ?? next.map({ runners[$0].due }) else { return false }
    if let next { due = min(due, runners[next].due) }
    if let end, due > end { return false }
    board.clock.advance(to: due)
    let now = board.clock.now
    if receiverDue == due {
      let bytes = board.receiverBytes()
      output.add(bytes)
      bytes.withUnsafeBytes {
        receiver?.push($0, at: now) {
          if $0.hasFix { epochs += 1 }
          merger.put($0)
        }
      }
      // The simulated receiver sends an epoch at once and is silent until the next.
      receiver?.fellSilent(at: now) {
        if $0.hasFix { epochs += 1 }
        merger.put($0)
      }
    } else if let next {
      runners[next].run {
        samples[next, default: 0] += 1
        merger.put($0)
      }
    }
    if now.seconds(since: sharedAt) >= 1 {
      sharedAt = now
      shareStatus()
    }
    merger.deliver(at: now, expectsInertia: expectsInertia) { waiting.append($0) }
    return true
  }

  // By index: a closure with a runner as its parameter would copy it.
  private var expectsInertia: Bool { inertial.contains { runners[$0].isInService } }
}
