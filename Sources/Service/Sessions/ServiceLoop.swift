import Foundation
import Monitoring
import Quantities
import ServiceProtocol

#if canImport(Glibc)
  import Glibc
#endif

/// All that the sessions' thread works with.
struct ServiceContext: Sendable {
  let configuration: ServeConfiguration
  let access: AccessKeeper
  let desks: DeskKeeper
  let supervisor: BoardSupervisor
  let hub: EstimateHub
  let samples: SampleHub
  let places: ReducedPlaces
  let manager: ServiceManager
  let log: ServiceLog
  let isLive: Bool
  let orders = DispatchQueue(label: "lodestar-orders")
}

/// The sessions' thread: one loop over the socket and all clients, which never waits for a disk or a sensor.
final class ServiceLoop: @unchecked Sendable {
  /// Seconds that clients have to take the daemon's last words.
  private static let farewell = 0.5

  let context: ServiceContext
  private let wakener: Wakener
  private let lock = NSLock()
  private var inbox: [@Sendable (ServiceLoop) -> Void] = []

  // Only on the thread.
  var sessions: [Int: ClientSession] = [:]
  var newestFix: Estimate?
  var deskDemand = FixDemand.none
  private let listener: SocketListener
  private let lastFix: LastFixFile
  private var nextNumber = 1
  private var isOver = false
  private var isAbandoned = false
  private var acceptsAgain: UInt64 = 0
  private var heartbeat = Heartbeat()
  private var buffer = [UInt8](repeating: 0, count: 65_536)

  init(_ context: ServiceContext, listener: SocketListener) throws(ServeError) {
    self.context = context
    self.listener = listener
    lastFix = LastFixFile(stateFolder: context.configuration.stateFolder, log: context.log)
    // A real place must not appear among simulated ones.
    newestFix = context.isLive ? lastFix.read() : nil
    do {
      wakener = try Wakener()
    } catch {
      throw .socket(error)
    }
  }

  /// Has something done on the thread, soon.
  func post(_ work: @escaping @Sendable (ServiceLoop) -> Void) {
    lock.withLock { inbox.append(work) }
    wakener.wake()
  }

  /// Estimates wait in the hub.
  func wake() { wakener.wake() }

  /// Runs until `finish`.
  func run() {
    while !isOver {
      turn()
      heartbeat.beat(self)
    }
    if !isAbandoned { lastFix.flush() }
  }

  /// Tells everybody that the daemon ends, and ends the loop.
  func finish(_ reason: String) {
    // A client that comes back at once waits for the next daemon.
    listener.remove()
    for number in sessions.keys { say(.goodbye(reason), to: number) }
    let end = Date(timeIntervalSinceNow: Self.farewell)
    while sessions.values.contains(where: { $0.wantsRoom }), Date() < end {
      for number in sessions.keys { flush(number) }
      Thread.sleep(forTimeInterval: 0.01)
    }
    for number in Array(sessions.keys) { close(number) }
    isOver = true
  }

  /// Ends the loop as a kill does: nobody is told, nothing is kept, the socket stays where it is.
  func abandon() {
    listener.abandon()
    sessions = [:]
    (isAbandoned, isOver) = (true, true)
  }

  // MARK: A turn

  private func turn() {
    let now = DispatchTime.now().uptimeNanoseconds
    let order = sessions.values.sorted { $0.number < $1.number }
    var files = [
      pollfd(fd: wakener.file, events: Int16(POLLIN), revents: 0),
      pollfd(
        fd: now >= acceptsAgain ? listener.socket?.file ?? -1 : -1, events: Int16(POLLIN),
        revents: 0),
    ]
    for session in order {
      var events: Int16 = session.wantsRoom ? Int16(POLLOUT) : 0
      if session.requests < ClientSession.mostRequests, !session.isClosing {
        events |= Int16(POLLIN)
      }
      files.append(pollfd(fd: session.socket.file, events: events, revents: 0))
    }
    guard poll(&files, nfds_t(files.count), Int32(heartbeat.milliseconds(context.manager))) > 0
    else { return dropSilent() }
    if files[0].revents != 0 { wakener.clear() }
    for work in lock.withLock({
      defer { inbox = [] }
      return inbox
    }) { work(self) }
    distribute()
    for (file, session) in zip(files.dropFirst(2), order) where sessions[session.number] != nil {
      if file.revents & ~Int16(POLLOUT) != 0 { read(session.number) }
    }
    for session in sessions.values where session.input.count > 0 { hearWhole(session.number) }
    for number in Array(sessions.keys) { flush(number) }
    if files[1].revents != 0 { takeIn() }
    dropSilent()
  }

  private func takeIn() {
    do throws(SocketFault) {
      while let socket = try listener.socket?.accepted() {
        let session = ClientSession(number: nextNumber, socket: socket, peer: try socket.peer())
        nextNumber += 1
        sessions[session.number] = session
        let uid = session.peer.uid
        let ofUser = sessions.values.filter { $0.peer.uid == uid }.count
        let most = context.configuration.mostClients
        let mostOfUser = context.configuration.mostClients(of: uid, daemon: getuid())
        if sessions.count <= most, ofUser > mostOfUser {
          refuse(
            session.number,
            ServiceFault(
              .tooMany,
              "\(mostOfUser) clients of the user \(uid) are connected, which is as many as may be"))
        }
        if sessions.count > most {
          refuse(
            session.number,
            ServiceFault(.tooMany, "\(most) clients are connected, which is as many as may be"))
        }
      }
    } catch {
      // As many files are open as may be, most likely: clients wait until one is closed.
      context.log.error("\(error)")
      acceptsAgain = DispatchTime.now().uptimeNanoseconds + 1_000_000_000
    }
  }

