import Glibc
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
  /// Limit of the bytes that are read from one client in one turn, and of its lines that are
  /// handled: every client has its turn.
  private static let (mostRead, mostLines) = (16_384, 16)
  /// Seconds of a turn after which no further client's lines are handled; the next turn begins with
  /// that client.
  private static let turnSeconds = 0.02
  /// The least interval between two log entries about refused connections, seconds.
  private static let refusalInterval = 10.0

  let host: LocationHost
  let configuration: ServeConfiguration
  let manager: ServiceManager
  let log: HostLog
  let wakener: Wakener
  let inbox: Locked<[Work]>
  let listener: SocketListener

  private var clients: [Int: ClientSocket] = [:]
  private var isOver = false
  private var acceptance = Acceptance()
  private var reports = ServiceReports()
  private var accounts = Accounts()
  /// The client whose lines are handled first in the next turn.
  private var nextClient = 0
  private var refusals: (unlogged: Int, logged: Timestamp?) = (0, nil)
  private var buffer = [UInt8](repeating: 0, count: mostRead)

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
      let count = clients.values.filter { $0.application != nil }.count
      reports.beat(host, manager, log, clients: count)
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
      MonotonicClock.sleep(seconds: 0.01)
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
    let accepting = acceptance.isOpen() ? listener.socket?.file : nil
    var files = [
      pollfd(fd: wakener.file, events: Int16(POLLIN), revents: 0),
      pollfd(fd: accepting ?? -1, events: Int16(POLLIN), revents: 0),
    ]
    var hasWork = false
    for number in numbers {
      let mayHandle = clients[number]?.mayHandle == true
      let hasInput = clients[number]?.hasInput() == true
      hasWork = hasWork || mayHandle && hasInput
      var events: Int16 = clients[number]?.wantsRoom == true ? Int16(POLLOUT) : 0
      if mayHandle, !hasInput { events |= Int16(POLLIN) }
      // Without an event to wait for, a closed connection would end each wait at once.
      let file = events == 0 ? -1 : clients[number]?.socket.file ?? -1
      files.append(pollfd(fd: file, events: events, revents: 0))
    }
    let timeout = hasWork ? 0 : reports.milliseconds(manager)
    guard poll(&files, nfds_t(files.count), timeout) >= 0 else { return dropUnresponsive() }
    if files[0].revents != 0 { wakener.clear() }
    let works = inbox.withLock { inbox in
      defer { inbox = [] }
      return inbox
    }
    for work in works { work(&self) }
    for (file, number) in zip(files.dropFirst(2), numbers) where clients[number] != nil {
      if file.events & Int16(POLLIN) != 0, file.revents & ~Int16(POLLOUT) != 0 { read(number) }
    }
    handleLines(of: numbers)
    for number in numbers { flush(number) }
    if files[1].revents != 0 { accept() }
    dropUnresponsive()
  }

  private mutating func accept() {
    let (sockets, fault) = acceptance.accept(listener.socket)
    if let fault { log.error("\(fault)") }
    for socket in sockets {
      do throws(NetworkError) {
        add(socket, try socket.peerCredentials())
      } catch {
        log.error("\(error)")
      }
    }
  }

  private mutating func add(_ socket: StreamSocket, _ peer: PeerCredentials) {
    let ofUser = clients.values.filter { $0.client.peer.uid == peer.uid }.count
    let most = configuration.mostClients
    let mostOfUser = configuration.mostClients(of: peer.uid, daemon: getuid())
    if clients.count >= most {
      return refuse(socket, peer, "client limit reached (\(most)); close one or raise most-clients")
    }
    if ofUser >= mostOfUser {
      return refuse(
        socket, peer,
        "client limit reached for user \(peer.uid) (\(mostOfUser)); close one or raise most-clients"
      )
    }
    let end = ClientSocket(socket, peer, accounts.ofUser(peer.uid, configuration))
    let client = end.client
    let number = host.connect(peer) { [weak client, wakener] delivery in
      client?.deliver(delivery)
      wakener.wake()
    }
    clients[number] = end
  }

  /// Refuses a connection that exceeds a limit, and closes it at once.
  private mutating func refuse(_ socket: StreamSocket, _ peer: PeerCredentials, _ reason: String) {
    do throws(NetworkError) {
      // A new connection has room for the message.
      let line = HostMessage.refused(HostFault(.tooMany, reason)).line + [UInt8(ascii: "\n")]
      _ = try socket.write(line[...])
    } catch {
      // The peer has left.
    }
    refusals.unlogged += 1
    let now = MonotonicClock.now
    if let logged = refusals.logged, now.seconds(since: logged) < Self.refusalInterval { return }
    log.warning(
      "pid \(peer.pid), uid \(peer.uid): refused: \(reason); \(refusals.unlogged) refused since the last "
        + "such entry")
    refusals = (0, now)
  }

  private mutating func dropUnresponsive() {
    for account in accounts.all where account.isOverdrawn {
      let members = clients.values.map(\.client).filter { $0.accounts.contains { $0 === account } }
      members.max { $0.messageBytes < $1.messageBytes }?.overdraw()
    }
    for (number, client) in clients {
      if client.isStalled { client.client.overdraw() }
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
      // What was received before is still handled.
      clients[number]?.hasEnded = true
    }
  }

  private mutating func handleLines(of numbers: [Int]) {
    let begin = MonotonicClock.now
    let first = numbers.firstIndex { $0 >= nextClient } ?? 0
    for number in numbers[first...] + numbers[..<first] {
      nextClient = number
      guard MonotonicClock.now.seconds(since: begin) < Self.turnSeconds else { return }
      handleLines(number)
    }
    nextClient = 0
  }

  /// Processes complete lines, as many as one turn and the client's accounts allow.
  private mutating func handleLines(_ number: Int) {
    for _ in 0..<Self.mostLines {
      guard let client = clients[number]?.client, !client.isClosing, !client.isBusy else { return }
      if let held = clients[number]?.held {
        clients[number]?.held = nil
        pass(held, number, client)
        continue
      }
      do throws(LineBuffer.Overflow) {
        guard let line = try clients[number]?.input.next() else {
          if clients[number]?.hasEnded == true { close(number) }
          return
        }
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
    if case .hello(let hello) = message, clients[number]?.application == nil {
      let key = ApplicationKey(uid: client.peer.uid, id: hello.application)
      let most = configuration.mostClientsOfApplication
      let ofApplication = clients.values.filter {
        $0.application == key.id && $0.client.peer.uid == key.uid
      }
      guard ofApplication.count < most else {
        return refuse(
          client,
          HostFault(
            .tooMany,
            "client limit reached for one application (\(most)); close one or raise most-clients"))
      }
      clients[number]?.application = key.id
      // The host refuses an invalid name, which gets no account.
      if ApplicationKey.isValid(key.id) {
        client.join(accounts.ofApplication(key, configuration))
        // Its turn comes when the application's account has room.
        if client.isBusy {
          clients[number]?.held = message
          return
        }
      }
    }
    pass(message, number, client)
  }

  private func pass(_ message: ClientMessage, _ number: Int, _ client: SocketClient) {
    let end = client.beginRequest(weight: message.weight)
    host.handle(message, from: number) { [wakener] in
      end()
      wakener.wake()
    }
  }

  // MARK: Closing connections

  /// Sends the reason, and closes the connection once it is sent.
  private func refuse(_ client: SocketClient, _ fault: HostFault) {
    log.warning("\(client.name): refused: \(fault)")
    client.deliver(.dropEstimates)
    client.deliver(.dropSamples)
    client.deliver(.message(.refused(fault)))
    client.deliver(.close)
  }

  private mutating func flush(_ number: Int) {
    guard let client = clients[number]?.client else { return }
    if client.fault != nil { return drop(number) }
    clients[number]?.flush()
    if client.isClosing, clients[number]?.wantsRoom == false { close(number) }
  }

  /// Disconnects a client that does not read.
  private mutating func drop(_ number: Int) {
    guard let client = clients[number]?.client, let overflow = client.fault else { return }
    let what =
      switch overflow {
      case .fixes:
        "\(OutputQueue.mostFixes) fixes queued; take a lease before stopping a program"
      case .bytes: "\(client.messageBytes) bytes queued"
      case .lines: "\(OutputQueue.mostLines) messages queued"
      }
    log.warning("\(client.name): dropped: the client does not read (\(what))")
    close(number)
  }

  private mutating func close(_ number: Int) {
    guard let client = clients.removeValue(forKey: number)?.client else { return }
    // Its end is work too, which counts until it is done.
    host.disconnect(number, done: client.beginRequest(weight: 1))
    accounts.prune(clients.values.map(\.client))
  }
}

extension ClientMessage {
  /// The weight of the request in an account. Registrations may have a thousand times the bytes of
  /// another answer.
  fileprivate var weight: Int { if case .registrations = self { 16 } else { 1 } }
}
