import Corrections
import Quantities
import ReceiverProtocols

extension BoardStatus {
  /// A receiver of the board.
  public struct Receiver: Sendable {
    /// Its name in the board file, else its port.
    public var name: String
    /// Its port or daemon address in the board file.
    public var port: String
    /// Whether its positions are used; of several only one's are.
    public var isUsed = true
    /// The epochs since the start, with or without a position, used or not.
    public var epochs = 0
    /// Its newest fix, and why it is not used; nil before the first and while its line is lost.
    public var position: PositionSource?
    /// Sentences since its line was opened that were rejected: wrong checksum, cut, too long.
    public var rejected = 0
    /// The arrivals of its epochs.
    package var arrivals = SampleRhythm()
    /// The arrival of the newest epoch; nil before the first.
    package var newest: Timestamp? { arrivals.newest }
    /// How often it was in service again after a loss.
    package var restarts = 0
    /// True while it rests because no program needs its fixes.
    package var isResting = false
    /// Messages since its line was opened that are not decoded.
    public var undecoded = UndecodedMessages()
    /// The sources of positions on its line: one for a receiver alone.
    public var sources: [PositionSource] = []
    /// What it reports about antenna and signals.
    public var signals = SignalState()
    /// Why it has no fix; nil while it has one, and before it has sent anything.
    public var fixLoss: FixLoss?
    /// True while it has a fix; nil before it has sent anything.
    public var hasFix: Bool?
    /// How long its first fix took; nil before it.
    public var firstFix: FirstFix?
    /// What it was given at its start, and how much of it it uses; nil for nothing.
    public var assistance: String?
    /// Its fault; nil without one.
    public var fault: String?
    /// What its open line does not deliver; nil while positions come, and while a search for
    /// satellites may still take.
    public var lack: Lack?
    /// The losses of a receiver that is lost again and again; nil for a steady one.
    public var unsteadiness: Unsteadiness?
    /// The daemon and its device that sent the fixes; nil for a serial receiver and before the
    /// first fix.
    public var source: String?
    /// The timing by its pulses; nil where none is wired, and before the first reading.
    public var pulse: PulseTiming?
    /// Why the pulse's source cannot be read; nil without a fault or without a source.
    public var pulseFault: String?
    /// The settings that were sent to it, and those that it refused; nil where none were sent.
    public var setUp: ReceiverSetUp?
    /// Corrections forwarded to it; nil where none are configured.
    public var corrections: Corrections?
    /// Corrections forwarded from it; nil where none are configured.
    public var correctionsOutput: Corrections?

    /// Makes the state of a receiver before its first byte.
    package init(name: String? = nil, port: String) {
      (self.name, self.port) = (name ?? port, port)
    }
  }

  /// The receiver in use; the first while none is used. The properties below are its own.
  public var receiver: Receiver? { receivers.first(where: \.isUsed) ?? receivers.first }
  /// Its port or daemon address; nil without a receiver.
  public var receiverPort: String? { receiver?.port }
  /// Its rejected sentences.
  public var receiverRejected: Int { receiver?.rejected ?? 0 }
  /// The sources of positions on its line.
  public var receiverSources: [PositionSource] { receiver?.sources ?? [] }
  /// What it reports about antenna and signals.
  public var receiverSignals: SignalState { receiver?.signals ?? SignalState() }
  /// Its messages that are not decoded.
  public var receiverUndecoded: UndecodedMessages { receiver?.undecoded ?? UndecodedMessages() }
  /// What it was given at its start.
  public var assistance: String? { receiver?.assistance }
  /// True while it has a fix.
  public var hasReceiverFix: Bool? { receiver?.hasFix }
  /// Why it has no fix.
  public var fixLoss: FixLoss? { receiver?.fixLoss }
  /// How long its first fix took.
  public var firstFix: FirstFix? { receiver?.firstFix }
  /// Its fault.
  public var receiverFault: String? { receiver?.fault }
  /// What its open line does not deliver.
  public var receiverLack: Lack? { receiver?.lack }
  /// Its losses, where it is lost again and again.
  public var receiverUnsteadiness: Unsteadiness? { receiver?.unsteadiness }
  /// The daemon and its device that sent its fixes.
  public var receiverSource: String? { receiver?.source }
  /// The timing by its pulses.
  public var pulse: PulseTiming? { receiver?.pulse }
  /// Why the source of its pulses cannot be read.
  public var pulseFault: String? { receiver?.pulseFault }
  /// The result of its set-up.
  public var receiverSetUp: ReceiverSetUp? { receiver?.setUp }
  /// Corrections forwarded to it.
  public var corrections: Corrections? { receiver?.corrections }
  /// Corrections forwarded from it.
  public var correctionsOutput: Corrections? { receiver?.correctionsOutput }
  /// The compass in use; the first while none is used; nil without one.
  public var compass: Compass? { compasses.first(where: \.isUsed) ?? compasses.first }