  private func dropSilent() {
    let now = DispatchTime.now().uptimeNanoseconds
    for session in sessions.values where session.hello == nil || session.isClosing {
      guard Double(now - session.connected) * 1e-9 > ClientSession.patience else { continue }
      if session.isClosing, session.hello != nil, session.wantsRoom, session.requests == 0 {
        close(session.number)
      } else if session.hello == nil {
        close(session.number)
      }
    }
  }

  private func read(_ number: Int) {
    guard let socket = sessions[number]?.socket else { return }
    let result = buffer.withUnsafeMutableBytes {
      bytes -> Result<UnixSocket.Received, SocketFault> in
      do throws(SocketFault) {
        return .success(try socket.read(into: bytes))
      } catch {
        return .failure(error)
      }
    }
    switch result {
    case .success(.nothing): return
    case .success(.end), .failure: return close(number)
    case .success(.bytes(let count)):
      buffer.withUnsafeBytes {
        sessions[number]?.input.append(UnsafeRawBufferPointer(rebasing: $0[..<count]))
      }
    }
    hearWhole(number)
  }

  /// Hears the lines that are whole, as far as requests are not too many: the rest waits for answers.
  private func hearWhole(_ number: Int) {
    while let session = sessions[number], !session.isClosing,
      session.requests < ClientSession.mostRequests
    {
      do throws(LineBuffer.Overflow) {
        guard let line = try sessions[number]?.input.next() else { return }
        hear(Array(line), from: number)
      } catch {
        refuse(number, ServiceFault(.tooLong, "a line is longer than \(error.limit) bytes"))
      }
    }
  }

  // MARK: Saying something

  func say(_ message: DaemonMessage, to number: Int) {
    do {
      try sessions[number]?.say(message)
    } catch {
      drop(number, error)
    }
  }

  /// Says why, and closes the connection once that is written.
  func refuse(_ number: Int, _ fault: ServiceFault) {
    if let name = sessions[number]?.name { context.log.warning("\(name): refused: \(fault)") }
    sessions[number]?.output.dropEstimates()
    sessions[number]?.output.dropSamples()
    say(.refused(fault), to: number)
    sessions[number]?.isClosing = true
  }

  private func flush(_ number: Int) {
    guard sessions[number]?.wantsRoom == true || sessions[number]?.isClosing == true else { return }
    do throws(SocketFault) {
      guard try sessions[number]?.flush() == true else { return close(number) }
    } catch {
      return close(number)
    }
    if let session = sessions[number], session.isClosing, !session.wantsRoom { close(number) }
  }

  /// The client does not read.
  private func drop(_ number: Int, _ overflow: OutputQueue.Overflow) {
    guard let session = sessions[number] else { return }
    let what =
      switch overflow {
      case .fixes: "\(OutputQueue.mostFixes) fixes wait; one that is to be stopped takes a lease"
      case .bytes: "\(OutputQueue.mostBytes) bytes wait"
      case .lines: "\(OutputQueue.mostLines) messages wait"
      }
    context.log.warning("\(session.name): dropped: it has not read for too long (\(what))")
    close(number)
  }

  func close(_ number: Int) {
    guard let session = sessions.removeValue(forKey: number) else { return }
    if let key = session.key {
      context.desks.disconnect(key, session: number)
      context.log.info("\(session.name) has gone")
    }
    if session.hasBegunCalibration {
      context.orders.async { [context] in context.supervisor.calibrator?.cancel() }
    }
    updateDemand()
    updateSamples()
  }

  // MARK: Estimates

  private func distribute() {
    let (fixes, heading) = context.hub.take()
    for fix in fixes {
      newestFix = fix
      if context.isLive { lastFix.take(fix) }
      let line = EncodedOnce()
      for number in sessions.keys {
        do throws(OutputQueue.Overflow) {
          try sessions[number]?.offer(fix: fix, line: line, places: context.places)
        } catch {
          drop(number, error)
        }
      }
    }
    for row in context.samples.take() {
      let samples = EncodedSamples(
        ServedSamples(
          timestamp: row.timestamp, inertial: row.inertial, field: row.field,
          pressure: row.pressure))
      for number in sessions.keys { sessions[number]?.offer(samples: samples) }
    }
    guard let heading else { return }
    let line = EncodedOnce()
    for number in sessions.keys { sessions[number]?.offer(heading: heading, line: line) }
  }

  /// Samples are taken while anybody wants them.
  func updateSamples() {
    context.samples.set(isWanted: sessions.values.contains { $0.takesSamples })
  }

  /// Tells the receiver what everybody together needs.
  func updateDemand() {
    let demands = sessions.values.filter { $0.access.authorization.isGranted }.map(
      \.demand.fixDemand)
    context.supervisor.setReceiverDemand(demands.reduce(deskDemand) { FixDemand.most($0, $1) })
  }
}
