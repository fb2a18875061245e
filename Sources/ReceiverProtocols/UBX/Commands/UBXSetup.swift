import Quantities

/// Configures a u-blox receiver and restores it: returns the next command, given the receiver's
/// answers.
///
/// The order is: poll the version (a receiver that does not answer is not changed), poll the number
/// of the port, read every setting, write those that differ, read them back, change the baud rate
/// last, save where that is requested. A command without an answer is sent again. A refused setting
/// is reported and the others continue. `undo` writes back the values that were read. There is no
/// clock inside: instants come with the calls. The caller calls `next` after every answer and at
/// the instant of each `wait`.
///
/// - Source: for the answer within a second, ZED-F9P interface description, UBX-18010854 R04,
///   UBX-ACK. The rest in `UBXCommand`.
public struct UBXSetup: Sendable {
  /// What to do next.
  public enum Step: Equatable, Sendable {
    /// Send these bytes.
    case send([UInt8])
    /// Wait for an answer, at most until this instant.
    case wait(until: Timestamp)
    /// Set the baud rate of the host's port, bits per second, after all bytes have been sent.
    case changeSpeed(Int)
    /// Nothing is left to do.
    case rest
  }

  /// Time limit for an answer, ns: a second by the description, half a second more for a slow, full
  /// line.
  private static var answerTimeout: UInt64 { 1_500_000_000 }
  /// Time limit for the acknowledgement after an answer, ns; older receivers omit some.
  private static var acknowledgementTimeout: UInt64 { 250_000_000 }
  /// Time for a command to be sent and a new baud rate to take effect, ns: 36 bytes at 4800 baud
  /// take 75 ms.
  private static var settlingTime: UInt64 { 200_000_000 }
  /// How often a command is sent before it counts as unanswered.
  private static var attempts: Int { 3 }

  private enum Job: Equatable, Sendable {
    case identify, locate
    case read(Int), write(Int), verify(Int)
    /// A change of the baud rate: at the receiver, at the host, a pause, and a read-back.
    case writeSpeed(Int, isUndoing: Bool)
    case changeSpeed(Int)
    case settle
    case verifySpeed(Int, isUndoing: Bool)
    case save(UBXCommand.Layers)
    case undo(Int)
    case check(Int)

    /// True for a poll, false for a command that writes.
    var isPoll: Bool {
      switch self {
      case .identify, .locate, .read, .verify, .verifySpeed, .check: true
      case .write, .writeSpeed, .changeSpeed, .settle, .save, .undo: false
      }
    }
  }

  /// A command that was sent and is not yet concluded.
  private struct Pending: Sendable {
    var job: Job
    var command: UBXCommand?
    var deadline: Timestamp
    var sent = 1
    var isAnswered = false
    var isAcknowledged = false
  }

  private enum Result: Sendable { case done, refused, timedOut }

  private let request: UBXSetupRequest
  private var port: UBXPort
  private var items: [UBXSetupItem] = []
  private var jobs: [Job]
  private var pending: Pending?
  private var earlier: UBXOriginals
  /// The baud rate of the host's port when the set-up began.
  private var speed: Int
  /// True once `check` found that the receiver no longer has the requested settings.
  public private(set) var hasLostSettings = false
  /// The result so far.
  public private(set) var report = UBXSetupReport()

  /// Makes a set-up that begins with the first call of `next`.
  /// - Parameters:
  ///   - request: The requested settings.
  ///   - port: The receiver's port, used where the receiver does not report it.
  ///   - speed: The present baud rate, bits per second.
  ///   - earlier: The original values that an earlier set-up of the same receiver found. A receiver
  ///     that has stored its settings would otherwise report the requested values as its originals.
  public init(
    _ request: UBXSetupRequest, port: UBXPort, speed: Int, earlier: UBXOriginals = UBXOriginals()
  ) {
    self.request = request
    self.port = port
    self.speed = speed
    self.earlier = earlier
    jobs = [.identify]
  }

  /// True while there is something to do.
  public var isBusy: Bool { pending != nil || !jobs.isEmpty }

  /// The values that an undo restores, for the next set-up of the same receiver.
  public var originals: UBXOriginals { isSaved ? UBXOriginals() : replaced }

  /// The values before the changes, also where those were saved.
  var replaced: UBXOriginals {
    var originals = UBXOriginals()
    for item in items where item.isTouched {
      if let original = item.original { originals[item.setting] = original }
    }
    return originals
  }

