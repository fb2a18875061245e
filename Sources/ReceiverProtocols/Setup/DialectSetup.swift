import Quantities

/// Configures a receiver of another maker than u-blox and restores it, as `UBXSetup` does: reads
/// every property, writes those that differ, reads them back, saves where that is requested, and
/// changes the baud rate.
///
/// A baud rate is changed, followed and proved by a question; where the receiver is silent at the
/// new one, the host returns to the old one. A receiver that applies it, or another setting, only at
/// a restart is saved and restarted. There is no clock inside.
struct DialectSetup: Sendable {
  typealias Step = UBXSetup.Step
  typealias Outcome = ReceiverSetupReport.Outcome

  /// Time limit for an answer, ns; a full line of 9600 baud delays it.
  private static let answerTimeout: UInt64 = 1_500_000_000
  /// Time after the last line of an answer of several lines, ns.
  private static let lineTimeout: UInt64 = 400_000_000
  /// Duration of an observation of the output, ns: three solutions at 1 Hz.
  private static let observationTime: UInt64 = 3_300_000_000
  /// Time for a command to be sent and a new baud rate to take effect, ns.
  private static let settlingTime: UInt64 = 200_000_000
  private static let attempts = 3
  /// How many queries in a row may time out before the receiver counts as disconnected.
  private static let longestSilence = 2

  private enum Purpose: Equatable, Sendable {
    case read(Int), write(Int), verify(Int), undo(Int), check(Int)
    /// A question at the new baud rate, or at the old one after a failure.
    case prove(Int, isUndoing: Bool)
    case proveOld
    case save, restart, factory
  }

  private enum Job: Equatable, Sendable {
    case commands(Purpose)
    case observe(isVerifying: Bool)
    case settle
    case changeSpeed(Int)
  }

  private struct Item: Sendable {
    let property: ReceiverProperty
    let wanted: ReceiverValue?
    var original: ReceiverValue?
    var current: ReceiverValue?
    var isTouched = false
    var outcome: Outcome?
  }

  /// The commands of a job, and the one that waits for its answer.
  private struct Pending: Sendable {
    var purpose: Purpose
    var commands: ArraySlice<DialectCommand>
    var deadline: Timestamp
    var sent = 1
    var isAnswered = false
  }

  private var dialect: AnyDialect
  private var items: [Item]
  private var jobs: [Job] = []
  private var pending: Pending?
  private var pause: Timestamp?
  private var observing: (isVerifying: Bool, until: Timestamp)?
  private var observation = OutputObservation()
  /// The output before any change, and the requested one where it is requested.
  private var output = OutputObservation()
  private var planned = OutputObservation()
  private let isSaved: Bool
  private let isReadOnly: Bool
  private let speed: Int
  private var silences = 0
  private(set) var saved: UBXSetupReport.Saved?
  private(set) var notRestored: [String] = []
  private(set) var hasLostSettings = false
  /// True to save the settings in use after they have been read.
  var savesAll = false
  /// The result of restoring the maker's defaults; nil before.
  private(set) var factoryOutcome: Outcome?

  /// - Parameters:
  ///   - dialect: The receiver's language.
  ///   - settings: The requested settings.
  ///   - speed: The present baud rate.
  ///   - earlier: The values before an earlier set-up of the same receiver.
  ///   - readsAll: True to read every property and to change nothing.
  init(
    _ dialect: AnyDialect, _ settings: ReceiverSettings, speed: Int, earlier: [ReceiverValue],
    readsAll: Bool
  ) {
    (self.dialect, self.speed, isReadOnly) = (dialect, speed, readsAll)
    isSaved = settings.isSaved && !readsAll
    let wanted = readsAll ? [] : settings.values
    let properties = readsAll ? ReceiverProperty.allCases : wanted.map { $0.property }
    items = properties.map { property in
      Item(property: property, wanted: wanted.first { $0.property == property })
    }
    for index in items.indices {
      guard let before = earlier.first(where: { $0.property == items[index].property }) else {
        continue
      }
      (items[index].original, items[index].isTouched) = (before, true)
    }
    jobs = items.indices.map { .commands(.read($0)) }
    if items.contains(where: { dialect.observes($0.property) }) {
      jobs.append(.observe(isVerifying: false))
    }
  }

  var isBusy: Bool { pending != nil || pause != nil || observing != nil || !jobs.isEmpty }

  var originals: [ReceiverValue] { saved == .flash ? [] : replaced }

  /// The values before the changes, also where those were saved.
  var replaced: [ReceiverValue] { items.filter { $0.isTouched }.compactMap { $0.original } }

  var values: [ReceiverValue] { items.compactMap { $0.current } }

