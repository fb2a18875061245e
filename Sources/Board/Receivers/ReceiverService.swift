import Chips
import Formats
import FoundationEssentials
import Quantities
import ReceiverProtocols

/// The service of one opened port: reads without delay and writes between the reads.
struct ReceiverService {
  /// Timeout of a read, ns: bounds the delay of a stop. A line silent for this long has ended its
  /// epoch.
  static let longestWait: UInt64 = 200_000_000
  /// Interval between looks for a correction on a free line of a port whose wait cannot be
  /// interrupted (I2C, SPI), ns: half of the 50 ms within which one is promised to be passed on.
  /// Shorter, the thread wakes more often for nothing.
  private static let correctionWait: UInt64 = 25_000_000
  /// Delay until bytes that the kernel did not accept are written again, ns.
  private static let writeWait: UInt64 = 10_000_000
  /// Time without valid data after which the speed is detected again, s: a configured receiver may
  /// have restarted at another speed. One that has not answered is asked again when data comes.
  private static let validDataTimeout = 5.0
  /// Timeout of the last reading of the receiver's database, ns; with `undoTime` below the time
  /// that the board's stop waits.
  private static let lastReadingTime: UInt64 = 1_500_000_000
  /// Timeout of restoring the receiver's settings, ns.
  private static let undoTime: UInt64 = 4_000_000_000
  /// Time from the wake-up bytes until the receiver accepts commands, ns.
  private static let wakingTime: UInt64 = 1_000_000_000

  /// Why the service of a port ended.
  enum Ending: Equatable {
    /// The board was stopped.
    case stopped
    /// No valid data arrives: the receiver's speed must be detected again.
    case lostSpeed
  }

  let port: any SerialPort
  let hardware: any BoardHardware
  let queue: SampleQueue
  let monitor: ReceiverMonitor
  /// nil if the receiver must not be configured.
  private(set) var session: ReceiverSession?
  let corrections: CorrectionFrames?
  let output: CorrectionFrames?
  /// The aid of a starting receiver; nil where none is given.
  private var assistance: AssistanceSession?
  /// True where a receiver without a set-up is asked whether it is a u-blox, for its aid.
  private let asksForAid: Bool
  /// The demand and its sleep intervals.
  let rest: SharedReceiverRest
  /// Makes a session that only identifies the receiver, so that it can sleep; nil if the board file
  /// forbids commands.
  let makeIdentification: (() -> ReceiverSession)?

  private let input: ReceiverInput
  private let selection: HeadingSelection
  private let headingIndex: Int
  private var stream: ReceiverStream
  private var sleeper = ReceiverSleeper()
  /// True after the first sleep command: the receiver may have restarted at another speed.
  private var hasSlept = false
  /// When the woken receiver accepts commands.
  private var acceptsCommands = Timestamp(nanoseconds: 0)
  private var rows: [SensorSamples] = []
  private var outbox = ReceiverSendQueue()
  private var base = RTCM3Reader()
  /// The speed to change to when all frames are written.
  private var pendingSpeed: Int?
  private var lastRead: Timestamp
  /// The count of valid messages, and when it last changed.
  private var valid: (count: Int64, at: Timestamp)
  private var watch: LineWatch
  private var lack: BoardStatus.Lack?
  /// True where a correction interrupts the wait for the receiver's bytes.
  private let isInterruptible: Bool

  init(
    port: any SerialPort, hardware: any BoardHardware, queue: SampleQueue, monitor: ReceiverMonitor,
    session: ReceiverSession?, corrections: CorrectionFrames?, output: CorrectionFrames?,
    rest: SharedReceiverRest, order: [Talker], headings: LineHeadings,
    assistance: AssistanceSession?, asksForAid: Bool,
    input: ReceiverInput, selection: HeadingSelection, headingIndex: Int,
    makeIdentification: (() -> ReceiverSession)?
  ) {
    (self.input, self.selection, self.headingIndex) = (input, selection, headingIndex)
    (self.rest, self.makeIdentification) = (rest, makeIdentification)
    (self.assistance, self.asksForAid) = (assistance, asksForAid)
    self.port = port
    self.hardware = hardware
    self.queue = queue
    self.monitor = monitor
    self.session = session
    self.corrections = corrections
    self.output = output
    stream = ReceiverStream(
      dates: .notBefore(PlausibleDates.earliest(today: Date())), order: order, headings: headings
    ) { input.admit($0, at: hardware.now) }
    let interrupt = corrections == nil ? nil : port.readInterrupter
    corrections?.onArrival(interrupt)
    isInterruptible = interrupt != nil
    lastRead = hardware.now
    valid = (0, lastRead)
    watch = LineWatch(port.name, for: .receiver, at: lastRead)
  }

  /// Whether valid data has come.
  var hasReceived: Bool { valid.count > 0 }

