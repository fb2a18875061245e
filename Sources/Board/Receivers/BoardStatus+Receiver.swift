import Corrections
import Quantities
import ReceiverProtocols

extension BoardStatus {
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
    var trouble: DeviceTrouble? {
      let isComplete = receiver != nil && refused.isEmpty && saved != Self.notSaved
      return DeviceTrouble(
        DeviceTrouble.setUp, state: isComplete ? nil : "incomplete", fault: isComplete ? nil : text)
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

  /// Its trouble; nil while messages come, and before the first attempt has ended.
  package var trouble: DeviceTrouble? {
    DeviceTrouble(
      DeviceTrouble.corrections, state: fault.map { _ in "lost" }, fault: fault)
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
    let others = [
      receiverTrouble, signalTrouble, receiverSetUp?.trouble, compass?.trouble,
      DeviceTrouble("data-ready lines", state: lines.isEmpty ? nil : "lost", fault: lines),
      DeviceTrouble("pulse", state: pulseFault.map { _ in "lost" }, fault: pulseFault),
      corrections?.trouble,
    ]
    return chips.compactMap(\.trouble) + others.compactMap { $0 }
  }

  /// The receiver's trouble; nil while it is in service and steady.
  public var receiverTrouble: DeviceTrouble? {
    Self.trouble(DeviceTrouble.receiver, receiverFault, receiverLack, receiverUnsteadiness)
  }

  /// What the receiver reports of trouble, for the outputs; nil without a receiver.
  public var receiverCondition: ReceiverCondition? {
    guard receiverPort != nil else { return nil }
    var condition = ReceiverCondition(receiverSignals)
    (condition.fixLoss, condition.hasFix) = (fixLoss, hasReceiverFix)
    condition.firstFix = firstFix
    return condition
  }

  /// What the receiver reports about its antenna and about interference; nil for no trouble.
  private var signalTrouble: DeviceTrouble? {
    let words = receiverSignals.troubles.joined(separator: ", ")
    return DeviceTrouble(
      DeviceTrouble.signals, state: words.isEmpty ? nil : words,
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
  public var trouble: DeviceTrouble? {
    BoardStatus.trouble("compass", fault, lack, unsteadiness)
  }
}