  /// The positions of several receivers, in the board file's order; empty for one receiver.
  public var positionSources: [PositionSource] {
    receivers.count > 1 ? receivers.compactMap(\.position) : []
  }

  /// Of several sources of positions, each that is not used compared with the one that is: the
  /// receivers, then the talkers on the line of the receiver in use.
  public var comparison: [String] { positionSources.comparison + receiverSources.comparison }

  /// The sources of positions that are frozen or contradict themselves.
  var positionFaults: [String] {
    receivers.flatMap { receiver -> [String] in
      let own = receiver.sources.faults
      let others = receivers.count > 1 ? [receiver.position].compactMap { $0 }.faults : []
      return own.isEmpty ? others : own.map { receivers.count > 1 ? "\(receiver.name): \($0)" : $0 }
    }
  }

  /// The name of a device of a receiver: with the receiver's own among several.
  func deviceName(_ device: String, ofReceiver index: Int) -> String {
    receivers.count > 1 ? "\(device) \(receivers[index].name)" : device
  }

  /// The name of a compass: with its own among several.
  func deviceName(_ device: String, ofCompass index: Int) -> String {
    compasses.count > 1 ? "\(device) \(compasses[index].name)" : device
  }

  /// The result of a receiver's set-up.
  public struct ReceiverSetUp: Equatable, Sendable {
    /// The receiver's name and version; nil where it does not answer.
    public var receiver: String?
    /// The settings that the receiver holds as requested.
    public var set: [String] = []
    /// The settings that it does not hold, each with the reason.
    public var refused: [String] = []
    /// Where the set-up was saved, or that it could not be; nil for a temporary set-up.
    public var saved: String?
    /// The settings that could not be restored at the end.
    public var notRestored: [String] = []

    /// What the receiver does not do as requested; nil where it does everything. Its positions are
    /// used nevertheless.
    func trouble(named name: String = DeviceTrouble.setUp) -> DeviceTrouble? {
      let isComplete = receiver != nil && refused.isEmpty && saved != Self.notSaved
      return DeviceTrouble(
        name, state: isComplete ? nil : "incomplete", fault: isComplete ? nil : text)
    }

    /// What `saved` is where saving failed.
    static let notSaved = "could not be saved"

    /// One line to display.
    public var text: String {
      guard let receiver else {
        return "the receiver answers no known maker's question and is not set up"
      }
      var words = ["\(receiver) has \(set.isEmpty ? "nothing" : set.joined(separator: ", ")) set"]
      if !refused.isEmpty { words.append("not set: \(refused.joined(separator: ", "))") }
      if let saved { words.append(saved) }
      if !notRestored.isEmpty {
        words.append("not restored: \(notRestored.joined(separator: ", "))")
      }
      return words.joined(separator: "; ")
    }
  }

