import Bus
import Foundation
import Quantities
import ReceiverProtocols
import Recording

/// The service of one opened port: reads it, never late, and writes what there is to write in between.
struct ReceiverService {
  /// A read returns within this, ns, so that a stop is seen; a line silent for so long has ended its epoch.
  private static let longestWait: UInt64 = 200_000_000
  /// A correction waits no longer than this for the line, ns.
  private static let correctionWait: UInt64 = 50_000_000
  /// What the kernel did not take is offered again after this, ns.
  static let writeWait: UInt64 = 10_000_000
  /// A receiver that was set up and gives nothing sound for so long has started anew at another speed, s.
  private static let longestDeafness = 5.0
  /// Nobody waits longer than this for the undoing, ns.
  private static let undoTime: UInt64 = 4_000_000_000

  /// Why the service of a port ended.
  enum Ending: Equatable {
    /// The board is no longer wanted.
    case stopped
    /// The receiver's speed is to be found anew.
    case deaf
  }

  let port: any SerialPort
  let hardware: any BoardHardware
  let queue: RowQueue
  let monitor: BoardMonitor
  /// nil where the receiver is to be left as it is.
  var session: ReceiverSession?
  let corrections: CorrectionFrames?
  let output: CorrectionFrames?
  /// What is wanted of the receiver.
  let rest: SharedReceiverRest
  /// Makes the session by which a receiver that is told nothing else is told to sleep; nil where it is to be
  /// left alone.
  let asker: (() -> ReceiverSession)?

  private var stream: ReceiverStream
  var sleeper = ReceiverSleeper()
  /// True once it was told to sleep: it may have started anew at another speed.
  var hasSlept = false
  /// Commands wait until then for a receiver that was woken.
  var awake = Timestamp(nanoseconds: 0)
  private var rows: [SensorRow] = []
  var outbox = ReceiverOutbox()
  private var base = RTCM3Reader()
  /// A speed that the line takes once all is written.
  var coming: Int?
  private var heard: Timestamp
  var sound: (count: Int64, at: Timestamp)

  init(
    port: any SerialPort, hardware: any BoardHardware, queue: RowQueue, monitor: BoardMonitor,
    session: ReceiverSession?, corrections: CorrectionFrames?, output: CorrectionFrames?,
    rest: SharedReceiverRest, asker: (() -> ReceiverSession)?
  ) {
    (self.rest, self.asker) = (rest, asker)
    self.port = port
    self.hardware = hardware
    self.queue = queue
    self.monitor = monitor
    self.session = session
    self.corrections = corrections
    self.output = output
    stream = ReceiverStream(notBefore: LiveDates.earliest(today: Date())) { queue.announce($0) }
    heard = hardware.now
    sound = (0, heard)
  }

  /// Serves the port until the queue is stopped, and undoes the set-up then.
  mutating func serve() throws(BusError) -> Ending {
    while !queue.isStopped {
      try step()
      if isDeaf { return .deaf }
    }
    try undo()
    return .stopped
  }

  private var isDeaf: Bool {
    guard session?.hasAnswered == true || hasSlept, coming == nil, !sleeper.isTold else {
      return false
    }
    return hardware.now.seconds(since: sound.at) > Self.longestDeafness
  }

  /// Puts the receiver back; what still comes in is nobody's any more.
  private mutating func undo() throws(BusError) {
    if sleeper.isTold {
      // What it was told before went with its sleep: there is nothing to put back.
      try rouse()
      try pass(until: hardware.now.advanced(byNanoseconds: Self.correctionWait))
      return
    }
    guard session?.originals.isEmpty == false else { return }
    session?.undo()
    let end = hardware.now.advanced(byNanoseconds: Self.undoTime)
    while hardware.now < end {
      try step()
      guard session?.isBusy == true || coming != nil || !outbox.isEmpty else { break }
    }
    if let report = session?.undoReport { monitor.receiver(setUp: report) }
  }

  private mutating func step() throws(BusError) {
    var wake = hardware.now.advanced(byNanoseconds: Self.longestWait)
    if try isResting(&wake) {
      // Any byte would wake it: neither checks nor corrections.
      try pass(until: wake)
      return
    }
    try command(&wake)
    try write(&wake)
    try read(until: wake)
  }

  /// Puts the session's next command into the outbox.
  private mutating func command(_ wake: inout Timestamp) throws(BusError) {
    let monitor = self.monitor
    while coming == nil, session != nil {
      let (now, speed) = (hardware.now, port.baud)
      let step = session?.next(at: now, speed: speed) { monitor.receiver(setUp: $0) }
      switch step {
      case .send(let bytes): outbox.put(bytes)
      case .changeSpeed(let speed): coming = speed
      case .wait(let until):
        wake = min(wake, until)
        return
      case .rest, nil: return
      }
    }
  }

  private mutating func write(_ wake: inout Timestamp) throws(BusError) {
    let isFree = session?.isBusy != true && coming == nil
    let source = isFree ? corrections : nil
    try outbox.flush(to: port) { source?.take() }
    if corrections != nil {
      wake = min(wake, hardware.now.advanced(byNanoseconds: Self.correctionWait))
    }
    guard outbox.isEmpty else {
      wake = min(wake, hardware.now.advanced(byNanoseconds: Self.writeWait))
      return
    }
    guard let speed = coming else { return }
    // What has come in at the old speed would be thrown away with the change.
    while try read(until: hardware.now) > 0 {}
    try port.setBaud(speed)
    coming = nil
    wake = hardware.now
  }

  @discardableResult
  mutating func read(until wake: Timestamp) throws(BusError) -> Int {
    rows.removeAll(keepingCapacity: true)
    let count = try Self.receive(
      port, until: wake, hardware, &stream, &session, &base, output, &rows)
    let now = hardware.now
    if count > 0 {
      heard = now
    } else if now.seconds(since: heard) >= Double(Self.longestWait) * 1e-9 {
      stream.fellSilent(at: now) { rows.append($0) }
    }
    let good = stream.counts.accepted + stream.counts.unregistered + stream.counts.ubxFrames
    if good + stream.counts.rtcm3Frames != sound.count {
      sound = (good + stream.counts.rtcm3Frames, now)
    }
    rest.filter(&rows, at: now)
    queue.put(rows)
    return count
  }

  /// The parts apart, so that none is copied.
  private static func receive(
    _ port: any SerialPort, until wake: Timestamp, _ hardware: any BoardHardware,
    _ stream: inout ReceiverStream, _ session: inout ReceiverSession?, _ base: inout RTCM3Reader,
    _ output: CorrectionFrames?, _ rows: inout [SensorRow]
  ) throws(BusError) -> Int {
    try stream.receive(
      from: port, until: wake, hardware,
      alsoTo: { bytes in
        session?.hear(bytes, at: hardware.now)
        guard let output else { return }
        base.push(bytes) { output.put(CorrectionFrames.Frame(type: $0, bytes: Array($1))) }
      }
    ) { rows.append($0) }
  }
}
