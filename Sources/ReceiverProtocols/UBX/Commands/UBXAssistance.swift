import Quantities

/// Assists a u-blox receiver at its start, and reads its navigation database for the next one:
/// returns the next command, given the receiver's answers. There is no clock inside.
///
/// The order is: poll the chip's number, switch acknowledgements and the prediction of orbits on,
/// then what `give` and `readDatabase` request. Each assistance message waits for its MGA-ACK
/// before the next is sent, so that no buffer of the receiver overflows; without an answer it is
/// sent again. A receiver that acknowledges none is not sent more.
///
/// - Source: u-blox M8 receiver description UBX-13003221 R29, "AssistNow", "Flow control": one
///   message at a time, acknowledged by MGA-ACK.
public struct UBXAssistance: Sendable {
  /// What to do next.
  public enum Step: Equatable, Sendable {
    /// Send these bytes.
    case send([UInt8])
    /// Wait for an answer, at most until this instant.
    case wait(until: Timestamp)
    /// Nothing is left to do.
    case rest
  }

  /// What became of the messages that were given.
  public struct Report: Equatable, Sendable {
    /// Messages that the receiver uses.
    public var accepted = 0
    /// Messages that it does not use because it does not know the time.
    public var withoutTime = 0
    /// Messages that it does not use for another reason.
    public var unused = 0
    /// Messages without an answer.
    public var unanswered = 0

    /// Makes a report of no message.
    public init() {}
  }

  /// Time limit for an answer, ns: a message of 172 bytes takes 0.36 s at 4800 baud, and others may
  /// wait before it.
  private static let answerTimeout: UInt64 = 2_000_000_000
  /// Time limit for the next entry of the database, ns: sentences go between them.
  private static let entryTimeout: UInt64 = 4_000_000_000
  /// How often a command is sent before it counts as unanswered.
  private static let attempts = 3
  /// After so many unanswered messages in a row nothing more is given.
  private static let mostUnanswered = 2
  /// Most entries of a database, and most bytes of an entry: they bound the memory that a faulty
  /// receiver can cause. A real one has some hundred entries of 164 bytes.
  private static let (mostEntries, mostEntryBytes) = (1000, 512)

  private enum Job: Equatable, Sendable {
    case identify
    /// A setting; its refusal is no fault: some receivers predict no orbits.
    case set(UBXCommand)
    case give(UBXCommand)
    /// The present time, which is not sent again: it would be late.
    case giveTime(UBXCommand)
    case read
  }

  private struct Pending: Sendable {
    var job: Job
    var command: UBXCommand
    var deadline: Timestamp
    var sent = 1

    var mayRepeat: Bool {
      if case .giveTime = job { return false }
      return true
    }
  }

  private var jobs: [Job] = []
  private var pending: Pending?
  private var entries: [[UInt8]] = []
  private var unansweredInRow = 0

  /// The number of the chip; nil before its answer, and from a receiver that has none.
  public private(set) var uniqueID: UInt64?
  /// True once the number was read or is known to be missing.
  public private(set) var isIdentified = false
  /// What became of the given messages.
  public private(set) var report = Report()
  private var database: [[UInt8]]?

  /// Makes an assistance that begins with the first call of `next`.
  /// - Parameter hasValues: True for a receiver that is configured by keys and values.
  public init(hasValues: Bool) {
    jobs = [.identify]
    if hasValues {
      for key in [UBXConfigurationKey.acknowledgesAid, .predictsOrbits] {
        if let command = UBXCommand.set([(key: key, value: 1)], in: .ram) {
          jobs.append(.set(command))
        }
      }
    } else {
      jobs.append(.set(.assistanceSettings))
    }
  }

  /// True while there is something to do.
  public var isBusy: Bool { pending != nil || !jobs.isEmpty }

  /// Requests that the present time is given, next.
  public mutating func giveTime(_ command: UBXCommand?) {
    if let command { jobs.insert(.giveTime(command), at: 0) }
  }

  /// Returns a new complete reading of the database once.
  public mutating func removeDatabase() -> [[UInt8]]? {
    defer { database = nil }
    return database
  }

  /// Requests messages to be given, in this order.
  public mutating func give(_ commands: [UBXCommand]) { jobs += commands.map { .give($0) } }

  /// Requests a reading of the database.
  public mutating func readDatabase() {
    guard pending?.job != .read, !jobs.contains(.read) else { return }
    jobs.append(.read)
  }

  /// Stops the pending command and removes all requests.
  public mutating func cancel() { (jobs, pending, entries) = ([], nil, []) }