  var entries: [ReceiverSetupReport.Entry] {
    items.compactMap { item in
      guard let wanted = item.wanted, let outcome = item.outcome else { return nil }
      return ReceiverSetupReport.Entry(
        title: item.property.title, property: item.property, value: wanted.textWithUnit,
        outcome: outcome)
    }
  }

  // MARK: What to do

  mutating func undo() {
    // A late answer to the pending command must not count as one to the undo.
    let wasBusy = pending != nil
    var first: [Job] = wasBusy ? [.settle] : []
    for job in jobs {
      if case .changeSpeed(let new) = job { first = [.settle, .changeSpeed(new), .settle] }
    }
    (pending, pause, observing, jobs) = (nil, nil, nil, [])
    guard saved != .flash else { return }
    jobs = first
    var last: [Job] = []
    for index in items.indices.reversed() where items[index].isTouched {
      guard items[index].original != nil else { continue }
      if items[index].property == .baud {
        last = [.commands(.undo(index))]
      } else {
        jobs.append(.commands(.undo(index)))
      }
    }
    jobs += last
  }

  mutating func check() {
    guard !isBusy else { return }
    let index = items.firstIndex {
      $0.isTouched && $0.outcome?.isSet == true && $0.property != .baud
        && !dialect.queries(for: $0.property).isEmpty
    }
    if let index { jobs = [.commands(.check(index))] }
  }

  /// Begins to restore the maker's defaults.
  mutating func restoreFactoryDefaults() { jobs = [.commands(.factory)] }

  mutating func next(at now: Timestamp) -> Step {
    while true {
      if let until = pause {
        guard now >= until else { return .wait(until: until) }
        pause = nil
      }
      if let observing {
        guard now >= observing.until else { return .wait(until: observing.until) }
        self.observing = nil
        concludeObservation(isVerifying: observing.isVerifying)
      }
      if pending != nil {
        if let step = proceed(at: now) { return step }
        continue
      }
      guard !jobs.isEmpty else { return .rest }
      switch jobs.removeFirst() {
      case .settle: pause = now.advanced(byNanoseconds: Self.settlingTime)
      case .changeSpeed(let speed): return .changeSpeed(speed)
      case .observe(let isVerifying):
        observation = OutputObservation()
        observing = (isVerifying, now.advanced(byNanoseconds: Self.observationTime))
      case .commands(let purpose):
        let commands = commands(of: purpose)
        guard let first = commands.first else {
          conclude(purpose, .nothing)
          continue
        }
        return send(first, commands[...], purpose, at: now)
      }
    }
  }

  private mutating func send(
    _ command: DialectCommand, _ commands: ArraySlice<DialectCommand>, _ purpose: Purpose,
    at now: Timestamp
  ) -> Step {
    var deadline = now.advanced(byNanoseconds: Self.answerTimeout)
    if case .none(let wait) = command.answer { deadline = now.advanced(byNanoseconds: wait) }
    pending = Pending(purpose: purpose, commands: commands, deadline: deadline)
    return .send(command.bytes)
  }

  /// At the deadline of the pending command: the next attempt, the next command, or the end.
  private mutating func proceed(at now: Timestamp) -> Step? {
    guard let waiting = pending, let command = waiting.commands.first else {
      pending = nil
      return nil
    }
    guard now >= waiting.deadline else { return .wait(until: waiting.deadline) }
    if case .none = command.answer { return advance(.done, at: now) }
    if waiting.isAnswered { return advance(.done, at: now) }
    guard waiting.sent < attempts(for: waiting.purpose) else { return advance(.timedOut, at: now) }
    pending?.sent += 1
    pending?.deadline = now.advanced(byNanoseconds: Self.answerTimeout)
    return .send(command.bytes)
  }

  /// A new baud rate is sent once: the answer may come at the new one.
  private func attempts(for purpose: Purpose) -> Int {
    switch purpose {
    case .write(let index), .undo(let index): items[index].property == .baud ? 1 : Self.attempts
    default: Self.attempts
    }
  }

  private enum Result: Equatable, Sendable {
    case done
    case refused(String)
    case timedOut
    /// There was no command.
    case nothing
  }

  /// Concludes the pending command; the next one follows unless it failed.
  private mutating func advance(_ result: Result, at now: Timestamp) -> Step? {
    guard let waiting = pending, let command = waiting.commands.first else { return nil }
    pending = nil
    silences = result == .timedOut ? silences + 1 : 0
    var result = result
    if case .refused = result, command.isOptional { result = .done }
    guard result == .done else {
      conclude(waiting.purpose, result)
      return nil
    }
    let rest = waiting.commands.dropFirst()
    guard let next = rest.first else {
      conclude(waiting.purpose, .done)
      return nil
    }
    return send(next, rest, waiting.purpose, at: now)
  }

