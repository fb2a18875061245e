import LinuxIO
import Quantities
import ReceiverProtocols

/// The thread of a receiver behind another program: connects, requests reports, reads them, and
/// connects again after a lost connection.
struct PeerThread<Session: PeerSession> {
  let link: PeerLink<Session>
  let headings: LineHeadings
  let monitor: ReceiverMonitor
  /// Withholds fixes while the receiver rests; the program's receiver itself is not put to sleep.
  let rest: SharedReceiverRest
  let input: ReceiverInput
  /// Chooses one of the headings from outside, this receiver's at `headingIndex`.
  let selection: HeadingSelection
  let headingIndex: Int

  private var address: Session.Address { link.address }
  private var hardware: any BoardHardware { link.hardware }
  private var queue: SampleQueue { link.queue }

  /// Reads reports until the queue is stopped.
  func run() {
    var delay = RetryDelay()
    while !queue.isStopped {
      var session = Session(
        address: address, startedAt: hardware.now, headings: headings
      ) { input.admit($0, at: hardware.now) }
      do throws(NetworkError) {
        try read(try link.connect(), &session, &delay)
      } catch {
        guard error.kind != .stopped else { return }
        monitor.receiver(fault: link.fault(session, error))
        queue.waitForStop(atMost: delay.next())
      }
    }
  }

  private func read(
    _ stream: StreamSocket, _ session: inout Session, _ delay: inout RetryDelay
  ) throws(NetworkError) {
    var rows: [SensorSamples] = []
    var bytes = PeerLink<Session>.buffer
    var watch = LineWatch(address.text, for: .receiver, at: hardware.now)
    try link.keepAlive(stream, &session)
    while !queue.isStopped {
      rows.removeAll(keepingCapacity: true)
      let (progress, reports) = (input.progress, session.reportCount)
      let came = try link.receive(from: stream, &bytes, &session, &rows)
      if came, session.hasAnswered { delay.reset() }
      let now = hardware.now
      // The session itself watches the program's silence.
      watch.add(
        bytes: 1, isSentence: true, isUseful: input.progress.positions != progress.positions,
        hasTime: input.progress.times != progress.times, at: now)
      if rest.isAsleep { watch.restart(at: now) }
      rest.filter(&rows, at: now)
      input.stamp(&rows)
      selection.filter(&rows, of: headingIndex, at: now, monitor.board)
      queue.put(rows)
      if session.reportCount != reports { monitor.receiver(sources: session.positionSources) }
      for notice in session.removeNotices() { monitor.notice(ofPeer: notice) }
      if let source = session.source { monitor.receiver(source: source) }
      let fault = session.fault(at: hardware.now)
      // A connection alone does not clear an older fault; a report does.
      if fault != nil || session.hasReported {
        monitor.receiver(
          fault: fault.map { "\($0)" }, lack: fault == nil ? watch.lack(at: now) : nil)
      }
      try link.keepAlive(stream, &session)
    }
  }
}
