import Foundation
import HostProtocol
import LinuxIO
import LocationHost
import Quantities
import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// The socket's thread: one loop over the listener and all clients. It never waits for a disk, a
/// sensor or a client.
final class SocketServer: Sendable {
  private let wakener: Wakener
  private let inbox: Locked<[SocketLoop.Work]>
  /// Locked by the thread while it runs.
  private let loop: Mutex<SocketLoop>

  init(
    _ host: LocationHost, listener: SocketListener, configuration: ServeConfiguration,
    manager: ServiceManager, log: HostLog
  ) throws(ServeError) {
    do {
      wakener = try Wakener()
    } catch {
      throw .socket(error)
    }
    inbox = Locked([])
    loop = Mutex(
      SocketLoop(
        host: host, configuration: configuration, manager: manager, log: log, wakener: wakener,
        inbox: inbox, listener: listener))
  }

  /// Runs `work` on the thread, soon.
  func post(_ work: @escaping SocketLoop.Work) {
    inbox.withLock { $0.append(work) }
    wakener.wake()
  }

  /// Runs until `finish` or `abandon`.
  func run() { loop.withLock { $0.run() } }
}

/// The state that only the socket's thread uses.
struct SocketLoop: Sendable {
  typealias Work = @Sendable (inout SocketLoop) -> Void

  /// Timeout of sending the last messages at the end, seconds.
  private static let shutdownGrace = 0.5
  /// Seconds without accepting clients after an error of `accept`.
  private static let acceptPause = 1.0

  let host: LocationHost
  let configuration: ServeConfiguration
  let manager: ServiceManager
  let log: HostLog
  let wakener: Wakener
  let inbox: Locked<[Work]>
  let listener: SocketListener

  private var clients: [Int: ClientSocket] = [:]
  private var isOver = false
  private var acceptFault: Timestamp?
  private var heartbeat = Heartbeat()
  private var buffer = [UInt8](repeating: 0, count: 65_536)

  init(
    host: LocationHost, configuration: ServeConfiguration, manager: ServiceManager, log: HostLog,
    wakener: Wakener, inbox: Locked<[Work]>, listener: SocketListener
  ) {
    (self.host, self.configuration, self.manager) = (host, configuration, manager)
    (self.log, self.wakener, self.inbox, self.listener) = (log, wakener, inbox, listener)
  }

  /// Runs until `finish` or `abandon`.
  mutating func run() {
    while !isOver {
      runOnce()
      let count = clients.values.filter { $0.hasGreeted }.count
      heartbeat.beat(host, manager, log, clients: count)
    }
  }

  /// Sends queued messages, closes all connections and ends the loop.
  mutating func finish() {
    // A client that reconnects at once waits for the next daemon.
    listener.remove()
    let begin = MonotonicClock.now
    while clients.values.contains(where: { $0.wantsRoom }),
      MonotonicClock.now.seconds(since: begin) < Self.shutdownGrace
    {
      for number in Array(clients.keys) { flush(number) }
      Thread.sleep(forTimeInterval: 0.01)
    }
    for number in Array(clients.keys) { close(number) }
    isOver = true
  }

  /// Ends the loop without removing the socket file, as a killed process does.
  mutating func abandon() {
    listener.abandon()
    clients = [:]
    isOver = true
  }

  // MARK: Loop

  private mutating func runOnce() {
    let numbers = clients.keys.sorted()
    let accepts =
      acceptFault.map { MonotonicClock.now.seconds(since: $0) >= Self.acceptPause } ?? true
    var files = [
      pollfd(fd: wakener.file, events: Int16(POLLIN), revents: 0),
      pollfd(
        fd: accepts ? listener.socket?.file ?? -1 : -1, events: Int16(POLLIN), revents: 0),
    ]
    for client in numbers.compactMap({ clients[$0] }) {
      var events: Int16 = client.wantsRoom ? Int16(POLLOUT) : 0
      if !client.client.isBusy, !client.client.isClosing { events |= Int16(POLLIN) }
      files.append(pollfd(fd: client.socket.file, events: events, revents: 0))
    }
    guard poll(&files, nfds_t(files.count), heartbeat.milliseconds(manager)) > 0
    else { return dropUnresponsive() }
    if files[0].revents != 0 { wakener.clear() }
    let works = inbox.withLock { inbox in
      defer { inbox = [] }
      return inbox
    }
    for work in works { work(&self) }
    for (file, number) in zip(files.dropFirst(2), numbers) where clients[number] != nil {
      if file.revents & ~Int16(POLLOUT) != 0 { read(number) }
    }
    for number in Array(clients.keys) where clients[number]?.input.count ?? 0 > 0 {
      handleLines(number)
    }
    for number in Array(clients.keys) { flush(number) }
    if files[1].revents != 0 { accept() }
    dropUnresponsive()
  }

