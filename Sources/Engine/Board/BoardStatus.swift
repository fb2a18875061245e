import Bus
import Chips
import Foundation
import ReceiverProtocols

/// How an attached board is doing.
public struct BoardStatus: Sendable {
  /// A chip of the board.
  public struct Chip: Sendable {
    /// What it is and where: `MPU-6050 at 0x68 of /dev/i2c-1`.
    public var name: String
    /// What it measures.
    public var quantity: ChipModel.Quantity
    /// Why it gives nothing now; nil while it is in service.
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

  /// How late a bus's thread woke, of its last wakings.
  public struct Lateness: Equatable, Sendable {
    /// Half of the wakings were later than this, seconds.
    public var medianSeconds: Double
    /// The latest one, seconds.
    public var worstSeconds: Double
  }

  /// The chips, in the board file's order.
  public var chips: [Chip] = []
  /// By bus; empty before the first second.
  public var lateness: [String: Lateness] = [:]
  /// The port or the daemon's address that the board file names for the receiver; nil without one.
  public var receiverPort: String?
  /// The receiver's epochs since the start, with a position or without.
  public var receiverEpochs = 0
  /// The receiver's fault; nil where it works or there is none.
  public var receiverFault: String?
  /// The daemon and its device that fixes come from; nil for a serial receiver and before the first.
  public var receiverSource: String?
  /// What the receiver's pulses tell; nil where none is wired, and before the first look.
  public var pulse: PulseTiming?
  /// Why the pulse's source cannot be read; nil where it can or there is none.
  public var pulseFault: String?
  /// What the receiver was told at the start, and what it refused; nil where it was told nothing.
  public var receiverSetUp: ReceiverSetUp?
  /// Corrections on their way to the receiver; nil where there are to be none.
  public var corrections: Corrections?
  /// Corrections that the receiver gives, on their way to others; nil where there are to be none.
  public var correctionsOutput: Corrections?

  /// Begins with nothing known.
  package init() {}
}

/// Where the threads of a board tell how they are doing. Safe from any thread.
final class BoardMonitor: @unchecked Sendable {
  private let lock = NSLock()
  private var current: BoardStatus
  private var listener: (@Sendable (String) -> Void)?
  private var early: [String] = []
  private static let mostEarly = 32

  init(chips: [BoardStatus.Chip], receiverPort: String?) {
    current = BoardStatus()
    current.chips = chips
    current.receiverPort = receiverPort
  }

  private var corrections: CorrectionFrames?
  private var correctionsOutput: CorrectionFrames?

  var status: BoardStatus {
    lock.withLock {
      var status = current
      if let frames = corrections { status.corrections?.take(frames) }
      if let frames = correctionsOutput { status.correctionsOutput?.take(frames) }
      return status
    }
  }

  /// Hands each notice to `body`, those so far first.
  func listen(_ body: @escaping @Sendable (String) -> Void) {
    let waiting = lock.withLock {
      listener = body
      defer { early = [] }
      return early
    }
    for notice in waiting { body(notice) }
  }

  /// True while an inertial unit gives samples.
  var expectsInertia: Bool {
    lock.withLock { current.chips.contains { $0.quantity == .inertia && $0.fault == nil } }
  }

  /// A chip's state; a change of it is a notice.
  func chip(_ index: Int, fault: String?, newSamples: Int) {
    let notice: String? = lock.withLock {
      current.chips[index].samples += newSamples
      let old = current.chips[index].fault
      current.chips[index].fault = fault
      let name = current.chips[index].name
      switch (old, fault) {
      case (nil, let fault?): return "\(name) is lost, going on without it: \(fault)"
      case (_?, nil): return "\(name) is in service"
      default: return nil
      }
    }
    if let notice { tell(notice) }
  }

  func receiver(newEpochs: Int) {
    guard newEpochs > 0 else { return }
    lock.withLock { current.receiverEpochs += newEpochs }
  }