  /// The RTCM 3 frames that were forwarded.
  public struct Corrections: Equatable, Sendable {
    /// Frames by message type.
    public var counts: [Int: Int] = [:]
    /// Frames removed because the queue was full before the line was free.
    public var dropped = 0
    /// The source in use, or what its connection waits for; nil for a file and for an output.
    public var state: String?
    /// The frames that have arrived, by type, with stations.
    public var statistics = RTCM3Statistics()
    /// Time since the newest frame, seconds; nil before the first.
    public var ageSeconds: Double?
    /// Distance of the reference station from the receiver, metres; nil where it is not known.
    public var stationDistanceMetres: Double?
    /// Why no frames arrive now; nil without a fault.
    public var fault: String?
    /// How often the source was lost.
    public var interruptions = 0
    /// True after the end of the source.
    public var hasEnded = false

    /// Time since the newest message of a type, seconds.
    public func ageSeconds(of message: RTCM3Statistics.Message) -> Double? {
      guard let ageSeconds, let newest = statistics.newest else { return nil }
      return ageSeconds + newest.seconds(since: message.newest)
    }

    /// One line to display.
    public var text: String {
      var words = counts.sorted { $0.key < $1.key }.map { "\($0.key) \u{D7} \($0.value)" }
      if words.isEmpty { words = ["none yet"] }
      if let ageSeconds { words.append("newest \(String(ageSeconds, decimals: 1)) s ago") }
      if let station = statistics.station {
        let distance = stationDistanceMetres.map { " at \(String($0 / 1000, decimals: 1)) km" }
        words.append("station \(station)\(distance ?? "")")
      }
      if let state, fault == nil { words.append(state) }
      if dropped > 0 { words.append("\(dropped) too old") }
      if hasEnded { words.append("at its end") }
      if let fault { words.append(fault) }
      return words.joined(separator: ", ")
    }
  }
}

extension BoardStatus.Corrections {
  mutating func update(_ frames: CorrectionFrames, at now: Timestamp, _ place: GeodeticPosition?) {
    counts = frames.counts
    dropped = frames.dropped
    statistics = frames.statistics
    ageSeconds = statistics.newest.map { max(0, now.seconds(since: $0)) }
    stationDistanceMetres = place.flatMap { statistics.stationDistanceMetres(from: $0) }
  }
}

extension BoardStatus {
  /// The state in some words: the devices in service, then the troubles of the others.
  /// - Parameters:
  ///   - hasReceiver: Whether the source has positions, also of another kind than the board's
  ///     receiver.
  ///   - hasCompass: Whether the source has another compass, also on the receiver's line.
  /// - Returns: Words such as `magnetometer`, `receiver silent for 20 s`.
  public func words(hasReceiver: Bool, hasCompass: Bool) -> [String] {
    let fields = chips.filter(\.hasField)
    var words: [String] = []
    if fields.contains(where: { $0.fault == nil }) {
      words.append("magnetometer")
    } else if fields.isEmpty, !hasCompass {
      words.append("no magnetometer")
    }
    let hasModule = chips.contains { $0.hasOwnAttitude && $0.fault == nil }
    let compassTrouble = hasModule ? nil : compass.map(\.trouble) ?? receiverTrouble
    if hasCompass, compassTrouble == nil {
      words.append(compass?.headings == 0 ? "compass without data yet" : "another compass")
    }
    if hasReceiver, receiverTrouble == nil {
      // A source may have positions without a receiver, of Wi-Fi.
      let isAwaited = receiverPort != nil && receiverEpochs == 0
      words.append(isAwaited ? "receiver without data yet" : "receiver")
    } else if !hasReceiver {
      words.append("no receiver")
    }
    return words + troubles.map(\.text)
  }