  private mutating func accept() {
    do throws(NetworkError) {
      while let socket = try listener.socket?.accept() {
        let end = try ClientSocket(socket)
        let client = end.client
        let number = host.connect(client.peer) { [weak client, wakener] delivery in
          client?.take(delivery)
          wakener.wake()
        }
        clients[number] = end
        let uid = client.peer.uid
        let ofUser = clients.values.filter { $0.client.peer.uid == uid }.count
        let most = configuration.mostClients
        let mostOfUser = configuration.mostClients(of: uid, daemon: getuid())
        if clients.count <= most, ofUser > mostOfUser {
          refuse(
            client,
            HostFault(
              .tooMany,
              "client limit reached for user \(uid) (\(mostOfUser)); close one or raise most-clients"
            ))
        }
        if clients.count > most {
          refuse(
            client,
            HostFault(.tooMany, "client limit reached (\(most)); close one or raise most-clients"))
        }
      }
    } catch {
      // Probably the limit of open files: clients wait until a file is closed.
      log.error("\(error)")
      acceptFault = MonotonicClock.now
    }
  }

  private mutating func dropUnresponsive() {
    for (number, client) in clients {
      if client.client.fault != nil {
        drop(number)
      } else if client.isSilent {
        close(number)
      }
    }
  }

  private mutating func read(_ number: Int) {
    guard let socket = clients[number]?.socket else { return }
    do throws(NetworkError) {
      let count = try socket.read(into: &buffer)
      buffer.withUnsafeBytes {
        clients[number]?.input.append(UnsafeRawBufferPointer(rebasing: $0[..<count]))
      }
    } catch {
      return close(number)
    }
    handleLines(number)
  }

  /// Processes complete lines until the limit of unanswered requests is reached.
  private mutating func handleLines(_ number: Int) {
    while let client = clients[number]?.client, !client.isClosing, !client.isBusy {
      do throws(LineBuffer.Overflow) {
        guard let line = try clients[number]?.input.next() else { return }
        handle(Array(line), number, client)
      } catch {
        refuse(client, HostFault(.tooLong, "a line is longer than \(error.limit) bytes"))
      }
    }
  }

  private mutating func handle(_ line: [UInt8], _ number: Int, _ client: SocketClient) {
    let message: ClientMessage
    do throws(HostFault) {
      message = try ClientMessage(line: line)
    } catch {
      return refuse(client, error)
    }
    if case .hello = message { clients[number]?.hasGreeted = true }
    client.countRequest(1)
    host.handle(message, from: number) { [weak client, wakener] in
      client?.countRequest(-1)
      wakener.wake()
    }
  }

  // MARK: Closing connections

  /// Sends the reason, and closes the connection once it is sent.
  private func refuse(_ client: SocketClient, _ fault: HostFault) {
    log.warning("\(client.name): refused: \(fault)")
    client.take(.dropEstimates)
    client.take(.dropSamples)
    client.take(.message(.refused(fault)))
    client.take(.close)
  }

  private mutating func flush(_ number: Int) {
    guard let client = clients[number]?.client else { return }
    if client.fault != nil { return drop(number) }
    do throws(NetworkError) {
      try clients[number]?.flush()
    } catch {
      return close(number)
    }
    if client.isClosing, clients[number]?.wantsRoom == false { close(number) }
  }

  /// Disconnects a client that does not read.
  private mutating func drop(_ number: Int) {
    guard let client = clients[number]?.client, let overflow = client.fault else { return }
    let what =
      switch overflow {
      case .fixes:
        "\(OutputQueue.mostFixes) fixes queued; take a lease before stopping a program"
      case .bytes: "\(OutputQueue.mostBytes) bytes queued"
      case .lines: "\(OutputQueue.mostLines) messages queued"
      }
    log.warning("\(client.name): dropped: the client does not read (\(what))")
    close(number)
  }

  private mutating func close(_ number: Int) {
    guard clients.removeValue(forKey: number) != nil else { return }
    host.disconnect(number)
  }
}