  mutating func receive(_ frame: SetupFrameReader.Frame, at now: Timestamp) {
    if observing != nil, case .line(let line) = frame { observation.add(line, at: now) }
    guard let reply = dialect.receive(frame), let command = pending?.commands.first else { return }
    let key: [UInt8]
    switch reply {
    case .acknowledged(let named), .refused(let named, _), .answered(let named): key = named
    }
    guard !key.isEmpty, command.key.starts(with: key) else { return }
    switch reply {
    case .refused(_, let reason): finish(.refused(reason), at: now)
    case .answered: finish(.done, at: now)
    case .acknowledged:
      switch command.answer {
      case .acknowledgement: finish(.done, at: now)
      case .lines:
        pending?.isAnswered = true
        pending?.deadline = now.advanced(byNanoseconds: Self.lineTimeout)
      case .value, .none: break
      }
    }
  }

  /// Concludes the pending command on its answer; the next command is sent by `next`.
  private mutating func finish(_ result: Result, at now: Timestamp) {
    if case .refused(let reason) = result, pending?.commands.first?.isOptional != true {
      guard let waiting = pending else { return }
      pending = nil
      silences = 0
      conclude(waiting.purpose, .refused(reason))
      return
    }
    // The deadline is now: `next` proceeds to the next command.
    pending?.isAnswered = true
    pending?.deadline = now
  }

  // MARK: Jobs

  private func commands(of purpose: Purpose) -> [DialectCommand] {
    switch purpose {
    case .read(let index), .verify(let index), .check(let index):
      return dialect.queries(for: items[index].property)
    case .write(let index):
      guard let wanted = items[index].wanted else { return [] }
      return dialect.commands(for: wanted, planned)
    case .undo(let index):
      guard let original = items[index].original else { return [] }
      return dialect.commands(for: original, output)
    case .prove, .proveOld: return [dialect.question]
    case .save: return dialect.saving
    case .restart: return dialect.restart
    case .factory: return dialect.factoryDefaults
    }
  }

  private mutating func conclude(_ purpose: Purpose, _ result: Result) {
    switch purpose {
    case .read(let index): concludeReading(index, result)
    case .write(let index): concludeWriting(index, result)
    case .verify(let index):
      items[index].current = dialect.values[items[index].property]
      if result != .done { items[index].current = nil }
      items[index].outcome =
        result != .done ? .noAnswer : isSatisfied(index) ? .changed : .notRetained
    case .check(let index):
      items[index].current = dialect.values[items[index].property]
      if result != .done || !isSatisfied(index) { hasLostSettings = true }
    case .undo(let index): concludeUndo(index, result)
    case .prove(let index, let isUndoing): concludeProof(index, result, isUndoing)
    case .proveOld, .restart: break
    case .save:
      saved = result == .done ? .flash : .nowhere
      let isPending = items.contains {
        $0.outcome == .changed && dialect.needsRestart($0.property)
      }
      if isPending, saved == .flash {
        jobs = [.commands(.restart), .commands(.proveOld)] + jobs
      }
    case .factory:
      factoryOutcome =
        switch result {
        case .done: .unconfirmed
        case .refused(let reason): .refused(reason)
        case .timedOut: .noAnswer
        case .nothing: .notSupported("the maker has no command for it")
        }
    }
  }

  private func isSatisfied(_ index: Int) -> Bool {
    guard let wanted = items[index].wanted, let current = items[index].current else { return false }
    // Two models that are the same to the receiver have the same commands.
    let commands = dialect.commands(for: wanted, planned)
    return current.satisfies(wanted)
      || !commands.isEmpty && dialect.commands(for: current, planned) == commands
  }

  private mutating func concludeReading(_ index: Int, _ result: Result) {
    let property = items[index].property
    switch result {
    case .done: items[index].current = dialect.values[property]
    case .refused(let reason): items[index].outcome = .refused(reason)
    case .timedOut:
      items[index].outcome = .noAnswer
      if silences >= Self.longestSilence { abandon() }
    case .nothing: break
    }
    if property == .baud { items[index].current = .baud(speed) }
    if property == .messages { items[index].current = .messages(.nmea) }
    planIfRead()
  }

  /// The receiver is disconnected: the other queries would time out too.
  private mutating func abandon() {
    for index in items.indices where items[index].outcome == nil {
      items[index].outcome = .noAnswer
    }
    jobs = []
  }

