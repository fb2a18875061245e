import Chips
import Configuration
import LinuxIO
import Observers
import Quantities
import ReceiverProtocols

/// A board whose chips are read by one thread for each bus. The threads end on `stop` or `deinit`.
package final class AttachedBoard: Sendable {
  package let monitor: BoardMonitor
  private let queue: SampleQueue
  private let hardware: any BoardHardware
  /// The number of receivers at a port whose threads have not ended: they may have to be restored.
  private let receivers = Waitable(0)
  private let rest: SharedReceiverRest
  private let configuresReceiver: Bool
  private let receiverOutput: ObserverList<ReceiverOutput>
  private let aid: ReceiverAidSettings?

  /// Opens the buses, starts the chips and begins to read them.
  /// - Throws: `SourceError` where the only bus cannot be opened or no chip answers, and there is
  ///   no receiver or compass on a line. A single missing chip or bus is not an error; the fault is
  ///   in the status, and it is used once it is there.
  package init(
    _ board: Board, activity: Activity = .other, hardware: any BoardHardware,
    rest: SharedReceiverRest = SharedReceiverRest(),
    receiverOutput: ObserverList<ReceiverOutput> = ObserverList(), aid: ReceiverAidSettings? = nil
  ) throws(SourceError) {
    self.receiverOutput = receiverOutput
    self.rest = rest
    self.hardware = hardware
    queue = SampleQueue()
    // Another program sets up its receiver itself.
    let settings = board.receivers.map {
      $0.acceptsCommands ? ReceiverSettings($0, activity: activity) : nil
    }
    self.aid = aid
    configuresReceiver =
      settings.contains { $0 != nil } || aid != nil && board.receivers.contains { $0.mayAssist }
    let selection = ReceiverSelection(board.receivers)
    let headings = HeadingSelection(board)
    monitor = BoardMonitor(
      chips: board.sensors.map { BoardStatus.Chip($0) }, receivers: board.receivers,
      compasses: board.compasses, selection: selection, headings: headings,
      now: { [hardware] in hardware.now })
    var threads: [(name: String, thread: Locked<BusThread>)] = []
    var faults: [ChipError] = []
    let threadNames = Self.unique(board.sensors.map(\.thread))
    let compasses = board.compasses.filter { $0.port != nil }
    let hasLine = !board.receivers.isEmpty || !compasses.isEmpty
    // What else there is does not wait for a bus that is missing.
    let mayWait = threadNames.count > 1 || hasLine
    for name in threadNames {
      let sensors = board.sensors.indices.filter { board.sensors[$0].thread == name }
      do throws(BusError) {
        let bus = try bus(of: board.sensors[sensors[0]], mayWait: mayWait)
        threads.append((name, Locked(try thread(of: bus, board, sensors, &faults))))
      } catch {
        throw .bus(error)
      }
    }
    if faults.count == board.sensors.count, !hasLine, !faults.isEmpty {
      throw .chips(faults)
    }
    // Without a chip a single line is the only source: one that cannot be opened is an error now.
    if board.sensors.isEmpty, board.receivers.count + compasses.count == 1 {
      try Self.checkLine(board.receiver, compasses.first, hardware, queue)
    }
    for (name, thread) in threads {
      WorkerThread.start("lodestar-\(name)") { thread.withLock { $0.run() } }
    }
    for (index, receiver) in board.receivers.enumerated() {
      let input = ReceiverInput(
        index: index, selection: selection, clock: receiver.pulse.map { PulseClock($0) },
        monitor: monitor.receiver(index), output: receiverOutput)
      let line = LineHeadings(ofReceiverBeside: board.compasses, baseline: receiver.baseline)
      start(receiver, settings[index], input, line, headings, compasses.count + index)
    }
    for (index, compass) in compasses.enumerated() {
      guard let port = compass.port else { continue }
      let thread = CompassThread(
        compass: compass, port: port, index: index, selection: headings, hardware: hardware,
        queue: queue, monitor: monitor)
      WorkerThread.start("lodestar-compass") { thread.run() }
    }
  }

  /// Opens the only line of a board once.
  private static func checkLine(
    _ receiver: Board.Receiver?, _ compass: Board.Compass?, _ hardware: any BoardHardware,
    _ queue: SampleQueue
  ) throws(SourceError) {
    func checkPeer<Session: PeerSession>(
      _: Session.Type, at address: Session.Address, _ source: (Session.Fault) -> SourceError
    ) throws(SourceError) {
      do throws(NetworkError) {
        _ = try PeerLink<Session>(address: address, hardware: hardware, queue: queue).connect()
      } catch { throw source(Session.fault(address, error)) }
    }
    if let address = receiver?.gpsd ?? compass?.port.flatMap({ GPSDAddress($0) }) {
      try checkPeer(GPSDSession.self, at: address, SourceError.gpsd)
    } else if let address = receiver?.signalK ?? compass?.port.flatMap({ SignalKAddress($0) }) {
      try checkPeer(SignalKSession.self, at: address, SourceError.signalK)
    } else if let address = receiver?.can ?? compass?.port.flatMap({ CANAddress($0) }) {
      try checkPeer(NMEA2000Session.self, at: address, SourceError.nmea2000)
    } else {
      do throws(BusError) {
        if let receiver {
          try checkPort(
            receiver.port, baud: receiver.baud ?? BaudRateDetector.speeds[0], hardware)
        } else if let compass, let port = compass.port {
          try checkPort(port, baud: compass.baud, hardware)
        }
      } catch {
        throw .bus(error)
      }
    }
  }

  /// Opens a port once. The thread of a stopped board of this process may have it for as long as
  /// one read.
  private static func checkPort(
    _ path: String, baud: Int, _ hardware: any BoardHardware
  ) throws(BusError) {
    let end = hardware.now.advanced(byNanoseconds: 2 * ReceiverService.longestWait)
    while true {
      do throws(BusError) {
        _ = try hardware.serialPort(path, baud: baud)
        return
      } catch {
        guard case .inUse = error.kind, hardware.now < end else { throw error }
        hardware.wait(nanoseconds: 10_000_000)
      }
    }
  }

  deinit { stop() }

  /// Ends the threads. If the receiver was set up or put to sleep, waits until that is undone or
  /// the timeout has passed.
  package func stop() {
    queue.stop()
    // A sleeping receiver is woken first: the next program could not find its speed otherwise.
    guard undoSeconds > 0 else { return }
    receivers.wait(atMost: undoSeconds) { $0 == 0 ? () : nil }
  }

  /// How long `stop` may wait for a receiver that is restored, s.
  package var undoSeconds: Double {
    receivers.read { $0 > 0 } && (configuresReceiver || rest.hasRested) ? Self.undoTimeout : 0
  }

  /// Longest wait for the restored receiver, s; longer than `ReceiverService.undoTime`.
  private static let undoTimeout = 6.0

  /// Starts the threads of a receiver.
  private func start(
    _ receiver: Board.Receiver, _ settings: ReceiverSettings?, _ input: ReceiverInput,
    _ line: LineHeadings, _ headings: HeadingSelection, _ headingIndex: Int
  ) {
    let monitor = input.monitor
    if let pulse = receiver.pulse, let clock = input.clock {
      let thread = PulseThread(
        pulse: pulse, hardware: hardware, clock: clock, queue: queue, monitor: monitor,
        input: input)
      WorkerThread.start("lodestar-pulse") { thread.run() }
    }
    func peer<Session: PeerSession>(at address: Session.Address) -> PeerThread<Session> {
      PeerThread(
        link: PeerLink(address: address, hardware: hardware, queue: queue), headings: line,
        monitor: monitor, rest: rest, input: input, selection: headings,
        headingIndex: headingIndex)
    }
    if let address = receiver.gpsd {
      let thread: PeerThread<GPSDSession> = peer(at: address)
      return WorkerThread.start("lodestar-gpsd") { thread.run() }
    }
    if let address = receiver.signalK {
      let thread: PeerThread<SignalKSession> = peer(at: address)
      return WorkerThread.start("lodestar-signalk") { thread.run() }
    }
    if let address = receiver.can {
      let thread: PeerThread<NMEA2000Session> = peer(at: address)
      return WorkerThread.start("lodestar-can") { thread.run() }
    }
    let corrections = receiver.corrections.map { _ in CorrectionFrames() }
    let output = receiver.correctionsOutput.map { _ in CorrectionFrames() }
    monitor.follow(corrections: corrections, output: output)
    let thread = ReceiverThread(
      receiver: receiver, settings: settings, hardware: hardware, queue: queue, monitor: monitor,
      corrections: corrections, output: output, rest: rest, headings: line, input: input,
      selection: headings, headingIndex: headingIndex,
      aid: receiver.mayAssist ? aid : nil)
    serve("lodestar-receiver") { thread.run() }
    if let source = receiver.corrections, let corrections {
      let thread = CorrectionsThread(
        source: source, frames: corrections, queue: queue, monitor: monitor)
      WorkerThread.start("lodestar-corrections") { thread.run() }
    }
    if let target = receiver.correctionsOutput, let output {
      let thread = CorrectionsOutput(
        target: target, frames: output, queue: queue, monitor: monitor)
      WorkerThread.start("lodestar-rtcm") { thread.run() }
    }
  }

  /// Runs the thread of a receiver at a port, whose end `stop` may wait for. Other programs have
  /// nothing to restore, and the look-up of a host's name cannot be interrupted: their threads are
  /// not waited for.
  private func serve(_ name: String, _ body: @escaping @Sendable () -> Void) {
    receivers.withLock { $0 += 1 }
    WorkerThread.start(name) { [receivers] in
      body()
      receivers.withLock { $0 -= 1 }
    }
  }

  /// The samples, for one consumer.
  package func rows() -> LiveSamples {
    let hardware = self.hardware
    return LiveSamples(queue: queue, monitor: monitor, now: { hardware.now })
  }

  private func bus(
    of sensor: Board.Sensor, mayWait: Bool
  ) throws(BusError) -> sending any RegisterBus {
    // The kernel has the bus.
    if sensor.chip.isOfKernel { return KernelsBus(name: sensor.bus, hardware: hardware) }
    if sensor.isSerial {
      let bus = SerialBus(
        sensor.bus, baud: sensor.baud ?? sensor.chip.serialBaud ?? 0, hardware: hardware)
      if !mayWait { try bus.open() }
      return bus
    }
    do throws(BusError) {
      return try hardware.bus(of: sensor)
    } catch {
      guard mayWait else { throw error }
      return AwaitedBus(sensor, hardware: hardware)
    }
  }

  private func thread(
    of bus: sending any RegisterBus, _ board: Board, _ sensors: [Int], _ faults: inout [ChipError]
  ) throws(BusError) -> sending BusThread {
    let path = bus.name
    var runners: [(index: Int, runner: ChipRunner)] = []
    for index in sensors {
      let sensor = board.sensors[index]
      guard
        var runner = ChipRunner(
          sensor: sensor, mounting: board.mounting, now: { bus.now },
          makeDriver: { [hardware] in hardware.driver(for: sensor, on: bus) })
      else { continue }
      runner.run { _ in }
      if let fault = runner.fault { faults.append(fault) }
      monitor.chip(
        index, fault: runner.fault, newSamples: 0, errors: runner.errors,
        rateHertz: runner.rateHertz)
      runners.append((index, runner))
    }
    let lines = runners.indices.filter { runners[$0].runner.sensor.dataReadyLine != nil }
    let names = lines.compactMap { runners[$0].runner.sensor.dataReadyLine }
    return try BusThread(
      name: path, runners: runners, lines: lines, bus: bus,
      openAlarm: { [hardware] () throws(BusError) in try hardware.alarm(dataReadyLines: names) },
      queue: queue, monitor: monitor)
  }

  private static func unique(_ names: [String]) -> [String] {
    names.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}
