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
    /// Its bus; empty where it is not known.
    package var bus = ""
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
    /// True where the fault is an impossible measurement.
    package var isContradicted = false
    /// The losses of a chip that is lost again and again; nil for a steady one.
    public var unsteadiness: Unsteadiness?
    /// Samples since the start.
    public var samples = 0
    /// The arrival of the newest sample; nil before the first.
    package var newest: Timestamp?
    /// How often it was in service again after a loss.
    package var restarts = 0
    /// Failed transfers and operations since the start, repeated ones included.
    public var errors = 0
    /// The rate that its driver has set, hertz; nil where it is not known.
    public var rateHertz: Double?
    /// Why it may be another part than named; nil for no doubt.
    public var doubt: String?

    /// The state of a sensor before its first sample.
    package init(_ sensor: Board.Sensor) {
      self.init(name: sensor.label, quantity: sensor.chip.quantity)
      bus = sensor.bus
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
    /// Its name in the board file, else its port.
    public var name: String
    /// Its device or feed.
    public var port: String
    /// Whether its headings are used; of several only one's are.
    public var isUsed = true
    /// How it compares with the one in use, such as `4 degrees from the gyrocompass`; nil for the
    /// one in use, and where the two cannot be compared.
    public var comparison: String?
    /// Headings since the start.
    public var headings = 0
    /// The arrival of the newest heading; nil before the first.
    package var newest: Timestamp?
    /// How often it was in service again after a loss.
    package var restarts = 0
    /// Rejected sentences since the start.
    public var rejected = 0
    /// Why its line cannot be read; nil without a fault.
    public var fault: String?
    /// What its open line does not deliver; nil while headings come.
    public var lack: Lack?
    /// The losses of a line that is lost again and again; nil for a steady one.
    public var unsteadiness: Unsteadiness?

    /// Makes the state of a compass before its first sentence.
    package init(name: String? = nil, port: String) {
      (self.name, self.port) = (name ?? port, port)
    }
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
  /// The receivers, in the board file's order.
  public var receivers: [Receiver] = []
  /// The epochs in use since the start, with or without a position, of all receivers.
  public var receiverEpochs = 0
  /// The compasses on lines of their own, in the board file's order.
  public var compasses: [Compass] = []
  /// The kind of the newest fix; nil before the first, and without one for 10 s.
  public var fixKind: FixKind?
  /// The age of the corrections in use as the receiver reports it, seconds; nil without any.
  public var correctionAgeSeconds: Double?
  /// Why calibrations are not saved, or the stored ones could not be read; nil where they are.
  public var calibrationFault: String?

  /// When this was the state; nil for an empty one.
  package var instant: Timestamp?

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
    /// By chip.
    var services: [(record: ServiceRecord, error: ChipError?)]
    var receivers: [ReceiverService]
    /// By compass.
    var compasses: [ServiceRecord]
    /// Of what another program sends.
    var peerNotices = NoticeLimit()
    var newestFix: Fix?
    var newestPosition: Fix?
  }

  fileprivate struct ReceiverService {
    var record = ServiceRecord()
    var corrections: CorrectionFrames?
    var correctionsOutput: CorrectionFrames?
    var fixWatch = FixWatch()
    /// True once a notice of the lost fix was sent.
    var isLossReported = false
  }

  /// A loss of the fix is reported only if it lasts this long, seconds: one under a bridge is
  /// shorter.
  private static let reportedLoss = 5.0

  /// Age from which a fix no longer sets the state of the fix, seconds; as in the pipeline.
  private static let fixValidity = 10.0

  private let state: Mutex<State>
  private let now: @Sendable () -> Timestamp
  /// Chooses the receiver in use; nil for a board without receivers.
  private let selection: ReceiverSelection?
  /// Chooses the heading in use.
  private let headings: HeadingSelection?

  package init(
    chips: [BoardStatus.Chip], receivers: [Board.Receiver] = [], compasses: [Board.Compass] = [],
    selection: ReceiverSelection? = nil, headings: HeadingSelection? = nil,
    now: @escaping @Sendable () -> Timestamp
  ) {
    (self.now, self.selection, self.headings) = (now, selection, headings)
    var state = State(
      services: chips.map { _ in (ServiceRecord(), nil) },
      receivers: receivers.map { _ in ReceiverService() },
      compasses: compasses.map { _ in ServiceRecord() })
    state.current.compasses = compasses.compactMap { compass in
      compass.port.map { BoardStatus.Compass(name: compass.title, port: $0) }
    }
    state.current.chips = chips
    state.current.receivers = receivers.map {
      BoardStatus.Receiver(name: $0.title, port: $0.port)
    }
    self.state = Mutex(state)
  }

  package var status: BoardStatus {
    let now = now()
    var status = state.withLock { state in
      var status = state.current
      for index in status.chips.indices {
        status.chips[index].unsteadiness = state.services[index].record.unsteadiness(at: now)
        status.chips[index].restarts = state.services[index].record.restarts
      }
      for index in status.compasses.indices {
        status.compasses[index].unsteadiness = state.compasses[index].unsteadiness(at: now)
        status.compasses[index].restarts = state.compasses[index].restarts
      }
      if let fix = state.newestFix, now.seconds(since: fix.timestamp) < Self.fixValidity {
        (status.fixKind, status.correctionAgeSeconds) = (fix.kind, fix.correctionAgeSeconds)
      }
      let place = state.newestPosition?.position
      for index in status.receivers.indices {
        let service = state.receivers[index]
        status.receivers[index].unsteadiness = service.record.unsteadiness(at: now)
        status.receivers[index].restarts = service.record.restarts
        (status.receivers[index].fixLoss, status.receivers[index].hasFix) = service.fixLoss(
          of: status.receivers[index], at: now)
        status.receivers[index].firstFix = service.fixWatch.firstFix
        if let frames = service.corrections {
          status.receivers[index].corrections?.update(frames, at: now, place)
        }
        if let frames = service.correctionsOutput {
          status.receivers[index].correctionsOutput?.update(frames, at: now, place)
        }
      }
      return status
    }
    if let selection {
      for index in status.receivers.indices {
        status.receivers[index].epochs = selection.progress(of: index).epochs
        status.receivers[index].position = selection.source(index)
        status.receivers[index].isUsed = selection.isUsed(index)
      }
    }
    status.instant = now
    headings?.describe(&status.compasses, at: now)
    return status
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
      if newSamples > 0 { state.current.chips[index].newest = now }
      state.current.chips[index].errors = errors
      state.current.chips[index].rateHertz = rateHertz ?? state.current.chips[index].rateHertz
      let name = state.current.chips[index].name
      let isDoubtNew = state.current.chips[index].doubt == nil
      let warning = isDoubtNew ? doubt.map { "\(name): \($0)" } : nil
      state.current.chips[index].doubt = state.current.chips[index].doubt ?? doubt
      if fault != state.services[index].error {
        state.services[index].error = fault
        state.current.chips[index].fault = fault?.description
        state.current.chips[index].isContradicted = fault?.falseValue != nil
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

  /// One of the receivers, to report its state.
  func receiver(_ index: Int) -> ReceiverMonitor { ReceiverMonitor(board: self, index: index) }

  /// A receiver in a notice: by its name among several.
  func name(of receiver: Int) -> String {
    state.withLock { $0.current.deviceName(DeviceTrouble.receiver, ofReceiver: receiver) }
      .withArticle
  }

  /// Changes the state of a receiver.
  @discardableResult
  func change<Result: Sendable>(
    _ receiver: Int, _ body: (inout BoardStatus.Receiver) -> Result
  ) -> Result {
    state.withLock { body(&$0.current.receivers[receiver]) }
  }

  /// Stores what a receiver reports about antenna, signals and fix; sends notices on a new trouble
  /// and on its end, on a lost fix and its return, and on the first fix.
  func receiver(_ index: Int, epoch: ReceiverEpoch) {
    let now = now()
    let (before, troubles, notice, name) = state.withLock { state in
      let before = state.current.receivers[index].signals.troubles
      let name = state.current.deviceName(DeviceTrouble.receiver, ofReceiver: index).withArticle
      state.current.receivers[index].signals = epoch.signals
      state.current.receivers[index].arrivals.add(now)
      let notice = state.receivers[index].notice(of: epoch, named: name, at: now, Self.reportedLoss)
      return (before, epoch.signals.troubles, notice, name)
    }
    if before != troubles {
      self.notice(
        ofPeer: troubles.isEmpty
          ? "\(name) reports no more trouble"
          : "\(name) reports: " + troubles.joined(separator: ", "))
    }
    if let notice { self.notice(ofPeer: notice) }
  }

  /// Records that a receiver's line has delivered bytes.
  func receiverSentBytes(_ index: Int) {
    let now = now()
    state.withLock {
      $0.receivers[index].fixWatch.receivedBytes(at: now)
      $0.current.receivers[index].isResting = false
    }
  }

  /// Records that position, time or orbits were given to a receiver.
  func receiverIsAssisted(_ index: Int) {
    state.withLock { $0.receivers[index].fixWatch.assisted() }
  }

  /// True while a receiver has a fix; nil before it has sent anything.
  func hasFix(_ index: Int) -> Bool? {
    let now = now()
    return state.withLock { state in
      state.receivers[index].fixLoss(of: state.current.receivers[index], at: now).hasFix
    }
  }

  /// Forgets a receiver's fixes: it rests or sleeps.
  func receiverRests(_ index: Int) {
    state.withLock {
      ($0.receivers[index].fixWatch, $0.receivers[index].isLossReported) = (FixWatch(), false)
      $0.current.receivers[index].isResting = true
    }
  }

  func compass(_ index: Int, newHeadings: Int, rejected: Int) {
    let now = now()
    state.withLock {
      if newHeadings > 0 { $0.current.compasses[index].newest = now }
      $0.current.compasses[index].headings += newHeadings
      $0.current.compasses[index].rejected += rejected
    }
  }

  /// Stores the state of a compass's line: why it cannot be read, or what it does not deliver;
  /// sends a notice on a change.
  func compass(_ index: Int, fault: String?, lack: BoardStatus.Lack? = nil) {
    update { state, now in
      state.current.compasses[index].fault = fault
      state.current.compasses[index].lack = lack
      let name = state.current.deviceName("compass", ofCompass: index).withArticle
      return state.compasses[index].update(
        Self.sentence(fault, lack), at: now, Self.words(name))
    }
  }

  /// Stores the state of a receiver's line, as for a compass's.
  func receiver(_ index: Int, fault: String?, lack: BoardStatus.Lack? = nil) {
    if fault != nil { selection?.lose(index) }
    update { state, now in
      state.current.receivers[index].fault = fault
      state.current.receivers[index].lack = lack
      if fault != nil {
        state.current.receivers[index].signals = SignalState()
        state.current.receivers[index].sources = []
        // A receiver that was unplugged starts again.
        let watch = state.receivers[index].fixWatch
        if watch.firstFix != nil { state.receivers[index].fixWatch = FixWatch(after: watch) }
      }
      let name = state.current.deviceName(DeviceTrouble.receiver, ofReceiver: index).withArticle
      return state.receivers[index].record.update(
        Self.sentence(fault, lack), at: now, Self.words(name))
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

  /// Sends a notice to the user.
  package func notice(_ text: String) { notify(text) }

  /// Sends a notice that another program causes, a limited number of times.
  func notice(ofPeer text: String) {
    update { state, now in state.peerNotices.limit(text, at: now) }
  }

  /// Sets the queues whose counts the status of a receiver includes.
  func follow(_ receiver: Int, corrections: CorrectionFrames?, output: CorrectionFrames?) {
    state.withLock { state in
      state.receivers[receiver].corrections = corrections
      state.receivers[receiver].correctionsOutput = output
      if corrections != nil {
        state.current.receivers[receiver].corrections = BoardStatus.Corrections()
      }
      if output != nil {
        state.current.receivers[receiver].correctionsOutput = BoardStatus.Corrections()
      }
    }
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

extension BoardMonitor.ReceiverService {
  /// Why there is no fix, and whether there is one. A silent or lost line precedes what the receiver
  /// has reported last.
  fileprivate func fixLoss(
    of receiver: BoardStatus.Receiver, at now: Timestamp
  ) -> (loss: FixLoss?, hasFix: Bool?) {
    if receiver.fault != nil || receiver.lack?.cause != nil {
      let cause = receiver.fault != nil ? .disconnected : receiver.lack?.cause
      return (FixLoss(cause ?? .silent, hadFix: fixWatch.hadFix), false)
    }
    let loss = fixWatch.loss(at: now)
    return (loss, loss != nil ? false : fixWatch.hasEpoch ? true : nil)
  }

  /// Adds an epoch and returns the notice of a change.
  fileprivate mutating func notice(
    of epoch: ReceiverEpoch, named name: String, at now: Timestamp, _ reportedLoss: Double
  ) -> String? {
    let (lostAt, first) = (fixWatch.lostAt, fixWatch.firstFix)
    fixWatch.add(epoch, at: now)
    if let new = fixWatch.firstFix, first == nil { return "\(name) has \(new.text)" }
    if let loss = fixWatch.loss(at: now) {
      guard let since = fixWatch.lostAt, !isLossReported,
        now.seconds(since: since) >= reportedLoss
      else { return nil }
      isLossReported = true
      return "\(name) has lost its fix: \(loss.text)"
    }
    guard isLossReported, let lostAt else { return nil }
    isLossReported = false
    return "\(name) has a fix again after \(Int(bounded: now.seconds(since: lostAt))) s"
  }
}