  /// The devices that are not in service or unsteady.
  public var troubles: [DeviceTrouble] {
    let lines = dataReadyFaults.sorted { $0.key < $1.key }.map(\.value).joined(separator: "; ")
    var others = receivers.indices.flatMap { index in
      [
        trouble(ofReceiver: index), signalTrouble(ofReceiver: index),
        receivers[index].setUp?.trouble(
          named: deviceName(DeviceTrouble.setUp, ofReceiver: index)),
      ]
    }
    let faults = positionFaults.joined(separator: "; ")
    others.append(
      DeviceTrouble(
        DeviceTrouble.positions, state: faults.isEmpty ? nil : "of \(faults)",
        fault: faults.isEmpty ? nil : faults))
    others += compasses.indices.map { index in
      compasses[index].trouble(named: deviceName("compass", ofCompass: index))
    }
    others.append(
      DeviceTrouble("data-ready lines", state: lines.isEmpty ? nil : "lost", fault: lines))
    for (index, receiver) in receivers.enumerated() {
      others.append(
        DeviceTrouble(
          deviceName("pulse", ofReceiver: index), state: receiver.pulseFault.map { _ in "lost" },
          fault: receiver.pulseFault))
      others.append(
        DeviceTrouble(
          deviceName(DeviceTrouble.corrections, ofReceiver: index),
          state: receiver.corrections?.fault.map { _ in "lost" },
          fault: receiver.corrections?.fault))
    }
    return chips.compactMap(\.trouble) + others.compactMap { $0 }
  }

  /// The trouble of the receiver in use; nil while it is in service and steady.
  public var receiverTrouble: DeviceTrouble? {
    (receivers.firstIndex(where: \.isUsed) ?? receivers.indices.first).flatMap {
      trouble(ofReceiver: $0)
    }
  }

  /// What the receiver in use reports of trouble, for the outputs; nil without a receiver.
  public var receiverCondition: ReceiverCondition? {
    guard let receiver else { return nil }
    var condition = ReceiverCondition(receiver.signals)
    (condition.fixLoss, condition.hasFix) = (receiver.fixLoss, receiver.hasFix)
    condition.firstFix = receiver.firstFix
    if let corrections = receiver.corrections {
      var counts = ReceiverCondition.Corrections()
      (counts.bytes, counts.ageSeconds) = (corrections.statistics.bytes, corrections.ageSeconds)
      counts.messages = corrections.statistics.messages.mapValues(\.count)
      counts.interruptions = corrections.interruptions
      condition.corrections = counts
    }
    return condition
  }

  private func trouble(ofReceiver index: Int) -> DeviceTrouble? {
    let receiver = receivers[index]
    return Self.trouble(
      deviceName(DeviceTrouble.receiver, ofReceiver: index), receiver.fault, receiver.lack,
      receiver.unsteadiness)
  }

  /// What a receiver reports about its antenna and about interference; nil for no trouble.
  private func signalTrouble(ofReceiver index: Int) -> DeviceTrouble? {
    let words = receivers[index].signals.troubles.joined(separator: ", ")
    return DeviceTrouble(
      deviceName(DeviceTrouble.signals, ofReceiver: index), state: words.isEmpty ? nil : words,
      fault: words.isEmpty ? nil : "the receiver reports: \(words)")
  }

  fileprivate static func trouble(
    _ device: String, _ fault: String?, _ lack: Lack?, _ unsteadiness: Unsteadiness?
  ) -> DeviceTrouble? {
    DeviceTrouble(
      device, state: fault.map { _ in "lost" } ?? lack?.short, fault: fault ?? lack?.text,
      losses: unsteadiness)
  }
}

extension BoardStatus.Compass {
  /// Its trouble; nil while it is in service and steady.
  public var trouble: DeviceTrouble? { trouble(named: "compass") }

  fileprivate func trouble(named name: String) -> DeviceTrouble? {
    BoardStatus.trouble(name, fault, lack, unsteadiness)
  }
}

extension String {
  /// With the article: `the receiver`.
  var withArticle: String { "the \(self)" }
}