  /// The values that were read, in the terms of all makers.
  public var values: [ReceiverValue] { UBXSetupItem.values(items, on: port) }

  private var isSaved: Bool {
    switch report.saved {
    case .flash, .batteryBacked: true
    case .nowhere, nil: false
    }
  }

  /// Cancels what is in progress and begins to restore the original values; saved settings stay.
  public mutating func undo() {
    // A late answer to the pending command must not count as an answer to the undo.
    var first: [Job] = pending == nil ? [] : [.settle]
    pending = nil
    // Where the receiver already has a new baud rate, the host changes to it: no other reaches it.
    for job in jobs {
      if case .changeSpeed(let speed) = job { first = [.settle, .changeSpeed(speed), .settle] }
    }
    jobs = []
    guard !isSaved else { return }
    jobs = first
    var speedJobs: [Job] = []
    for index in items.indices.reversed() where items[index].isTouched {
      guard items[index].original != nil else { continue }
      if items[index].setting == .baud {
        speedJobs = [.writeSpeed(index, isUndoing: true)]
      } else {
        jobs.append(.undo(index))
      }
    }
    // The baud rate comes last, so that its failure does not affect the other settings.
    jobs += speedJobs
  }

  /// Begins to check whether the receiver still has the requested settings; read `hasLostSettings`
  /// when `next` returns `rest`.
  public mutating func check() {
    guard !isBusy else { return }
    if let index = items.firstIndex(where: { $0.isTouched && $0.setting != .baud }) {
      jobs = [.check(index)]
    } else if let index = items.firstIndex(where: { $0.isTouched }) {
      jobs = [.check(index)]
    }
  }

  /// What to do at an instant.
  public mutating func next(at now: Timestamp) -> Step {
    while true {
      if let waiting = pending {
        guard now >= waiting.deadline else { return .wait(until: waiting.deadline) }
        if waiting.job == .settle {
          pending = nil
          continue
        }
        if waiting.isAnswered {
          finish(waiting.job, .done)
        } else if let command = waiting.command, waiting.sent < Self.attempts(for: waiting.job) {
          pending?.sent += 1
          pending?.deadline = now.advanced(byNanoseconds: Self.answerTimeout)
          return .send(command.bytes)
        } else {
          finish(waiting.job, .timedOut)
        }
        continue
      }
      guard !jobs.isEmpty else { return .rest }
      if let step = begin(jobs.removeFirst(), at: now) { return step }
    }
  }

  private static func attempts(for job: Job) -> Int {
    switch job {
    // An undo delays the end of the service.
    case .undo, .verifySpeed(_, isUndoing: true): 2
    // The following jobs can do without the port's number.
    case .locate: 2
    default: attempts
    }
  }

  /// Processes an answer of the receiver. Answers that do not belong to the pending command are
  /// ignored.
  public mutating func receive(_ answer: UBXAnswer, at now: Timestamp) {
    guard let waiting = pending, let command = waiting.command else { return }
    switch answer {
    case .acknowledged(let name):
      guard name == command.name else { return }
      pending?.isAcknowledged = true
      // A poll is complete only with its answer.
      if waiting.isAnswered || !waiting.job.isPoll { finish(waiting.job, .done) }
    case .refused(let name):
      guard name == command.name else { return }
      finish(waiting.job, .refused)
    case .version(let version):
      guard waiting.job == .identify else { return }
      report.version = version
      finish(waiting.job, .done)
    case .configuration(let name, let payload):
      guard name == command.name, !waiting.isAnswered, accept(payload, for: waiting.job) else {
        return
      }
      pending?.isAnswered = true
      if waiting.isAcknowledged {
        finish(waiting.job, .done)
      } else {
        // Its acknowledgement follows and must not count as that of the next command.
        pending?.deadline = now.advanced(byNanoseconds: Self.acknowledgementTimeout)
      }
    }
  }

  /// Removes the pending command and plans what follows.
  private mutating func finish(_ job: Job, _ result: Result) {
    pending = nil
    conclude(job, result)
  }

  // MARK: Commands