  func receiver(fault: String?) {
    let changed = lock.withLock {
      defer { current.receiverFault = fault }
      return (current.receiverFault == nil) != (fault == nil)
    }
    guard changed else { return }
    tell(fault.map { "the receiver is lost, going on without it: \($0)" } ?? "the receiver is back")
  }

  /// Whose fixes are used; another one is a notice.
  func receiver(source: String) {
    let isNew = lock.withLock {
      defer { current.receiverSource = source }
      return current.receiverSource != source
    }
    if isNew { tell("fixes come from \(source)") }
  }

  /// Something that people are to be told once.
  func notice(_ text: String) { tell(text) }

  func pulse(fault: String?) {
    let changed = lock.withLock {
      defer { current.pulseFault = fault }
      return (current.pulseFault == nil) != (fault == nil)
    }
    guard changed else { return }
    tell(fault.map { "the pulse is lost, going on without it: \($0)" } ?? "the pulse is back")
  }

  /// What the pulses tell; that they are paired, or no longer, is a notice, and so is what a person can mend.
  func pulse(_ timing: PulseTiming) {
    let old = lock.withLock {
      defer { current.pulse = timing }
      return current.pulse
    }
    let mendable = timing.obstacle.map { $0 != .noFix && $0 != .learning } ?? false
    if let obstacle = timing.obstacle, mendable, old?.obstacle != obstacle {
      tell("the pulse is not paired: \(obstacle.rawValue)")
    } else if old?.state != timing.state, timing.state == .paired || old?.state == .paired {
      tell("the pulse is \(timing.state == .noPulse ? "gone" : timing.state.rawValue)")
    }
  }

  /// A set-up that has come to its end, or an undoing.
  func receiver(setUp: BoardStatus.ReceiverSetUp) {
    let isNew = lock.withLock {
      defer { current.receiverSetUp = setUp }
      return current.receiverSetUp != setUp
    }
    if isNew { tell(setUp.text) }
  }

  /// Where the counts of corrections are to be had.
  func follow(corrections: CorrectionFrames?, output: CorrectionFrames?) {
    lock.withLock {
      self.corrections = corrections
      correctionsOutput = output
      if corrections != nil { current.corrections = BoardStatus.Corrections() }
      if output != nil { current.correctionsOutput = BoardStatus.Corrections() }
    }
  }

  /// How the source of corrections is doing; a change is a notice.
  func corrections(fault: String?, hasEnded: Bool) {
    let isNew = lock.withLock {
      defer {
        current.corrections?.fault = fault
        current.corrections?.hasEnded = hasEnded
      }
      return current.corrections?.fault != fault
    }
    if isNew { tell("corrections: \(fault ?? "coming")") }
  }

  /// How the passing on of the receiver's corrections is doing; a fault is a notice.
  func correctionsOutput(fault: String?) {
    let isNew = lock.withLock {
      defer { current.correctionsOutput?.fault = fault }
      return current.correctionsOutput?.fault != fault
    }
    if isNew, let fault { tell("rtcm-output: \(fault)") }
  }

  func lateness(_ lateness: BoardStatus.Lateness, of bus: String) {
    lock.withLock { current.lateness[bus] = lateness }
  }

  private func tell(_ notice: String) {
    let body = lock.withLock {
      if listener == nil {
        early.append(notice)
        // Nobody may ever listen.
        if early.count > Self.mostEarly { early.removeFirst() }
      }
      return listener
    }
    body?(notice)
  }
}

/// Collects how late a thread woke.
struct LatenessMeter {
  /// As many wakings as are remembered: some seconds of them.
  private static let memory = 512

  private var seconds: [Double] = []
  private var next = 0

  mutating func add(_ lateness: Double) {
    if seconds.count < Self.memory {
      seconds.append(lateness)
    } else {
      seconds[next] = lateness
      next = (next + 1) % Self.memory
    }
  }

  /// Median and worst; nil before the first waking.
  var lateness: BoardStatus.Lateness? {
    let sorted = seconds.sorted()
    guard let worst = sorted.last else { return nil }
    return BoardStatus.Lateness(
      medianSeconds: sorted[sorted.count / 2], worstSeconds: worst)
  }
}
