import Quantities

/// What each job sends, what it takes for an answer, and what follows from it.
extension UBXSetup {
  /// Begins a job.
  /// - Returns: nil where there is nothing to do for it.
  mutating func begin(_ job: Job, at now: Timestamp) -> Step? {
    switch job {
    case .identify: return ask(.askVersion, for: job, at: now)
    case .locate: return ask(.askPort, for: job, at: now)
    case .read(let index), .verify(let index), .verifySpeed(let index, _), .check(let index):
      guard let question = items[index].question else { return nil }
      return ask(question, for: job, at: now)
    case .write(let index):
      guard let wanted = items[index].wanted, let command = items[index].command(writing: wanted)
      else { return nil }
      items[index].isTouched = true
      return ask(command, for: job, at: now)
    case .undo(let index):
      guard let original = items[index].original,
        let command = items[index].command(writing: original)
      else { return nil }
      return ask(command, for: job, at: now)
    case .tellSpeed(let index, let isUndoing):
      guard let image = isUndoing ? items[index].original : items[index].wanted,
        let command = items[index].command(writing: image), let new = UBXSetupItem.speed(image)
      else { return nil }
      items[index].isTouched = true
      // Whether the acknowledgement comes at the old speed or the new one nobody knows: it is not waited for.
      // What an adapter still holds must be out before the line's own speed changes.
      jobs = [.settle, .takeSpeed(new), .settle, .verifySpeed(index, isUndoing: isUndoing)] + jobs
      keepPort(command)
      return .send(command.bytes)
    case .takeSpeed(let new): return .changeSpeed(new)
    case .settle:
      pending = Pending(
        job: .settle, command: nil, deadline: now.advanced(byNanoseconds: Self.settling))
      return nil
    case .save(let layers):
      guard let command = saving(in: layers) else {
        report.saved = .nowhere
        return nil
      }
      return ask(command, for: job, at: now)
    }
  }

  private mutating func ask(_ command: UBXCommand, for job: Job, at now: Timestamp) -> Step {
    pending = Pending(
      job: job, command: command, deadline: now.advanced(byNanoseconds: Self.patience))
    if !job.isQuestion { keepPort(command) }
    return .send(command.bytes)
  }

  /// Two settings of older receivers share the port's message: what one writes the other must not undo.
  private mutating func keepPort(_ command: UBXCommand) {
    guard command.name == .port else { return }
    keepPort(command.payload)
  }

  private mutating func keepPort(_ payload: [UInt8]) {
    for index in items.indices where items[index].form.name == .port {
      items[index].message = payload
    }
  }

  /// One command that saves all that was set.
  private func saving(in layers: UBXCommand.Layers) -> UBXCommand? {
    guard report.version?.hasValues == true else {
      return .save(to: layers.contains(.flash) ? [.batteryBacked, .flash] : [.batteryBacked])
    }
    var pairs: [(key: UBXConfigurationKey, value: UInt64)] = []
    for item in items {
      // What was refused is not tried again.
      guard let current = item.current, current == item.wanted else { continue }
      pairs += item.pairs(current) ?? []
    }
    return pairs.isEmpty ? nil : .set(pairs, in: layers)
  }

  /// Takes a payload as the answer to a job's question; false where it is none.
  mutating func accept(_ payload: [UInt8], for job: Job) -> Bool {
    switch job {
    case .locate:
      guard let first = payload.first, let own = UBXPort(rawValue: first) else { return false }
      port = own
      return true
    case .read(let index), .verify(let index), .verifySpeed(let index, _), .check(let index):
      guard items[index].read(payload) else { return false }
      if items[index].form.name == .port { keepPort(payload) }
      return true
    default: return false
    }
  }