  /// Begins a job.
  /// - Returns: nil where the job needs no step.
  private mutating func begin(_ job: Job, at now: Timestamp) -> Step? {
    switch job {
    case .identify: return send(.askVersion, for: job, at: now)
    case .locate: return send(.askPort, for: job, at: now)
    case .read(let index), .verify(let index), .verifySpeed(let index, _), .check(let index):
      guard let poll = items[index].poll else { return nil }
      return send(poll, for: job, at: now)
    case .write(let index):
      guard let wanted = items[index].wanted, let command = items[index].command(writing: wanted)
      else { return nil }
      items[index].isTouched = true
      return send(command, for: job, at: now)
    case .undo(let index):
      guard let original = items[index].original,
        let command = items[index].command(writing: original)
      else { return nil }
      return send(command, for: job, at: now)
    case .writeSpeed(let index, let isUndoing):
      guard let image = isUndoing ? items[index].original : items[index].wanted,
        let command = items[index].command(writing: image), let new = UBXSetupItem.speed(image)
      else { return nil }
      items[index].isTouched = true
      // The acknowledgement may come at the old or the new baud rate, so there is no wait for it.
      // Bytes that are buffered in an adapter must be sent before the host's baud rate changes.
      let verification = Job.verifySpeed(index, isUndoing: isUndoing)
      jobs = [.settle, .changeSpeed(new), .settle, verification] + jobs
      storePortMessage(command)
      return .send(command.bytes)
    case .changeSpeed(let new): return .changeSpeed(new)
    case .settle:
      pending = Pending(
        job: .settle, command: nil, deadline: now.advanced(byNanoseconds: Self.settlingTime))
      return nil
    case .save(let layers):
      guard let command = saveCommand(in: layers) else {
        report.saved = .nowhere
        return nil
      }
      return send(command, for: job, at: now)
    }
  }

  private mutating func send(_ command: UBXCommand, for job: Job, at now: Timestamp) -> Step {
    pending = Pending(
      job: job, command: command, deadline: now.advanced(byNanoseconds: Self.answerTimeout))
    if !job.isPoll { storePortMessage(command) }
    return .send(command.bytes)
  }

  /// Several settings of older receivers share CFG-PRT: a write of one must carry the last value of
  /// the others.
  private mutating func storePortMessage(_ command: UBXCommand) {
    guard command.name == .port else { return }
    storePortMessage(command.payload)
  }

  private mutating func storePortMessage(_ payload: [UInt8]) {
    for index in items.indices where items[index].form.name == .port {
      items[index].message = payload
    }
  }

  /// One command that saves all settings that were written.
  private func saveCommand(in layers: UBXCommand.Layers) -> UBXCommand? {
    guard report.version?.hasValues == true else {
      return .save(to: layers.contains(.flash) ? [.batteryBacked, .flash] : [.batteryBacked])
    }
    var pairs: [(key: UBXConfigurationKey, value: UInt64)] = []
    for item in items {
      // Refused settings are left out.
      guard let current = item.current, request.savesAll || current == item.wanted else { continue }
      pairs += item.pairs(current) ?? []
    }
    return pairs.isEmpty ? nil : .set(pairs, in: layers)
  }

  // MARK: Answers

  /// Reads a payload as the answer to a job's poll; false where it is not one.
  private mutating func accept(_ payload: [UInt8], for job: Job) -> Bool {
    switch job {
    case .locate:
      guard let first = payload.first, let own = UBXPort(rawValue: first) else { return false }
      port = own
      return true
    case .read(let index), .verify(let index), .verifySpeed(let index, _), .check(let index):
      guard items[index].read(payload) else { return false }
      if items[index].form.name == .port { storePortMessage(payload) }
      return true
    default: return false
    }
  }

