import Chips
import Configuration
import Quantities
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
    /// Whether its samples have the field, perhaps among others.
    public var hasField = false
    /// Whether it delivers the heading of its own firmware, and no samples.
    public var hasOwnAttitude = false
    /// Why it delivers no samples now; nil while it is in service.
    public var fault: String?
    /// The fault in few words, such as `lost`; nil while it is in service.
    public var shortFault: String?
    /// The losses of a chip that is lost again and again; nil for a steady one.
    public var unsteadiness: Unsteadiness?
    /// Samples since the start.
    public var samples = 0
    /// Failed transfers and operations since the start, repeated ones included.
    public var errors = 0
    /// The rate that its driver has set, hertz; nil where it is not known.
    public var rateHertz: Double?
    /// Why it may be another part than named; nil for no doubt.
    public var doubt: String?

    /// The state of a sensor before its first sample.
    package init(_ sensor: Board.Sensor) {
      self.init(name: sensor.label, quantity: sensor.chip.quantity)
      hasOwnAttitude = sensor.settings.usesOwnAttitude
      hasField = sensor.measures(.field)
    }

    /// Makes a chip's state.
    package init(
      name: String, quantity: ChipModel.Quantity, fault: String? = nil, samples: Int = 0
    ) {
      (self.name, self.quantity) = (name, quantity)
      (self.fault, self.samples) = (fault, samples)
      shortFault = fault.map { _ in "lost" }
      hasField = quantity == .field
    }

    /// Its trouble; nil while it is in service and steady.
    public var trouble: DeviceTrouble? {
      DeviceTrouble(name, quantity, state: shortFault, fault: fault, losses: unsteadiness)
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
    /// Why its line cannot be read; nil without a fault.
    public var fault: String?
    /// What its open line does not deliver; nil while headings come.
    public var lack: Lack?
    /// The losses of a line that is lost again and again; nil for a steady one.
    public var unsteadiness: Unsteadiness?
  }

  /// What an open line does not deliver.
  public struct Lack: Equatable, Sendable {
    /// In few words with the time: `silent for 20 s`.
    public var short: String
    /// With the port and what to check.
    public var text: String
    /// Why there is no fix; nil for a line that sends valid messages.
    public var cause: FixLoss.Cause?

    package init(short: String, text: String, cause: FixLoss.Cause? = nil) {
      (self.short, self.text, self.cause) = (short, text, cause)
    }
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
  /// By bus, why its data-ready lines cannot be waited for; its chips are polled.
  public var dataReadyFaults: [String: String] = [:]
  /// By bus; empty in the first second.
  public var lateness: [String: Lateness] = [:]
  /// The receiver's port or daemon address in the board file; nil without a receiver.
  public var receiverPort: String?
  /// The receiver's epochs since the start, with or without a position.
  public var receiverEpochs = 0
  /// Sentences of the receiver's line since it was opened that were rejected: wrong checksum, cut,
  /// too long.
  public var receiverRejected = 0
  /// The sources of positions on the receiver's line: one for a receiver alone.
  public var receiverSources: [PositionSource] = []
  /// What the receiver reports about antenna and signals.
  public var receiverSignals = SignalState()
  /// Why the receiver has no fix; nil while it has one, and before it has sent anything.
  public var fixLoss: FixLoss?
  /// True while the receiver has a fix; nil before it has sent anything.
  public var hasReceiverFix: Bool?
  /// How long the receiver's first fix took; nil before it.
  public var firstFix: FirstFix?
  /// The receiver's fault; nil without a fault or without a receiver.
  public var receiverFault: String?
  /// What the receiver's open line does not deliver; nil while positions come, and while a search
  /// for satellites may still take.
  public var receiverLack: Lack?
  /// The losses of a receiver that is lost again and again; nil for a steady one.
  public var receiverUnsteadiness: Unsteadiness?
  /// The compass on a line of its own; nil without one.
  public var compass: Compass?
  /// The daemon and its device that sent the fixes; nil for a serial receiver and before the first
  /// fix.
  public var receiverSource: String?
  /// The timing by the receiver's pulses; nil where none is wired, and before the first reading.
  public var pulse: PulseTiming?
  /// Why the pulse's source cannot be read; nil without a fault or without a source.
  public var pulseFault: String?
  /// The settings that were sent to the receiver, and those that it refused; nil where none were
  /// sent.
  public var receiverSetUp: ReceiverSetUp?
  /// The kind of the newest fix; nil before the first, and without one for 10 s.
  public var fixKind: FixKind?
  /// The age of the corrections in use as the receiver reports it, seconds; nil without any.
  public var correctionAgeSeconds: Double?
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
package final class BoardMonitor: Sendable {
  private static let mostEarly = 32

  fileprivate struct State {
    var current = BoardStatus()
    var listener: (@Sendable (String) -> Void)?
    /// Notices from before the listener was set.
    var early: [String] = []
    var corrections: CorrectionFrames?
    var correctionsOutput: CorrectionFrames?
    /// By chip.
    var services: [(record: ServiceRecord, error: ChipError?)]
    var receiver = ServiceRecord()
    var compass = ServiceRecord()
    /// Of what another program sends.
    var peerNotices = NoticeLimit()
    var newestFix: Fix?
    var newestPosition: Fix?
    var fixWatch = FixWatch()
    /// True once a notice of the lost fix was sent.
    var isLossReported = false
  }

  /// A shorter loss of the fix is not worth a notice, seconds: a bridge.
  private static let reportedLoss = 5.0

  /// An older fix has no state, seconds: as in the pipeline.
  private static let fixValidity = 10.0

  private let state: Mutex<State>
  private let now: @Sendable () -> Timestamp

  package init(
    chips: [BoardStatus.Chip], receiverPort: String?, compassPort: String? = nil,
    now: @escaping @Sendable () -> Timestamp
  ) {
    self.now = now
    var state = State(services: chips.map { _ in (ServiceRecord(), nil) })
    state.current.compass = compassPort.map { BoardStatus.Compass(port: $0) }
    state.current.chips = chips
    state.current.receiverPort = receiverPort
    self.state = Mutex(state)
  }

  package var status: BoardStatus {
    let now = now()
    return state.withLock { state in
      var status = state.current
      for index in status.chips.indices {
        status.chips[index].unsteadiness = state.services[index].record.unsteadiness(at: now)
      }
      status.receiverUnsteadiness = state.receiver.unsteadiness(at: now)
      status.compass?.unsteadiness = state.compass.unsteadiness(at: now)
      if let fix = state.newestFix, now.seconds(since: fix.timestamp) < Self.fixValidity {
        (status.fixKind, status.correctionAgeSeconds) = (fix.kind, fix.correctionAgeSeconds)
      }
      (status.fixLoss, status.hasReceiverFix) = state.fixLoss(at: now)
      status.firstFix = state.fixWatch.firstFix
      let place = state.newestPosition?.position
      if let frames = state.corrections { status.corrections?.update(frames, at: now, place) }
      if let frames = state.correctionsOutput {
        status.correctionsOutput?.update(frames, at: now, place)
      }
      return status
    }
  }

  /// Calls `body` with each notice; first with the stored ones.
  package func listen(_ body: @escaping @Sendable (String) -> Void) {
    let waiting = state.withLock { state in
      state.listener = body
      defer { state.early = [] }
      return state.early
    }
    for notice in waiting { body(notice) }
  }

  /// True while an inertial unit is in service.
  var expectsInertia: Bool {
    state.withLock {
      $0.current.chips.contains {
        $0.quantity == .inertia && !$0.hasOwnAttitude && $0.fault == nil
      }
    }
  }

  /// Stores a chip's state; sends a notice on a change.
  func chip(
    _ index: Int, fault: ChipError?, newSamples: Int, errors: Int = 0, rateHertz: Double? = nil,
    doubt: String? = nil
  ) {
    let now = now()
    let (warning, notice) = state.withLock { state -> (String?, String?) in
      state.current.chips[index].samples += newSamples
      state.current.chips[index].errors = errors
      state.current.chips[index].rateHertz = rateHertz ?? state.current.chips[index].rateHertz
      let name = state.current.chips[index].name
      let isDoubtNew = state.current.chips[index].doubt == nil
      let warning = isDoubtNew ? doubt.map { "\(name): \($0)" } : nil
      state.current.chips[index].doubt = state.current.chips[index].doubt ?? doubt
      if fault != state.services[index].error {
        state.services[index].error = fault
        state.current.chips[index].fault = fault?.description
        state.current.chips[index].shortFault = fault.map {
          $0.falseValue.map { "not used: \($0)" } ?? "lost"
        }
      }
      let words = state.current.chips[index].fault.map {
        (fault?.falseValue == nil ? "is lost" : "does not measure") + ", going on without it: \($0)"
      }
      let notice = state.services[index].record.update(
        words, at: now,
        ServiceRecord.Words(
          name: name, back: "is in service",
          check: "check its wires, pull-up resistors and power"))
      return (warning, notice)
    }
    if let warning { notify(warning) }
    if let notice { notify(notice) }
  }

  /// Stores the state of a bus's data-ready lines; sends a notice on a change.
  func dataReady(fault: String?, of bus: String) {
    let hasChanged = state.withLock { state in
      defer { state.current.dataReadyFaults[bus] = fault }
      return (state.current.dataReadyFaults[bus] == nil) != (fault == nil)
    }
    guard hasChanged else { return }
    notify(
      fault.map { "the data-ready lines of \(bus) are lost, its chips are polled: \($0)" }
        ?? "the data-ready lines of \(bus) are back")
  }

  /// Stores the number of new epochs and the newest fix.
  func receiver(newEpochs: Int, newestFix fix: Fix?) {
    guard newEpochs > 0 else { return }
    state.withLock { state in
      state.current.receiverEpochs += newEpochs
      state.newestFix = fix ?? state.newestFix
      if fix?.position != nil { state.newestPosition = fix }
    }
  }

  /// The newest fix with a position; nil before the first.
  var newestPosition: Fix? { state.withLock { $0.newestPosition } }

  func receiver(rejected: Int) {
    state.withLock { $0.current.receiverRejected = rejected }
  }

  /// Stores the sources of positions on the receiver's line; sends a notice where another is chosen.
  func receiver(sources: [PositionSource]) {
    let (before, now) = state.withLock { state in
      defer { state.current.receiverSources = sources }
      return (
        state.current.receiverSources.first { $0.isChosen }, sources.first { $0.isChosen }
      )
    }
    guard let before, let now, before.sender != now.sender else { return }
    notice(ofPeer: "positions are now of \(now.name), before of \(before.name)")
  }

  /// Stores what the receiver reports about antenna, signals and fix; sends notices on a new trouble
  /// and on its end, on a lost fix and its return, and on the first fix.
  func receiver(epoch: ReceiverEpoch) {
    let now = now()
    let (before, troubles, notice) = state.withLock { state in
      let before = state.current.receiverSignals.troubles
      state.current.receiverSignals = epoch.signals
      return (before, epoch.signals.troubles, state.notice(of: epoch, at: now, Self.reportedLoss))
    }
    if before != troubles {
      self.notice(
        ofPeer: troubles.isEmpty
          ? "the receiver reports no more trouble"
          : "the receiver reports: " + troubles.joined(separator: ", "))
    }
    if let notice { self.notice(ofPeer: notice) }
  }

  /// Records that the receiver's line has delivered bytes.
  func receiverSentBytes() {
    let now = now()
    state.withLock { $0.fixWatch.receivedBytes(at: now) }
  }

  /// Records that position, time or orbits were given to the receiver.
  func receiverIsAssisted() { state.withLock { $0.fixWatch.assisted() } }

  /// Forgets the receiver's fixes: it rests or sleeps.
  func receiverRests() {
    state.withLock { ($0.fixWatch, $0.isLossReported) = (FixWatch(), false) }
  }

  func compass(newHeadings: Int, rejected: Int) {
    state.withLock {
      $0.current.compass?.headings += newHeadings
      $0.current.compass?.rejected += rejected
    }
  }

  /// Stores the state of the compass's line: why it cannot be read, or what it does not deliver;
  /// sends a notice on a change.
  func compass(fault: String?, lack: BoardStatus.Lack? = nil) {
    update { state, now in
      state.current.compass?.fault = fault
      state.current.compass?.lack = lack
      return state.compass.update(Self.sentence(fault, lack), at: now, Self.words("the compass"))
    }
  }

  /// Stores the state of the receiver's line, as for the compass's.
  func receiver(fault: String?, lack: BoardStatus.Lack? = nil) {
    update { state, now in
      (state.current.receiverFault, state.current.receiverLack) = (fault, lack)
      if fault != nil {
        (state.current.receiverSignals, state.current.receiverSources) = (SignalState(), [])
        // A receiver that was unplugged starts again.
        if state.fixWatch.firstFix != nil { state.fixWatch = FixWatch(after: state.fixWatch) }
      }
      return state.receiver.update(Self.sentence(fault, lack), at: now, Self.words("the receiver"))
    }
  }

  private static func sentence(_ fault: String?, _ lack: BoardStatus.Lack?) -> String? {
    fault.map { "is lost, going on without it: \($0)" }
      ?? lack.map { "delivers nothing that can be used: \($0.text)" }
  }

  private static func words(_ name: String) -> ServiceRecord.Words {
    ServiceRecord.Words(name: name, back: "is back", check: "check its cable, power and antenna")
  }

  private func update(_ body: (inout State, Timestamp) -> String?) {
    let now = now()
    if let notice = state.withLock({ body(&$0, now) }) { notify(notice) }
  }

  /// Stores the source of the fixes; sends a notice on a change.
  func receiver(source: String) {
    let isNew = state.withLock { state in
      defer { state.current.receiverSource = source }
      return state.current.receiverSource != source
    }
    if isNew { notice(ofPeer: "fixes come from \(source)") }
  }

  /// Sends a notice to the user.
  package func notice(_ text: String) { notify(text) }

  /// Sends a notice that another program causes, a limited number of times.
  func notice(ofPeer text: String) {
    update { state, now in state.peerNotices.limit(text, at: now) }
  }

  func pulse(fault: String?) {
    let changed = state.withLock { state in
      defer { state.current.pulseFault = fault }
      return (state.current.pulseFault == nil) != (fault == nil)
    }
    guard changed else { return }
    notify(fault.map { "the pulse is lost, going on without it: \($0)" } ?? "the pulse is back")
  }

  /// Stores the pulse's timing. Sends a notice when pairing begins or ends, and on a new obstacle
  /// that the user can remove.
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
    if isNew { notice(ofPeer: "corrections: \(fault ?? "coming")") }
  }

  /// Stores what the source of corrections does; sends a notice once messages come.
  func corrections(state text: String, isReceiving: Bool) {
    let notice = state.withLock { state in
      defer {
        state.current.corrections?.state = text
        if isReceiving { state.current.corrections?.fault = nil }
      }
      return isReceiving && state.current.corrections?.state != text
    }
    // Every client receives it, and the name of the nearest mount point reveals the place.
    if notice { self.notice(ofPeer: "corrections: coming") }
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

extension BoardMonitor.State {
  /// Why there is no fix, and whether there is one. A silent or lost line precedes what the receiver
  /// has reported last.
  fileprivate func fixLoss(at now: Timestamp) -> (loss: FixLoss?, hasFix: Bool?) {
    if current.receiverFault != nil || current.receiverLack?.cause != nil {
      let cause = current.receiverFault != nil ? .disconnected : current.receiverLack?.cause
      return (FixLoss(cause ?? .silent, hadFix: fixWatch.hadFix), false)
    }
    let loss = fixWatch.loss(at: now)
    return (loss, loss != nil ? false : fixWatch.hasEpoch ? true : nil)
  }

  /// Adds an epoch and returns the notice of a change.
  fileprivate mutating func notice(
    of epoch: ReceiverEpoch, at now: Timestamp, _ reportedLoss: Double
  ) -> String? {
    let (lostAt, first) = (fixWatch.lostAt, fixWatch.firstFix)
    fixWatch.add(epoch, at: now)
    if let new = fixWatch.firstFix, first == nil { return "the receiver has \(new.text)" }
    if let loss = fixWatch.loss(at: now) {
      guard let since = fixWatch.lostAt, !isLossReported,
        now.seconds(since: since) >= reportedLoss
      else { return nil }
      isLossReported = true
      return "the receiver has lost its fix: \(loss.text)"
    }
    guard isLossReported, let lostAt else { return nil }
    isLossReported = false
    return "the receiver has a fix again after \(Int(bounded: now.seconds(since: lostAt))) s"
  }
}
