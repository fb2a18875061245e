import Quantities

/// Sets a receiver up, and undoes it: tells which command to send next, given what the receiver answers.
///
/// The order: ask which receiver it is (a silent one is left alone), ask which port this is, read every
/// setting, change those that differ, read them back, change the speed of the line last, save where that
/// is wanted. A command without an answer is sent again; a refused one is noted and the rest goes on.
/// `undo` writes back what was read. There is no clock inside: instants come with the calls, and the
/// caller asks `next` after every answer and whenever the instant that it was told has come.
///
/// - Source: that an answer comes within a second: ZED-F9P interface description, UBX-18010854 R04,
///   UBX-ACK. The rest in `UBXCommand`.
public struct UBXSetup: Sendable {
  /// What to do next.
  public enum Step: Equatable, Sendable {
    /// Send these bytes.
    case send([UInt8])
    /// Wait for an answer, but not beyond an instant.
    case wait(until: Timestamp)
    /// Set the line's own speed once all is sent.
    case changeSpeed(Int)
    /// Nothing is left to do.
    case rest
  }

  /// An answer may take so long, ns: a second by the description, and half of one on a slow, full line.
  static var patience: UInt64 { 1_500_000_000 }
  /// After an answer its acknowledgement may take so long, ns; older receivers send none for some questions.
  static var grace: UInt64 { 250_000_000 }
  /// A command is out, and a new speed taken up, within this, ns: 36 bytes at 4800 baud take 75 ms.
  static var settling: UInt64 { 200_000_000 }
  /// How often a command is sent.
  static var tries: Int { 3 }

  enum Job: Equatable, Sendable {
    case identify, locate
    case read(Int), write(Int), verify(Int)
    /// The line's speed: told to the receiver, taken up here, waited for; and read back.
    case tellSpeed(Int, isUndoing: Bool)
    case takeSpeed(Int)
    case settle
    case verifySpeed(Int, isUndoing: Bool)
    case save(UBXCommand.Layers)
    case undo(Int)
    case check(Int)
  }

  /// A command on its way.
  struct Pending: Sendable {
    var job: Job
    var command: UBXCommand?
    var deadline: Timestamp
    var sent = 1
    var isAnswered = false
    var isAcknowledged = false
  }

  enum Result: Sendable { case done, refused, silence }

  let wish: UBXWish
  var port: UBXPort
  var items: [UBXSetupItem] = []
  var jobs: [Job]
  var pending: Pending?
  var earlier: UBXOriginals
  /// The speed of the line here.
  var speed: Int
  /// True once `check` found the receiver without what it was told.
  public private(set) var hasLostSettings = false
  /// What became of it so far.
  public internal(set) var report = UBXSetupReport()

  /// Makes a set-up that begins with the next `next`.
  /// - Parameters:
  ///   - wish: What is wanted.
  ///   - port: The receiver's port, where it cannot say so itself.
  ///   - speed: The line's speed now, bits per second.
  ///   - earlier: What an earlier set-up of the same receiver found, for the undoing: a receiver that kept
  ///     its settings would else show what it was told as what it had.
  public init(_ wish: UBXWish, port: UBXPort, speed: Int, earlier: UBXOriginals = UBXOriginals()) {
    self.wish = wish
    self.port = port
    self.speed = speed
    self.earlier = earlier
    jobs = [.identify]
  }

  /// True while there is something to do.
  public var isBusy: Bool { pending != nil || !jobs.isEmpty }

  /// What there is to undo, for the next set-up of the same receiver.
  public var originals: UBXOriginals {
    var originals = UBXOriginals()
    guard !isSaved else { return originals }
    for item in items where item.isTouched {
      if let original = item.original { originals[item.setting] = original }
    }
    return originals
  }

  var isSaved: Bool {
    switch report.saved {
    case .flash, .batteryBacked: true
    case .nowhere, nil: false
    }
  }

  /// Begins to write back what was read, whatever was going on; a saved set-up stays.
  public mutating func undo() {
    // The answer to what is on its way would be taken for the answer to the undoing: it is let pass by.
    var told: [Job] = pending == nil ? [] : [.settle]
    pending = nil
    // A speed that the receiver was told is taken up first: it is heard at no other.
    for job in jobs {
      if case .takeSpeed(let speed) = job { told = [.settle, .takeSpeed(speed), .settle] }
    }
    jobs = []
    guard !isSaved else { return }
    jobs = told
    var speedJobs: [Job] = []
    for index in items.indices.reversed() where items[index].isTouched {
      guard items[index].original != nil else { continue }
      if items[index].setting == .baud {
        speedJobs = [.tellSpeed(index, isUndoing: true)]
      } else {
        jobs.append(.undo(index))
      }
    }
    // The line's speed comes last, so that nothing is lost with it.
    jobs += speedJobs
  }

  /// Begins to look whether the receiver still has what it was told; ask `hasLostSettings` when it rests.
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
        } else if let command = waiting.command, waiting.sent < Self.tries(of: waiting.job) {
          pending?.sent += 1
          pending?.deadline = now.advanced(byNanoseconds: Self.patience)
          return .send(command.bytes)
        } else {
          finish(waiting.job, .silence)
        }
        continue
      }
      guard !jobs.isEmpty else { return .rest }
      if let step = begin(jobs.removeFirst(), at: now) { return step }
    }
  }

  private static func tries(of job: Job) -> Int {
    switch job {
    // When the service ends nobody wants to wait for long.
    case .undo, .verifySpeed(_, isUndoing: true): 2
    // What follows can do without the port's number.
    case .locate: 2
    default: tries
    }
  }

  /// Takes an answer in; those to nothing asked are passed over.
  public mutating func take(_ answer: UBXAnswer, at now: Timestamp) {
    guard let waiting = pending, let command = waiting.command else { return }
    switch answer {
    case .acknowledged(let name):
      guard name == command.name else { return }
      pending?.isAcknowledged = true
      // To a question the answer itself is what counts.
      if waiting.isAnswered || !waiting.job.isQuestion { finish(waiting.job, .done) }
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
        // Its acknowledgement follows; taken for the next command's it would mislead.
        pending?.deadline = now.advanced(byNanoseconds: Self.grace)
      }
    }
  }

  /// Ends the command on its way and decides what follows.
  private mutating func finish(_ job: Job, _ result: Result) {
    pending = nil
    conclude(job, result)
  }

  mutating func noteLoss() { hasLostSettings = true }
}