  /// The next step at an instant; called after each answer and at the instant of each `wait`.
  public mutating func next(at now: Timestamp) -> Step {
    if var open = pending {
      guard now >= open.deadline else { return .wait(until: open.deadline) }
      // Sent again, the entries would come twice.
      if open.mayRepeat, open.job != .read || entries.isEmpty, open.sent < Self.attempts {
        open.sent += 1
        open.deadline = now.advanced(byNanoseconds: Self.answerTimeout)
        pending = open
        return .send(open.command.bytes)
      }
      endUnanswered(open.job)
    }
    guard !jobs.isEmpty else { return .rest }
    let job = jobs.removeFirst()
    let command: UBXCommand =
      switch job {
      case .identify: .uniqueIDPoll
      case .set(let command), .give(let command), .giveTime(let command): command
      case .read: .databasePoll
      }
    entries = []
    pending = Pending(
      job: job, command: command, deadline: now.advanced(byNanoseconds: Self.answerTimeout))
    return .send(command.bytes)
  }

  private mutating func endUnanswered(_ job: Job) {
    (pending, entries) = (nil, [])
    switch job {
    case .identify: isIdentified = true
    case .set, .read: break
    case .give, .giveTime:
      report.unanswered += 1
      unansweredInRow += 1
      guard unansweredInRow >= Self.mostUnanswered else { return }
      jobs.removeAll {
        if case .give = $0 {
          report.unanswered += 1
          return true
        }
        return false
      }
    }
  }

  /// Reads a message of the receiver.
  /// - Parameters:
  ///   - name: Class and number.
  ///   - payload: The payload.
  ///   - now: Its arrival.
  public mutating func receive(_ name: UBXMessageName, payload: [UInt8], at now: Timestamp) {
    guard var open = pending else { return }
    switch (open.job, name) {
    case (.identify, .uniqueID):
      uniqueID = payload.withUnsafeBufferPointer { bytes in
        guard bytes.count >= SecUniqID.shortestPayload else { return nil }
        do throws(UBXRejection) { return try SecUniqID(UBXFields(bytes)).number } catch {
          return nil
        }
      }
      (isIdentified, pending) = (true, nil)
    case (.identify, .notAcknowledged) where Self.isAnswer(payload, to: open.command):
      (isIdentified, pending) = (true, nil)
    case (.set, .acknowledged), (.set, .notAcknowledged):
      if Self.isAnswer(payload, to: open.command) { pending = nil }
    case (.give, .aidAcknowledged), (.giveTime, .aidAcknowledged):
      guard let answer = MgaAck(payload: payload), answer.number == open.command.name.number,
        open.command.payload.count >= 4,
        UInt64(answer.payloadStart) == open.command.payload.littleEndian(at: 0, bytes: 4)
      else { return }
      (pending, unansweredInRow) = (nil, 0)
      add(answer)
    case (.read, .database):
      guard entries.count < Self.mostEntries, payload.count <= Self.mostEntryBytes else {
        (pending, entries) = (nil, [])
        return
      }
      entries.append(payload)
      open.deadline = now.advanced(byNanoseconds: Self.entryTimeout)
      pending = open
    case (.read, .aidAcknowledged):
      guard let answer = MgaAck(payload: payload), answer.number == UBXMessageName.database.number
      else { return }
      // An incomplete reading is of no use: the receiver would have to be trusted to notice.
      if Int(answer.payloadStart) == entries.count { database = entries }
      (pending, entries) = (nil, [])
    default: break
    }
  }

  private mutating func add(_ answer: MgaAck) {
    if answer.isAccepted {
      report.accepted += 1
    } else if answer.reason == .timeUnknown {
      report.withoutTime += 1
    } else {
      report.unused += 1
    }
  }

  /// Whether an ACK-ACK or ACK-NAK answers a command.
  private static func isAnswer(_ payload: [UInt8], to command: UBXCommand) -> Bool {
    payload.count >= 2 && UBXMessageName(payload[0], payload[1]) == command.name
  }
}

extension MgaAck {
  /// Reads a payload; nil where it is too short.
  fileprivate init?(payload: [UInt8]) {
    guard payload.count >= Self.shortestPayload else { return nil }
    self = payload.withUnsafeBufferPointer { MgaAck(UBXFields($0)) }
  }
}

/// Reads the frames of a receiver's byte stream that assistance waits for, and skips all others.
public struct UBXAssistanceReader: Sendable {
  private var framer = ReceiverFramer()

  /// Makes a reader at the start of a stream.
  public init() {}

  /// Reads the next bytes and calls `body` with the name and the payload of each message that they
  /// complete.
  public mutating func push(
    _ bytes: UnsafeRawBufferPointer, _ body: (UBXMessageName, [UInt8]) -> Void
  ) {
    var rest = bytes[...]
    while !rest.isEmpty {
      rest = rest.dropFirst(framer.fill(from: UnsafeRawBufferPointer(rebasing: rest)))
      while let frame = framer.next() {
        guard frame.kind == .ubx else { continue }
        framer.withBytes(of: frame) { bytes in
          let name = UBXMessageName(bytes[2], bytes[3])
          switch name {
          case .uniqueID, .database, .aidAcknowledged, .acknowledged, .notAcknowledged:
            body(name, Array(bytes[6..<bytes.count - 2]))
          default: break
          }
        }
      }
    }
  }
}