  /// Reports the result of a job and plans the jobs that follow from it.
  private mutating func conclude(_ job: Job, _ result: Result) {
    switch job {
    case .identify:
      guard result == .done else {
        report.isSilent = true
        jobs = []
        return
      }
      jobs = [.locate]
    case .locate:
      items = UBXSetupItem.items(
        request, hasValues: report.version?.hasValues == true, module: report.version?.module,
        on: port)
      for setting in request.settings where !items.contains(where: { $0.setting == setting }) {
        report.record(.absent, of: setting)
      }
      jobs = items.indices.map { .read($0) }
    case .read(let index): concludeReading(index, result)
    // The read-back decides whether the value was taken; a refusal is final.
    case .write(let index):
      if result == .refused {
        items[index].isTouched = false
        report.record(.refused, of: items[index].setting)
        jobs.removeAll { $0 == .verify(index) }
      }
    case .verify(let index):
      let item = items[index]
      let outcome: UBXSetupReport.Outcome =
        result != .done ? .noAnswer : item.current == item.wanted ? .changed : .notRetained
      report.record(outcome, of: item.setting)
    case .verifySpeed(let index, let isUndoing): concludeSpeed(index, result, isUndoing)
    case .save(let layers):
      switch result {
      case .done: report.saved = layers.contains(.flash) ? .flash : .batteryBacked
      // A receiver without flash refuses the whole command.
      case .refused where layers.contains(.flash): jobs = [.save([.batteryBacked])]
      default: report.saved = .nowhere
      }
    case .undo(let index):
      switch result {
      case .done: items[index].isTouched = false
      case .refused: report.notRestored.append(items[index].setting)
      case .timedOut:
        // The receiver is disconnected: the other commands would time out too.
        for other in items where other.isTouched { report.notRestored.append(other.setting) }
        jobs = []
      }
    case .check(let index):
      let item = items[index]
      if result != .done || item.current != item.wanted { hasLostSettings = true }
    case .writeSpeed, .changeSpeed, .settle: break
    }
  }

  private mutating func concludeReading(_ index: Int, _ result: Result) {
    let setting = items[index].setting
    switch result {
    case .refused: report.record(.refused, of: setting)
    case .timedOut: report.record(.noAnswer, of: setting)
    case .done:
      items[index].original = items[index].current
      // The receiver still has the value of an earlier set-up: an undo restores the value before
      // that.
      if let before = earlier[setting], before != items[index].current {
        items[index].original = before
        items[index].isTouched = true
      }
      if !items[index].missingSystems.isEmpty {
        // The others would be changed without those.
        report.record(.refused, of: setting)
        items[index].current = nil
        break
      }
      guard items[index].current == items[index].wanted else { break }
      report.record(.alreadySet, of: setting)
    }
    if jobs.isEmpty { planChanges() }
  }

  /// Plans, after all settings have been read, the writes of those that differ and their read-back.
  private mutating func planChanges() {
    guard !request.isReadOnly else {
      jobs = request.savesAll ? [.save([.batteryBacked, .flash])] : []
      return
    }
    var changes: [Job] = []
    var verifications: [Job] = []
    var speedJobs: [Job] = []
    for index in items.indices {
      guard let current = items[index].current, current != items[index].wanted else { continue }
      if items[index].setting == .baud {
        speedJobs = [.writeSpeed(index, isUndoing: false)]
      } else {
        changes.append(.write(index))
        verifications.append(.verify(index))
      }
    }
    jobs = changes + verifications + speedJobs
    if request.isSaved { jobs.append(.save([.ram, .batteryBacked, .flash])) }
  }

  private mutating func concludeSpeed(_ index: Int, _ result: Result, _ isUndoing: Bool) {
    let item = items[index]
    guard !isUndoing else {
      if result == .done, item.current == item.original {
        items[index].isTouched = false
      } else {
        report.notRestored.append(.baud)
      }
      return
    }
    if result == .done {
      report.record(item.current == item.wanted ? .changed : .notRetained, of: .baud)
      return
    }
    // No answer at the new baud rate: the host returns to the old one.
    report.record(.noAnswer, of: .baud)
    items[index].isTouched = false
    jobs = [.changeSpeed(speed), .settle] + jobs
  }
}

extension UBXSetupRequest {
  /// The settings that the request covers.
  fileprivate var settings: [UBXSetting] {
    var settings: [UBXSetting] = []
    if rateHertz != nil { settings.append(.rate) }
    if model != nil { settings.append(.model) }
    if messages != nil { settings += UBXOutputMessage.allCases.map { .message($0) } }
    if messages != nil { settings.append(.protocols) }
    if sentences != nil { settings += OutputSentence.allCases.map { .sentence($0) } }
    if systems != nil { settings.append(.systems) }
    if maskDegrees != nil { settings.append(.mask) }
    if base != nil { settings += [.base, .baseMessages] }
    if sendsHeading != nil { settings.append(.heading) }
    if takesCorrections { settings.append(.corrections) }
    if baud != nil { settings.append(.baud) }
    return settings
  }
}
