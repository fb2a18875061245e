import Quantities

/// Finds the maker of a receiver, configures it in the maker's language, and restores it: returns
/// the next step, given the receiver's bytes.
///
/// The makers' questions are sent one after the other, in two rounds, until one is answered; a
/// receiver that answers none is not changed. There is no clock inside: instants come with the
/// calls. The caller calls `next` after all received bytes and at the instant of each `wait`.
public struct ReceiverSetup: Sendable {
  /// What to do next.
  public typealias Step = UBXSetup.Step

  /// What is done after the maker has been found.
  public enum Task: Equatable, Sendable {
    /// Applies the settings.
    case apply
    /// Reads every property.
    case read
    /// Restores the values that an earlier set-up found.
    case restore
    /// Saves the settings in use.
    case save
    /// Restores the maker's defaults, also those that are stored.
    case restoreFactoryDefaults
  }

  /// Time limits for the answer to a maker's question, ns: in the second round for a full, slow
  /// line.
  private static let questionTimeouts: [UInt64] = [700_000_000, 1_500_000_000]

  private enum State: Sendable {
    case searching(next: Int, deadline: Timestamp?)
    case ublox(UBXSetup)
    case other(DialectSetup)
    case unknown
  }

  private let settings: ReceiverSettings
  private let task: Task
  private let port: UBXPort
  private let speed: Int
  private let earlier: ReceiverOriginals
  private let earlierIdentity: String?
  private let makers: [ReceiverMaker]
  private var state = State.searching(next: 0, deadline: nil)
  private var frames = SetupFrameReader()
  private var hasBegunTask = false
  /// What the receiver is; nil before it has been found.
  public private(set) var identity: ReceiverIdentity?
  /// The version of a u-blox receiver; nil for another and before its answer.
  public private(set) var ubloxVersion: UBXVersion?

  /// Makes a set-up that begins with the first call of `next`.
  /// - Parameters:
  ///   - settings: The requested settings.
  ///   - task: What to do.
  ///   - port: The port of a u-blox receiver, used where it does not report it.
  ///   - speed: The present baud rate, bits per second.
  ///   - earlier: The values that an earlier set-up of the same receiver found.
  ///   - earlierIdentity: The text of the identity of that receiver; `earlier` is ignored for another
  ///     one. Nil where it is certainly the same.
  ///   - makers: The makers whose questions are sent.
  public init(
    _ settings: ReceiverSettings, task: Task = .apply, port: UBXPort, speed: Int,
    earlier: ReceiverOriginals = ReceiverOriginals(), earlierIdentity: String? = nil,
    makers: [ReceiverMaker] = ReceiverMaker.allCases
  ) {
    (self.settings, self.task, self.port) = (settings, task, port)
    (self.speed, self.earlier, self.makers) = (speed, earlier, makers)
    self.earlierIdentity = earlierIdentity
  }

  /// True while there is something to do.
  public var isBusy: Bool {
    switch state {
    case .searching: true
    case .ublox(let setup): setup.isBusy || needsTask
    case .other(let setup): setup.isBusy || needsTask
    case .unknown: false
    }
  }

  private var needsTask: Bool {
    !hasBegunTask && (task == .restore || task == .restoreFactoryDefaults)
  }

  /// True once the receiver has answered.
  public var hasAnswered: Bool { identity != nil }

  /// True once `check` found that the receiver no longer has the requested settings.
  public var hasLostSettings: Bool {
    switch state {
    case .ublox(let setup): setup.hasLostSettings
    case .other(let setup): setup.hasLostSettings
    case .searching, .unknown: false
    }
  }

  /// The values that an undo restores, for the next set-up of the same receiver.
  public var originals: ReceiverOriginals {
    var originals = ReceiverOriginals()
    switch state {
    case .ublox(let setup): originals.ublox = setup.originals
    case .other(let setup): originals.values = setup.originals
    case .searching, .unknown: return earlier
    }
    return originals
  }

  /// The values before the changes, also where those were saved, and those before the changes of
  /// earlier set-ups of the same receiver.
  public var replaced: ReceiverOriginals {
    var replaced = ReceiverOriginals()
    switch state {
    case .ublox(let setup): replaced.ublox = setup.replaced
    case .other(let setup): replaced.values = setup.replaced
    case .searching, .unknown: return replaced
    }
    if task == .apply, let earlier = earlierOfThisReceiver { replaced.add(earlier) }
    return replaced
  }