  /// Serves the port until the queue is stopped, then restores the receiver's settings.
  mutating func serve() throws(BusError) -> Ending {
    while !queue.isStopped {
      try step()
      if hasLostSpeed { return .lostSpeed }
    }
    try undo()
    return .stopped
  }

  private var hasLostSpeed: Bool {
    guard session?.hasAnswered == true || hasSlept, pendingSpeed == nil, !sleeper.isCommanded else {
      return false
    }
    return hardware.now.seconds(since: valid.at) > Self.validDataTimeout
  }

  /// Restores the receiver's settings.
  private mutating func undo() throws(BusError) {
    if sleeper.isCommanded {
      // The sleep discarded the set-up: nothing to restore.
      try wakeReceiver()
      try pass(until: hardware.now.advanced(byNanoseconds: Self.correctionWait))
      return
    }
    try endAssistance()
    guard session?.originals.isEmpty == false else { return }
    session?.undo()
    let end = hardware.now.advanced(byNanoseconds: Self.undoTime)
    while hardware.now < end {
      try step()
      guard session?.isBusy == true || pendingSpeed != nil || !outbox.isEmpty else { break }
    }
    if let report = session?.undoReport { monitor.receiver(setUp: report) }
  }

  /// Reads the receiver's database once more, where that is fast, and stores it with the last
  /// place.
  private mutating func endAssistance() throws(BusError) {
    let (start, speed) = (hardware.now, port.baud)
    assistance?.end(at: start, speed: speed)
    let end = start.advanced(byNanoseconds: Self.lastReadingTime)
    while hardware.now < end, assistance?.isBusy == true {
      let now = hardware.now
      var wake = end
      switch assistance?.nextOfEnd(at: now) {
      case .send(let bytes): outbox.put(bytes)
      case .wait(let until): wake = min(wake, until)
      case .rest, nil: break
      }
      try pass(until: wake)
    }
    let now = hardware.now
    _ = assistance?.nextOfEnd(at: now)
    assistance?.close(at: now)
    assistance = nil
  }

  private mutating func step() throws(BusError) {
    var wake = hardware.now.advanced(byNanoseconds: Self.longestWait)
    if try isResting(&wake) {
      // Any byte would wake the receiver: no checks and no corrections.
      try pass(until: wake)
      return
    }
    try command(&wake)
    try write(&wake)
    try read(until: wake)
  }

  /// Puts the next command of the set-up or of the assistance into the outbox.
  private mutating func command(_ wake: inout Timestamp) throws(BusError) {
    if session == nil, assistance != nil, asksForAid || stream.counts.ubxFrames > 0 {
      session = makeIdentification?()
    }
    // One of the two at a time: both may wait for the acknowledgement of the same command.
    if assistance?.isBusy != true { try commandSetUp(&wake) }
    guard pendingSpeed == nil, let session, !session.isBusy, let version = session.version else {
      return
    }
    while true {
      let (now, speed) = (hardware.now, port.baud)
      switch assistance?.next(at: now, version, speed: speed) {
      case .send(let bytes): outbox.put(bytes)
      case .wait(let until):
        wake = min(wake, until)
        return
      case .rest, nil: return
      }
    }
  }

  private mutating func commandSetUp(_ wake: inout Timestamp) throws(BusError) {
    let monitor = self.monitor
    if let activity = rest.activity {
      let speed = port.baud
      session?.follow(activity, speed: speed)
    }
    while pendingSpeed == nil, session != nil {
      let (now, speed) = (hardware.now, port.baud)
      let step = session?.next(at: now, speed: speed) { monitor.receiver(setUp: $0) }
      switch step {
      case .send(let bytes): outbox.put(bytes)
      case .changeSpeed(let speed): pendingSpeed = speed
      case .wait(let until):
        wake = min(wake, until)
        return
      case .rest, nil: return
      }
    }
  }

  private mutating func write(_ wake: inout Timestamp) throws(BusError) {
    let isFree = session?.needsLine != true && pendingSpeed == nil
    let source = isFree ? corrections : nil
    try outbox.flush(to: port) { source?.removeFirst() }
    if corrections != nil, !isInterruptible {
      wake = min(wake, hardware.now.advanced(byNanoseconds: Self.correctionWait))
    }
    guard outbox.isEmpty else {
      wake = min(wake, hardware.now.advanced(byNanoseconds: Self.writeWait))
      return
    }
    guard let speed = pendingSpeed else { return }
    // The change of speed discards unread bytes.
    while try read(until: hardware.now) > 0 {}
    try port.setBaud(speed)
    pendingSpeed = nil
    wake = hardware.now
  }

