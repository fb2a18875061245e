import Chips
import ReceiverProtocols
import Synchronization

/// The state of an attached board.
public struct BoardStatus: Sendable {
  /// A chip of the board.
  public struct Chip: Sendable {
    /// Model, address and bus: `MPU-6050 at 0x68 of /dev/i2c-1`.
    public var name: String
    /// What it measures.
    public var quantity: ChipModel.Quantity
    /// Why it delivers no samples now; nil while it is in service.
    public var fault: String?
    /// Samples since the start.
    public var samples = 0

    /// Makes a chip's state.
    package init(
      name: String, quantity: ChipModel.Quantity, fault: String? = nil, samples: Int = 0
    ) {
      (self.name, self.quantity) = (name, quantity)
      (self.fault, self.samples) = (fault, samples)
    }
  }

  /// Another compass on a line of its own.
  public struct Compass: Equatable, Sendable {
    /// Its device or feed.
    public var port: String
    /// Headings since the start.
    public var headings = 0
    /// Rejected sentences since the start.
    public var rejected = 0
    /// Why no headings come; nil without a fault.
    public var fault: String?
  }

  /// How late a bus's thread woke, over its last 512 wake-ups.
  public struct Lateness: Equatable, Sendable {
    /// The median, seconds.
    public var medianSeconds: Double
    /// The largest, seconds.
    public var worstSeconds: Double
  }

  /// The chips, in the board file's order.
  public var chips: [Chip] = []
  /// By bus; empty in the first second.
  public var lateness: [String: Lateness] = [:]
  /// The receiver's port or daemon address in the board file; nil without a receiver.
  public var receiverPort: String?
  /// The receiver's epochs since the start, with or without a position.
  public var receiverEpochs = 0
  /// Sentences of the receiver's line since it was opened that were rejected: wrong checksum, cut, too long.
  public var receiverRejected = 0
  /// The receiver's fault; nil without a fault or without a receiver.
  public var receiverFault: String?
  /// The compass on a line of its own; nil without one.
  public var compass: Compass?
  /// The daemon and its device that sent the fixes; nil for a serial receiver and before the first fix.
  public var receiverSource: String?
  /// The timing by the receiver's pulses; nil where none is wired, and before the first reading.
  public var pulse: PulseTiming?
  /// Why the pulse's source cannot be read; nil without a fault or without a source.
  public var pulseFault: String?
  /// The settings that were sent to the receiver, and those that it refused; nil where none were sent.
  public var receiverSetUp: ReceiverSetUp?
  /// Corrections forwarded to the receiver; nil where none are configured.
  public var corrections: Corrections?
  /// Corrections forwarded from the receiver; nil where none are configured.
  public var correctionsOutput: Corrections?

  /// Why calibrations are not saved, or the stored ones could not be read; nil where they are.
  public var calibrationFault: String?

  /// An empty state.
  package init() {}
}

/// Collects the states that the threads of a board report. Safe from any thread.
final class BoardMonitor: Sendable {
  private static let mostEarly = 32

  private struct State {
    var current = BoardStatus()
    var listener: (@Sendable (String) -> Void)?
    /// Notices from before the listener was set.
    var early: [String] = []
    var corrections: CorrectionFrames?
    var correctionsOutput: CorrectionFrames?
  }

  private let state: Mutex<State>

  init(chips: [BoardStatus.Chip], receiverPort: String?, compassPort: String? = nil) {
    var state = State()
    state.current.compass = compassPort.map { BoardStatus.Compass(port: $0) }
    state.current.chips = chips
    state.current.receiverPort = receiverPort
    self.state = Mutex(state)
  }

  var status: BoardStatus {
    state.withLock { state in
      var status = state.current
      if let frames = state.corrections { status.corrections?.take(frames) }
      if let frames = state.correctionsOutput { status.correctionsOutput?.take(frames) }
      return status
    }
  }

  /// Calls `body` with each notice; first with the stored ones.
  func listen(_ body: @escaping @Sendable (String) -> Void) {
    let waiting = state.withLock { state in
      state.listener = body
      defer { state.early = [] }
      return state.early
    }
    for notice in waiting { body(notice) }
  }

  /// True while an inertial unit is in service.
  var expectsInertia: Bool {
    state.withLock { $0.current.chips.contains { $0.quantity == .inertia && $0.fault == nil } }
  }

  /// Stores a chip's state; sends a notice on a change.
  func chip(_ index: Int, fault: String?, newSamples: Int) {
    let notice: String? = state.withLock { state in
      state.current.chips[index].samples += newSamples
      let old = state.current.chips[index].fault
      state.current.chips[index].fault = fault
      let name = state.current.chips[index].name
      switch (old, fault) {
      case (nil, let fault?): return "\(name) is lost, going on without it: \(fault)"
      case (_?, nil): return "\(name) is in service"
      default: return nil
      }
    }
    if let notice { notify(notice) }
  }

  func receiver(newEpochs: Int) {
    guard newEpochs > 0 else { return }
    state.withLock { $0.current.receiverEpochs += newEpochs }
  }