  /// What earlier set-ups found; nil for those of another receiver.
  private var earlierOfThisReceiver: ReceiverOriginals? {
    earlierIdentity == nil || earlierIdentity == identity?.text ? earlier : nil
  }

  /// The values that were read.
  public var values: [ReceiverValue] {
    switch state {
    case .ublox(let setup): setup.values
    case .other(let setup): setup.values
    case .searching, .unknown: []
    }
  }

  /// The result so far.
  public var report: ReceiverSetupReport {
    var report = ReceiverSetupReport()
    report.identity = identity
    switch state {
    case .searching: break
    case .unknown: report.isSilent = true
    case .ublox(let setup):
      report.add(setup.report, settings)
      // The settings that were read for it are no requests.
      if task == .restore { report.entries = [] }
    case .other(let setup):
      report.entries = setup.entries
      (report.saved, report.notRestored) = (setup.saved, setup.notRestored)
    }
    return report
  }

  /// The result of restoring the maker's defaults; nil before.
  public private(set) var factoryOutcome: ReceiverSetupReport.Outcome?

  /// Begins to restore the original values; saved settings stay.
  public mutating func undo() {
    frames = SetupFrameReader()
    switch state {
    case .ublox(var setup):
      setup.undo()
      state = .ublox(setup)
    case .other(var setup):
      setup.undo()
      state = .other(setup)
    case .searching, .unknown: state = .unknown
    }
  }

  /// Begins to check whether the receiver still has the requested settings.
  public mutating func check() {
    frames = SetupFrameReader()
    switch state {
    case .ublox(var setup):
      setup.check()
      state = .ublox(setup)
    case .other(var setup):
      setup.check()
      state = .other(setup)
    case .searching, .unknown: break
    }
  }

  /// What to do at an instant.
  public mutating func next(at now: Timestamp) -> Step {
    while true {
      switch state {
      case .searching(let next, let deadline):
        if let deadline, now < deadline { return .wait(until: deadline) }
        guard next < makers.count * Self.questionTimeouts.count else {
          state = .unknown
          return .rest
        }
        let limit = Self.questionTimeouts[next / makers.count]
        state = .searching(next: next + 1, deadline: now.advanced(byNanoseconds: limit))
        return .send(MakerQuestions.command(makers[next % makers.count]).bytes)
      case .ublox(var setup):
        let step = setup.next(at: now)
        state = .ublox(setup)
        guard step == .rest, needsTask else { return step }
        hasBegunTask = true
        guard task == .restore else {
          // CFG-CFG clears what is stored and loads the defaults; a receiver with another baud
          // rate then does not acknowledge it.
          factoryOutcome = .unconfirmed
          return .send(UBXCommand.restoreDefaults.bytes)
        }
        undo()
      case .other(var setup):
        let step = setup.next(at: now)
        if setup.factoryOutcome != nil { factoryOutcome = setup.factoryOutcome }
        state = .other(setup)
        guard step == .rest, needsTask else { return step }
        hasBegunTask = true
        if task == .restore {
          undo()
        } else {
          setup.restoreFactoryDefaults()
          state = .other(setup)
        }
      case .unknown: return .rest
      }
    }
  }

  /// Looks for answers in received bytes.
  public mutating func receive(_ bytes: UnsafeRawBufferPointer, at now: Timestamp) {
    guard isBusy else { return }
    var found: [SetupFrameReader.Frame] = []
    frames.push(bytes) { found.append($0) }
    for frame in found { receive(frame, at: now) }
  }

  private mutating func receive(_ frame: SetupFrameReader.Frame, at now: Timestamp) {
    switch state {
    case .searching:
      guard let identity = ReceiverIdentity(frame) else { return }
      self.identity = identity
      begin(identity)
    case .ublox(var setup):
      guard case .binary(.ubx, let bytes) = frame, bytes.count >= 8,
        let answer = UBXAnswer(
          UBXMessageName(bytes[2], bytes[3]), payload: Array(bytes[6..<bytes.count - 2]))
      else { return }
      if case .version(let version) = answer { ubloxVersion = version }
      setup.receive(answer, at: now)
      state = .ublox(setup)
    case .other(var setup):
      setup.receive(frame, at: now)
      state = .other(setup)
    case .unknown: break
    }
  }