  @discardableResult
  private mutating func read(until wake: Timestamp) throws(BusError) -> Int {
    rows.removeAll(keepingCapacity: true)
    let (progress, reports) = (input.progress, stream.reportCount)
    let count = try Self.receive(
      port, until: wake, hardware, &stream, &session, &assistance, &base, output, input, &rows)
    let now = hardware.now
    if count > 0 {
      lastRead = now
      monitor.receiverSentBytes()
    } else if now.seconds(since: lastRead) >= Double(Self.longestWait) * 1e-9 {
      stream.fellSilent(at: now) { rows.append($0) }
    }
    let isValid = stream.counts.valid != valid.count
    if isValid {
      let speed = port.baud
      if now.seconds(since: valid.at) > Self.validDataTimeout {
        session?.dataReturned(at: now, speed: speed)
      }
      valid = (stream.counts.valid, now)
    }
    watch.add(
      bytes: count, isSentence: isValid, isUseful: input.progress.positions != progress.positions,
      hasTime: input.progress.times != progress.times, at: now)
    // A receiver that rests sends nothing.
    if rest.isAsleep || sleeper.isCommanded || now < acceptsCommands {
      watch.restart(at: now)
      monitor.receiverRests()
    }
    let earlier = lack
    lack = watch.lack(at: now)
    // An older fault ends with the first valid message, or with what the open line lacks.
    if isValid || lack != earlier { monitor.receiver(fault: nil, lack: lack) }
    let counts = stream.counts
    monitor.receiver(rejected: Int(clamping: counts.rejected), undecoded: counts.undecoded)
    if stream.reportCount != reports { monitor.receiver(sources: stream.positionSources) }
    rest.filter(&rows, at: now)
    input.stamp(&rows)
    selection.filter(&rows, of: headingIndex, at: now, monitor.board)
    queue.put(rows)
    return count
  }

  /// The properties as separate parameters, so that none is copied.
  private static func receive(
    _ port: any SerialPort, until wake: Timestamp, _ hardware: any BoardHardware,
    _ stream: inout ReceiverStream, _ session: inout ReceiverSession?,
    _ assistance: inout AssistanceSession?, _ base: inout RTCM3Reader, _ output: CorrectionFrames?,
    _ input: ReceiverInput, _ rows: inout [SensorSamples]
  ) throws(BusError) -> Int {
    try stream.receive(
      from: port, until: wake, hardware,
      alsoTo: { bytes in
        session?.receive(bytes, at: hardware.now)
        assistance?.receive(bytes, at: hardware.now)
        input.publish(bytes)
        guard let output else { return }
        base.push(bytes) { output.put(CorrectionFrames.Frame(type: $0, bytes: Array($1))) }
      }
    ) { rows.append($0) }
  }

  // MARK: Sleep

  /// Puts the receiver to sleep or wakes it, if due; true while nothing may be sent to it.
  private mutating func isResting(_ wake: inout Timestamp) throws(BusError) -> Bool {
    let now = hardware.now
    let state = rest.state(at: now)
    guard state.isAsleep, !queue.isStopped else {
      if sleeper.isCommanded { try wakeReceiver() }
      guard now < acceptsCommands else { return false }
      wake = min(wake, acceptsCommands)
      return true
    }
    if sleeper.isCommanded, let remaining = state.remaining {
      wake = min(wake, now.advanced(bySeconds: remaining))
    }
    if session == nil { session = makeIdentification?() }
    let isBusy = session?.isBusy == true || pendingSpeed != nil || !outbox.isEmpty
    // A receiver that does not answer, or is on its own USB or on I2C, is not put to sleep: its
    // fixes are withheld.
    guard !isBusy || sleeper.isCommanded, let session, let version = session.version,
      !session.cannotBeWoken
    else { return false }
    if let command = sleeper.sleep(at: now, remaining: state.remaining, version) {
      hasSlept = true
      outbox.put(command.bytes)
    }
    if sleeper.isIgnored, sleeper.isCommanded {
      _ = sleeper.wake()
      monitor.notice(
        "\(port.name): the receiver ignores the sleep command; its fixes are withheld")
    }
    return sleeper.isCommanded
  }

  /// Wakes the receiver and starts its set-up again: the settings may be lost in the sleep.
  private mutating func wakeReceiver() throws(BusError) {
    guard let bytes = sleeper.wake() else { return }
    let now = hardware.now
    outbox.put(bytes)
    acceptsCommands = now.advanced(byNanoseconds: Self.wakingTime)
    valid = (valid.count, acceptsCommands)
    try outbox.flush(to: port) { nil }
    let speed = port.baud
    session?.begin(speed: speed)
  }

  /// Sends the waiting commands, but no correction, and reads.
  private mutating func pass(until wake: Timestamp) throws(BusError) {
    try outbox.flush(to: port) { nil }
    let next = outbox.isEmpty ? wake : hardware.now.advanced(byNanoseconds: Self.writeWait)
    if try read(until: min(wake, next)) > 0 { sleeper.received(at: hardware.now) }
  }
}
