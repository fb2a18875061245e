import Foundation
import HostProtocol
import LinuxIO
import LocationHost

#if canImport(Glibc)
  import Glibc
#endif

/// The socket's thread: one loop over the listener and all clients of the host, which never waits for a disk, a sensor
/// or a client.
final class SocketServer: @unchecked Sendable {
  // Unchecked: `inbox` is read and written under `lock`; the rest on the thread only, once it runs.

  /// Seconds that clients have to read the daemon's last messages.
  private static let shutdownGrace = 0.5

  private let host: LocationHost
  private let configuration: ServeConfiguration
  private let manager: ServiceManager
  private let log: HostLog
  private let wakener: Wakener
  private let lock = NSLock()
  private var inbox: [@Sendable (SocketServer) -> Void] = []

  // Only on the thread.
  private var clients: [Int: SocketClient] = [:]
  private let listener: SocketListener
  private var isOver = false
  private var acceptsAgain: UInt64 = 0
  private var heartbeat = Heartbeat()
  private var buffer = [UInt8](repeating: 0, count: 65_536)

  init(
    _ host: LocationHost, listener: SocketListener, configuration: ServeConfiguration,
    manager: ServiceManager, log: HostLog
  ) throws(ServeError) {
    (self.host, self.listener, self.configuration) = (host, listener, configuration)
    (self.manager, self.log) = (manager, log)
    do {
      wakener = try Wakener()
    } catch {
      throw .socket(error)
    }
  }

  /// Has something done on the thread, soon.
  func post(_ work: @escaping @Sendable (SocketServer) -> Void) {
    lock.withLock { inbox.append(work) }
    wakener.wake()
  }

  /// Runs until `finish` or `abandon`.
  func run() {
    while !isOver {
      turn()
      let count = clients.values.filter { $0.hasGreeted }.count
      heartbeat.beat(host, manager, log, clients: count)
    }
  }

  /// Writes what waits for clients, closes their connections and ends the loop.
  func finish() {
    // A client that comes back at once waits for the next daemon.
    listener.remove()
    let end = DispatchTime.now() + Self.shutdownGrace
    while clients.values.contains(where: { $0.wantsRoom }), DispatchTime.now() < end {
      for number in Array(clients.keys) { flush(number) }
      Thread.sleep(forTimeInterval: 0.01)
    }
    for number in Array(clients.keys) { close(number) }
    isOver = true
  }

  /// Ends the loop as a kill does: the socket stays where it is.
  func abandon() {
    listener.abandon()
    clients = [:]
    isOver = true
  }

  // MARK: A turn

  private func turn() {
    let now = DispatchTime.now().uptimeNanoseconds
    let order = clients.sorted { $0.key < $1.key }
    var files = [
      pollfd(fd: wakener.file, events: Int16(POLLIN), revents: 0),
      pollfd(
        fd: now >= acceptsAgain ? listener.socket?.file ?? -1 : -1, events: Int16(POLLIN),
        revents: 0),
    ]
    for (_, client) in order {
      var events: Int16 = client.wantsRoom ? Int16(POLLOUT) : 0
      if !client.isBusy, !client.isClosing { events |= Int16(POLLIN) }
      files.append(pollfd(fd: client.socket.file, events: events, revents: 0))
    }
    guard poll(&files, nfds_t(files.count), Int32(heartbeat.milliseconds(manager))) > 0
    else { return dropSilent() }
    if files[0].revents != 0 { wakener.clear() }
    for work in lock.withLock({
      defer { inbox = [] }
      return inbox
    }) { work(self) }
    for (file, (number, _)) in zip(files.dropFirst(2), order) where clients[number] != nil {
      if file.revents & ~Int16(POLLOUT) != 0 { read(number) }
    }
    for (number, client) in clients where client.input.count > 0 { handleWhole(number) }
    for number in Array(clients.keys) { flush(number) }
    if files[1].revents != 0 { accept() }
    dropSilent()
  }

  private func accept() {
    do throws(NetworkError) {
      while let socket = try listener.socket?.accept() {
        let client = SocketClient(socket, peer: try socket.peerCredentials())
        let number = host.connect(client.peer) { [weak client, wakener] delivery in
          client?.take(delivery)
          wakener.wake()
        }
        client.number = number
        clients[number] = client
        let uid = client.peer.uid
        let ofUser = clients.values.filter { $0.peer.uid == uid }.count
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
      // The limit of open files, most likely: clients wait until one is closed.
      log.error("\(error)")
      acceptsAgain = DispatchTime.now().uptimeNanoseconds + 1_000_000_000
    }
  }

  private func dropSilent() {
    let now = DispatchTime.now().uptimeNanoseconds
    for (number, client) in clients {
      if client.fault != nil {
        drop(number)
      } else if !client.hasGreeted || client.isClosing,
        Double(now - client.connected) * 1e-9 > SocketClient.helloTimeout,
        !client.hasGreeted || client.wantsRoom && !client.hasRequests
      {
        close(number)
      }
    }
  }

  private func read(_ number: Int) {
    guard let client = clients[number] else { return }
    do throws(NetworkError) {
      let count = try client.socket.read(into: &buffer)
      buffer.withUnsafeBytes {
        client.input.append(UnsafeRawBufferPointer(rebasing: $0[..<count]))
      }
    } catch {
      return close(number)
    }
    handleWhole(number)
  }

  /// Handles the lines that are whole, as far as requests are not too many: the rest waits for answers.
  private func handleWhole(_ number: Int) {
    while let client = clients[number], !client.isClosing, !client.isBusy {
      do throws(LineBuffer.Overflow) {
        guard let line = try client.input.next() else { return }
        handle(Array(line), client)
      } catch {
        refuse(client, HostFault(.tooLong, "a line is longer than \(error.limit) bytes"))
      }
    }
  }

  private func handle(_ line: [UInt8], _ client: SocketClient) {
    let message: ClientMessage
    do throws(HostFault) {
      message = try ClientMessage(line: line)
    } catch {
      return refuse(client, error)
    }
    if case .hello = message { client.hasGreeted = true }
    client.countRequest(1)
    host.handle(message, from: client.number) { [weak client, wakener] in
      client?.countRequest(-1)
      wakener.wake()
    }
  }

  // MARK: Ends

  /// Sends why, and closes the connection once that is written.
  private func refuse(_ client: SocketClient, _ fault: HostFault) {
    log.warning("\(client.name): refused: \(fault)")
    client.take(.dropEstimates)
    client.take(.dropSamples)
    client.take(.message(.refused(fault)))
    client.take(.close)
  }

  private func flush(_ number: Int) {
    guard let client = clients[number] else { return }
    if client.fault != nil { return drop(number) }
    do throws(NetworkError) {
      if client.wantsRoom { try client.flush() }
    } catch {
      return close(number)
    }
    if client.isClosing, !client.wantsRoom { close(number) }
  }

  /// The client does not read.
  private func drop(_ number: Int) {
    guard let client = clients[number], let overflow = client.fault else { return }
    let what =
      switch overflow {
      case .fixes:
        "\(OutputQueue.mostFixes) fixes wait; a program that is to be stopped takes a lease"
      case .bytes: "\(OutputQueue.mostBytes) bytes wait"
      case .lines: "\(OutputQueue.mostLines) messages wait"
      }
    log.warning("\(client.name): dropped: it has not read for too long (\(what))")
    close(number)
  }

  private func close(_ number: Int) {
    guard clients.removeValue(forKey: number) != nil else { return }
    host.disconnect(number)
  }
}