  private mutating func begin(_ identity: ReceiverIdentity) {
    let earlier = earlierOfThisReceiver ?? ReceiverOriginals()
    let isRead = task == .read || task == .save || task == .restoreFactoryDefaults
    guard let dialect = AnyDialect(identity) else {
      var request = UBXSetupRequest(settings)
      if isRead { request = .everything }
      if task == .restore { request = UBXSetupRequest(restoring: earlier.ublox, speed: speed) }
      if task == .save { request.savesAll = true }
      state = .ublox(
        UBXSetup(
          request, port: port, speed: speed,
          earlier: task == .restore || task == .apply ? earlier.ublox : UBXOriginals()))
      return
    }
    var settings = self.settings
    if task == .restore {
      settings = ReceiverSettings()
      for value in earlier.values { settings.set(value) }
      settings.isSaved = earlier.values.contains { dialect.needsRestart($0.property) }
    }
    var setup = DialectSetup(
      dialect, settings, speed: speed,
      earlier: task == .apply ? earlier.values : [], readsAll: isRead)
    if task == .save { setup.savesAll = true }
    if task == .restore { hasBegunTask = true }
    state = .other(setup)
  }
}

extension ReceiverSetupReport {
  /// Adds the report of a u-blox receiver.
  fileprivate mutating func add(_ report: UBXSetupReport, _ settings: ReceiverSettings) {
    isSilent = report.isSilent
    saved = report.saved
    notRestored = report.notRestored.map { $0.title }
    for (setting, outcome) in report.outcomes {
      entries.append(
        Entry(
          title: setting.title, property: setting.property, value: Self.value(setting, settings),
          outcome: Outcome(outcome, setting)))
    }
  }

  private static func value(_ setting: UBXSetting, _ settings: ReceiverSettings) -> String? {
    func flag(_ isOn: Bool) -> String { isOn ? "on" : "off" }
    switch setting {
    case .message: return flag(settings.messages != .nmea)
    case .protocols: return flag(settings.messages != .ubx)
    case .sentence(let sentence): return flag(settings.sentences?.contains(sentence) ?? false)
    case .heading: return flag(settings.sendsHeading ?? false)
    case .baseMessages: return flag(settings.base != .rover)
    case .correction(UBXSetting.movingBase): return flag(settings.base == .moving)
    case .correction(UBXOlderTimeMode.place):
      return flag(settings.base != .rover && settings.base != .moving)
    case .correction: return flag(settings.base != .rover)
    case .corrections: return nil
    default:
      return settings.values.first { $0.property == setting.property }.map { $0.textWithUnit }
    }
  }
}

extension ReceiverSetupReport.Outcome {
  fileprivate init(_ outcome: UBXSetupReport.Outcome, _ setting: UBXSetting) {
    switch outcome {
    case .changed: self = .changed
    case .alreadySet: self = .alreadySet
    case .refused: self = .refused("")
    case .notRetained: self = .notRetained
    case .noAnswer: self = .noAnswer
    case .absent:
      self = .notSupported(
        setting == .baud ? "this port has none" : "only newer receivers have it")
    }
  }
}

extension UBXSetupRequest {
  /// The settings in u-blox' terms.
  public init(_ settings: ReceiverSettings) {
    self.init()
    rateHertz = settings.rateHertz
    (model, messages, sentences) = (settings.model, settings.messages, settings.sentences)
    (systems, maskDegrees, base) = (settings.systems, settings.maskDegrees, settings.base)
    (sendsHeading, takesCorrections) = (settings.sendsHeading, settings.takesCorrections)
    (baud, isSaved) = (settings.baud, settings.isSaved)
  }

  /// Reads every setting and changes none.
  static var everything: UBXSetupRequest {
    var request = UBXSetupRequest()
    (request.rateHertz, request.model, request.messages) = (1, .portable, .nmea)
    (request.sentences, request.systems, request.maskDegrees) = ([], [], 0)
    (request.base, request.sendsHeading, request.baud) = (.rover, false, 9600)
    request.isReadOnly = true
    return request
  }

  /// Reads the settings that have originals, for an undo.
  init(restoring originals: UBXOriginals, speed: Int) {
    self.init()
    isReadOnly = true
    let every = Self.everything
    for (setting, _) in originals.images {
      switch setting {
      case .rate: rateHertz = every.rateHertz
      case .model: model = every.model
      case .message, .protocols: messages = every.messages
      case .sentence: sentences = every.sentences
      case .systems: systems = every.systems
      case .mask: maskDegrees = every.maskDegrees
      case .base, .baseMessages, .correction: base = every.base
      case .heading: sendsHeading = every.sendsHeading
      case .corrections: takesCorrections = true
      case .baud: baud = speed
      }
    }
  }
}
