import Quantities
import ReceiverProtocols

/// Reports the state of one of a board's receivers to its `BoardMonitor`.
struct ReceiverMonitor: Sendable {
  let board: BoardMonitor
  let index: Int

  /// Stores the state of the line: why it cannot be read, or what it does not deliver; sends a
  /// notice on a change.
  func receiver(fault: String?, lack: BoardStatus.Lack? = nil) {
    board.receiver(index, fault: fault, lack: lack)
  }

  func receiver(rejected: Int, undecoded: UndecodedMessages) {
    board.change(index) { ($0.rejected, $0.undecoded) = (rejected, undecoded) }
  }

  /// Stores what the receiver was given at its start.
  func receiver(assistance: String) { board.change(index) { $0.assistance = assistance } }

  /// True while the receiver has a fix; nil before it has sent anything.
  var hasFix: Bool? { board.hasFix(index) }

  /// Stores the sources of positions on the line; sends a notice where another is chosen, and where
  /// one is frozen or contradicts itself.
  func receiver(sources: [PositionSource]) {
    let before = board.change(index) { receiver in
      defer { receiver.sources = sources }
      return receiver.sources
    }
    if let old = before.first(where: \.isChosen), let new = sources.first(where: \.isChosen),
      old.sender != new.sender
    {
      notice(ofPeer: "positions now come from \(new.name), before from \(old.name)")
    }
    let known = before.faults
    for fault in sources.faults where !known.contains(fault) {
      notice(ofPeer: "the positions of \(fault)")
    }
  }

  /// Stores what the receiver reports about antenna, signals and fix; sends notices on changes.
  func receiver(epoch: ReceiverEpoch) { board.receiver(index, epoch: epoch) }

  /// Records that the line has delivered bytes.
  func receiverSentBytes() { board.receiverSentBytes(index) }

  /// Records that position, time or orbits were given to the receiver.
  func receiverIsAssisted() { board.receiverIsAssisted(index) }

  /// Forgets the receiver's fixes: it rests or sleeps.
  func receiverRests() { board.receiverRests(index) }

  /// Stores the source of the fixes; sends a notice on a change.
  func receiver(source: String) {
    let isNew = board.change(index) { receiver in
      defer { receiver.source = source }
      return receiver.source != source
    }
    if isNew { notice(ofPeer: "fixes come from \(source)") }
  }

  /// Stores the result of a set-up, or of restoring the old settings.
  func receiver(setUp: BoardStatus.ReceiverSetUp) {
    let isNew = board.change(index) { receiver in
      defer { receiver.setUp = setUp }
      return receiver.setUp != setUp
    }
    if isNew { notice(setUp.text) }
  }

  /// Sends a notice to the user.
  func notice(_ text: String) { board.notice(text) }

  /// Sends a notice that another program causes, a limited number of times.
  func notice(ofPeer text: String) { board.notice(ofPeer: text) }

  // MARK: The pulse

  func pulse(fault: String?) {
    let hasChanged = board.change(index) { receiver in
      defer { receiver.pulseFault = fault }
      return (receiver.pulseFault == nil) != (fault == nil)
    }
    guard hasChanged else { return }
    notice(fault.map { "the pulse is lost, going on without it: \($0)" } ?? "the pulse is back")
  }

  /// Stores the pulse's timing. Sends a notice when pairing begins or ends, and on a new obstacle
  /// that the user can remove.
  func pulse(_ timing: PulseTiming) {
    let old = board.change(index) { receiver in
      defer { receiver.pulse = timing }
      return receiver.pulse
    }
    let isFixable = timing.obstacle.map { $0 != .noFix && $0 != .learning } ?? false
    if let obstacle = timing.obstacle, isFixable, old?.obstacle != obstacle {
      notice("the pulse is not paired: \(obstacle.rawValue)")
    } else if old?.state != timing.state, timing.state == .paired || old?.state == .paired {
      notice("the pulse is \(timing.state == .noPulse ? "missing" : timing.state.rawValue)")
    }
  }

  // MARK: Corrections

  /// The newest fix with a position; nil before the first.
  var newestPosition: Fix? { board.newestPosition }

  /// Sets the queues whose counts the status includes.
  func follow(corrections: CorrectionFrames?, output: CorrectionFrames?) {
    board.follow(index, corrections: corrections, output: output)
  }

  /// Stores the state of the source of corrections; sends a notice on a change.
  func corrections(fault: String?, hasEnded: Bool) {
    let isNew = board.change(index) { receiver in
      defer {
        if fault != nil, receiver.corrections?.fault == nil {
          receiver.corrections?.interruptions += 1
        }
        receiver.corrections?.fault = fault
        receiver.corrections?.hasEnded = hasEnded
      }
      return receiver.corrections?.fault != fault
    }
    if isNew { notice(ofPeer: "corrections: \(fault ?? "coming")") }
  }

  /// Stores what the source of corrections does; sends a notice once messages come.
  func corrections(state text: String, isReceiving: Bool) {
    let isNew = board.change(index) { receiver in
      defer {
        receiver.corrections?.state = text
        if isReceiving { receiver.corrections?.fault = nil }
      }
      return isReceiving && receiver.corrections?.state != text
    }
    // Every client receives it, and the name of the nearest mount point reveals the place.
    if isNew { notice(ofPeer: "corrections: coming") }
  }

  /// Stores the state of the output of corrections; sends a notice on a fault.
  func correctionsOutput(fault: String?) {
    let isNew = board.change(index) { receiver in
      defer { receiver.correctionsOutput?.fault = fault }
      return receiver.correctionsOutput?.fault != fault
    }
    if isNew, let fault { notice("rtcm-output: \(fault)") }
  }
}