  func receiver(rejected: Int) {
    state.withLock { $0.current.receiverRejected = rejected }
  }

  func compass(newHeadings: Int, rejected: Int) {
    state.withLock {
      $0.current.compass?.headings += newHeadings
      $0.current.compass?.rejected += rejected
    }
  }

  func compass(fault: String?) {
    let changed = state.withLock { state in
      defer { state.current.compass?.fault = fault }
      return (state.current.compass?.fault == nil) != (fault == nil)
    }
    guard changed else { return }
    notify(
      fault.map { "the compass is lost, going on without it: \($0)" } ?? "the compass is back")
  }

  func receiver(fault: String?) {
    let changed = state.withLock { state in
      defer { state.current.receiverFault = fault }
      return (state.current.receiverFault == nil) != (fault == nil)
    }
    guard changed else { return }
    notify(
      fault.map { "the receiver is lost, going on without it: \($0)" } ?? "the receiver is back")
  }

  /// Stores the source of the fixes; sends a notice on a change.
  func receiver(source: String) {
    let isNew = state.withLock { state in
      defer { state.current.receiverSource = source }
      return state.current.receiverSource != source
    }
    if isNew { notify("fixes come from \(source)") }
  }

  /// Sends a notice to the user.
  func notice(_ text: String) { notify(text) }

  func pulse(fault: String?) {
    let changed = state.withLock { state in
      defer { state.current.pulseFault = fault }
      return (state.current.pulseFault == nil) != (fault == nil)
    }
    guard changed else { return }
    notify(fault.map { "the pulse is lost, going on without it: \($0)" } ?? "the pulse is back")
  }

  /// Stores the pulse's timing. Sends a notice when pairing begins or ends, and on a new obstacle that the
  /// user can remove.
  func pulse(_ timing: PulseTiming) {
    let old = state.withLock { state in
      defer { state.current.pulse = timing }
      return state.current.pulse
    }
    let isFixable = timing.obstacle.map { $0 != .noFix && $0 != .learning } ?? false
    if let obstacle = timing.obstacle, isFixable, old?.obstacle != obstacle {
      notify("the pulse is not paired: \(obstacle.rawValue)")
    } else if old?.state != timing.state, timing.state == .paired || old?.state == .paired {
      notify("the pulse is \(timing.state == .noPulse ? "gone" : timing.state.rawValue)")
    }
  }

  /// Stores the result of a set-up, or of restoring the old settings.
  func receiver(setUp: BoardStatus.ReceiverSetUp) {
    let isNew = state.withLock { state in
      defer { state.current.receiverSetUp = setUp }
      return state.current.receiverSetUp != setUp
    }
    if isNew { notify(setUp.text) }
  }

  /// Sets the queues whose counts the status includes.
  func follow(corrections: CorrectionFrames?, output: CorrectionFrames?) {
    state.withLock { state in
      state.corrections = corrections
      state.correctionsOutput = output
      if corrections != nil { state.current.corrections = BoardStatus.Corrections() }
      if output != nil { state.current.correctionsOutput = BoardStatus.Corrections() }
    }
  }

  /// Stores the state of the source of corrections; sends a notice on a change.
  func corrections(fault: String?, hasEnded: Bool) {
    let isNew = state.withLock { state in
      defer {
        state.current.corrections?.fault = fault
        state.current.corrections?.hasEnded = hasEnded
      }
      return state.current.corrections?.fault != fault
    }
    if isNew { notify("corrections: \(fault ?? "coming")") }
  }

  /// Stores the state of the output of corrections; sends a notice on a fault.
  func correctionsOutput(fault: String?) {
    let isNew = state.withLock { state in
      defer { state.current.correctionsOutput?.fault = fault }
      return state.current.correctionsOutput?.fault != fault
    }
    if isNew, let fault { notify("rtcm-output: \(fault)") }
  }

  func lateness(_ lateness: BoardStatus.Lateness, of bus: String) {
    state.withLock { $0.current.lateness[bus] = lateness }
  }

  private func notify(_ notice: String) {
    let body = state.withLock { state in
      if state.listener == nil {
        state.early.append(notice)
        // A program may never set a listener.
        if state.early.count > Self.mostEarly { state.early.removeFirst() }
      }
      return state.listener
    }
    body?(notice)
  }
}

/// Collects how late a thread woke.
struct LatenessMeter {
  /// Number of stored wake-ups: several seconds.
  private static let capacity = 512

  private var seconds: [Double] = []
  private var next = 0

  mutating func add(_ lateness: Double) {
    if seconds.count < Self.capacity {
      seconds.append(lateness)
    } else {
      seconds[next] = lateness
      next = (next + 1) % Self.capacity
    }
  }

  /// Nil before the first wake-up.
  var lateness: BoardStatus.Lateness? {
    let sorted = seconds.sorted()
    guard let worst = sorted.last else { return nil }
    return BoardStatus.Lateness(
      medianSeconds: sorted[sorted.count / 2], worstSeconds: worst)
  }
}