  /// What follows from how a job ended.
  mutating func conclude(_ job: Job, _ result: Result) {
    switch job {
    case .identify:
      guard result == .done else {
        report.isSilent = true
        jobs = []
        return
      }
      jobs = [.locate]
    case .locate:
      items = UBXSetupItem.items(wish, hasValues: report.version?.hasValues == true, on: port)
      for setting in wish.settings where !items.contains(where: { $0.setting == setting }) {
        report.note(.absent, of: setting)
      }
      jobs = items.indices.map { .read($0) }
    case .read(let index): concludeReading(index, result)
    // Whether it was taken the reading back tells; a refusal is final.
    case .write(let index):
      if result == .refused {
        items[index].isTouched = false
        report.note(.refused, of: items[index].setting)
        jobs.removeAll { $0 == .verify(index) }
      }
    case .verify(let index):
      let item = items[index]
      let outcome: UBXSetupReport.Outcome =
        result != .done ? .noAnswer : item.current == item.wanted ? .changed : .notHeld
      report.note(outcome, of: item.setting)
    case .verifySpeed(let index, let isUndoing): concludeSpeed(index, result, isUndoing)
    case .save(let layers):
      switch result {
      case .done: report.saved = layers.contains(.flash) ? .flash : .batteryBacked
      // A receiver without flash refuses the whole.
      case .refused where layers.contains(.flash): jobs = [.save([.batteryBacked])]
      default: report.saved = .nowhere
      }
    case .undo(let index):
      switch result {
      case .done: items[index].isTouched = false
      case .refused: report.notUndone.append(items[index].setting)
      case .silence:
        // It is gone: the others would only be waited for.
        for other in items where other.isTouched { report.notUndone.append(other.setting) }
        jobs = []
      }
    case .check(let index):
      let item = items[index]
      if result != .done || item.current != item.wanted { noteLoss() }
    case .tellSpeed, .takeSpeed, .settle: break
    }
  }

  private mutating func concludeReading(_ index: Int, _ result: Result) {
    let setting = items[index].setting
    switch result {
    case .refused: report.note(.refused, of: setting)
    case .silence: report.note(.noAnswer, of: setting)
    case .done:
      items[index].original = items[index].current
      guard items[index].current == items[index].wanted else { break }
      report.note(.wasSo, of: setting)
      // It kept what an earlier set-up told it: what it had before is to be restored all the same.
      if let before = earlier[setting], before != items[index].current {
        items[index].original = before
        items[index].isTouched = true
      }
    }
    if jobs.isEmpty { planChanges() }
  }

  /// All is read: what differs is changed and read back.
  private mutating func planChanges() {
    var changes: [Job] = []
    var proofs: [Job] = []
    var speedJobs: [Job] = []
    for index in items.indices {
      guard let current = items[index].current, current != items[index].wanted else { continue }
      if items[index].setting == .baud {
        speedJobs = [.tellSpeed(index, isUndoing: false)]
      } else {
        changes.append(.write(index))
        proofs.append(.verify(index))
      }
    }
    jobs = changes + proofs + speedJobs
    if wish.isSaved { jobs.append(.save([.ram, .batteryBacked, .flash])) }
  }

  private mutating func concludeSpeed(_ index: Int, _ result: Result, _ isUndoing: Bool) {
    let item = items[index]
    guard !isUndoing else {
      if result == .done, item.current == item.original {
        items[index].isTouched = false
      } else {
        report.notUndone.append(.baud)
      }
      return
    }
    if result == .done {
      report.note(item.current == item.wanted ? .changed : .notHeld, of: .baud)
      return
    }
    // Nobody at the new speed: back to the old one.
    report.note(.noAnswer, of: .baud)
    items[index].isTouched = false
    jobs = [.takeSpeed(speed), .settle] + jobs
  }
}

extension UBXSetup.Job {
  /// True where a value is asked for, false where one is told.
  var isQuestion: Bool {
    switch self {
    case .identify, .locate, .read, .verify, .verifySpeed, .check: true
    case .write, .tellSpeed, .takeSpeed, .settle, .save, .undo: false
    }
  }
}

extension UBXWish {
  /// The settings that it touches.
  var settings: [UBXSetting] {
    var settings: [UBXSetting] = []
    if rateHertz != nil { settings.append(.rate) }
    if model != nil { settings.append(.model) }
    if messages != nil { settings += UBXOutputMessage.allCases.map { .message($0) } }
    if messages != nil { settings.append(.protocols) }
    if takesCorrections { settings.append(.corrections) }
    if baud != nil { settings.append(.baud) }
    return settings
  }
}