  private mutating func concludeObservation(isVerifying: Bool) {
    if !isVerifying {
      output = observation
      planned = observation
      for item in items {
        if case .rate(let hertz) = item.wanted { planned.plannedRateHertz = hertz }
        if case .sentences(let sentences) = item.wanted { planned.plannedSentences = sentences }
      }
    }
    for index in items.indices where dialect.observes(items[index].property) {
      let value: ReceiverValue?
      switch items[index].property {
      case .sentences: value = .sentences(observation.sentences)
      case .heading: value = .heading(observation.hasHeading)
      case .rate: value = observation.rateHertz.map { .rate(nominal($0, index)) }
      default: value = nil
      }
      items[index].current = value
      if isVerifying, items[index].outcome == .unconfirmed {
        items[index].outcome = isSatisfied(index) ? .changed : .notRetained
      }
    }
    if !isVerifying { planIfRead() }
  }

  /// The nominal rate of an observed one: the requested rate if it differs by less than a sixth,
  /// else the nearest whole number.
  private func nominal(_ hertz: Double, _ index: Int) -> Double {
    if case .rate(let wanted) = items[index].wanted, abs(hertz / wanted - 1) < 1.0 / 6 {
      return wanted
    }
    return hertz < 0.75 ? hertz : hertz.rounded()
  }

  /// Plans the writes after the last property has been read.
  private mutating func planIfRead() {
    guard jobs.isEmpty else { return }
    guard !isReadOnly else {
      if savesAll { jobs = [.commands(.save)] }
      return
    }
    var (writes, verifications, last): ([Job], [Job], [Job]) = ([], [], [])
    var isObserved = false
    for index in items.indices {
      guard let wanted = items[index].wanted, items[index].outcome == nil else { continue }
      if items[index].original == nil { items[index].original = items[index].current }
      // What the receiver has already needs neither saving nor a restart.
      let isPresent = items[index].current?.satisfies(wanted) ?? false
      if !isPresent, let obstacle = dialect.obstacle(to: wanted, isSaved: isSaved) {
        items[index].outcome = .notSupported(obstacle)
      } else if isSatisfied(index) {
        items[index].outcome = .alreadySet
      } else if items[index].property == .baud {
        last = [.commands(.write(index))]
      } else {
        writes.append(.commands(.write(index)))
        if dialect.observes(items[index].property) {
          isObserved = true
        } else if !dialect.queries(for: items[index].property).isEmpty {
          verifications.append(.commands(.verify(index)))
        }
      }
    }
    jobs = writes + verifications
    if isObserved { jobs += [.settle, .observe(isVerifying: true)] }
    jobs += last
    if isSaved, silences < Self.longestSilence { jobs.append(.commands(.save)) }
  }

  private mutating func concludeWriting(_ index: Int, _ result: Result) {
    switch result {
    case .timedOut where items[index].property == .baud: fallthrough
    case .done:
      items[index].isTouched = true
      // The read-back replaces it.
      items[index].outcome = .unconfirmed
      items[index].current = nil
    case .refused(let reason):
      items[index].outcome = .refused(reason)
      jobs.removeAll { $0 == .commands(.verify(index)) }
      return
    case .timedOut:
      // It may have been taken.
      items[index].isTouched = true
      items[index].outcome = .noAnswer
      return
    case .nothing:
      items[index].outcome = .notSupported("the receiver sends no sentence; set 'sentences' too")
      return
    }
    guard case .baud(let new) = items[index].wanted else { return }
    items[index].outcome = nil
    let follow: [Job] = [
      .settle, .changeSpeed(new), .settle, .commands(.prove(index, isUndoing: false)),
    ]
    if dialect.changesBaudAtRestart {
      // After saving, which is the last job.
      jobs += [.commands(.restart)] + follow
    } else {
      jobs = follow + jobs
    }
  }

  private mutating func concludeProof(_ index: Int, _ result: Result, _ isUndoing: Bool) {
    guard !isUndoing else {
      if result == .done {
        items[index].isTouched = false
      } else {
        notRestored.append(items[index].property.title)
      }
      return
    }
    guard result == .done else {
      // No answer at the new baud rate: the host returns to the old one.
      items[index].outcome = .noAnswer
      items[index].isTouched = false
      jobs = [.changeSpeed(speed), .settle, .commands(.proveOld)] + jobs
      return
    }
    items[index].outcome = .changed
    items[index].current = items[index].wanted
  }

  private mutating func concludeUndo(_ index: Int, _ result: Result) {
    switch result {
    case .timedOut where items[index].property == .baud: fallthrough
    case .done:
      if case .baud(let old) = items[index].original {
        jobs = [.settle, .changeSpeed(old), .settle, .commands(.prove(index, isUndoing: true))]
      } else {
        items[index].isTouched = false
      }
    case .refused, .nothing: notRestored.append(items[index].property.title)
    case .timedOut:
      for item in items where item.isTouched { notRestored.append(item.property.title) }
      jobs = []
    }
  }
}
