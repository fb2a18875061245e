import Foundation

/// A connection to a message bus, with its own thread.
///
/// The first use connects; a failure is a typed error. When the bus is lost, calls fail; subscriptions and
/// exported objects are restored when it returns. Safe from any thread. Callbacks run on the connection's
/// thread, one after the other; they may make calls and should be short.
public final class DBusConnection: Sendable {
  private let thread: BusThread
  private let keys = KeyCounter()

  /// Makes a connection to a bus.
  public init(_ address: DBusAddress = .system) { thread = BusThread(address: address) }

  deinit { thread.close() }

  /// The address of the bus.
  public var address: DBusAddress { thread.address }

  /// Calls a method and waits for its answer.
  /// - Parameters:
  ///   - call: The call.
  ///   - seconds: The timeout, including the time to connect.
  /// - Returns: The method's results.
  /// - Throws: `DBusError` without an answer, or with the service's error.
  public func call(
    _ call: DBusCall, within seconds: Double = 5
  ) throws(DBusError) -> [DBusValue] {
    let deadline = BusClock.seconds + seconds
    if thread.isHere { return try thread.callHere(call, deadline: deadline).get() }
    let box = AnswerBox()
    let isTaken = thread.submit { thread in
      _ = thread.begin(call, deadline: deadline) { box.put($0) }
    }
    let method = call.interface + "." + call.method
    guard isTaken else {
      throw DBusError(
        .disconnected, bus: address.name, service: call.service, method: method)
    }
    // A callback that blocks the thread must not block the caller beyond its timeout.
    guard let answer = box.take(within: seconds + 0.1) else {
      throw DBusError(
        .timedOut(seconds: seconds), bus: address.name, service: call.service, method: method)
    }
    return try answer.get()
  }

  /// Calls a method without waiting, for services that call back before they answer.
  /// - Parameters:
  ///   - call: The call.
  ///   - seconds: The timeout.
  ///   - body: Receives the results or the error, on the connection's thread.
  public func call(
    _ call: DBusCall, within seconds: Double = 5,
    then body: @escaping @Sendable (Result<[DBusValue], DBusError>) -> Void
  ) {
    let deadline = BusClock.seconds + seconds
    thread.submit { thread in
      _ = thread.begin(call, deadline: deadline) { result in
        // Queued: the answer may arrive while another callback waits for its own.
        thread.submit { _ in body(result) }
      }
    }
  }

  /// Reads a property of an object.
  /// - Parameters:
  ///   - name: The property.
  ///   - interface: Its interface.
  ///   - path: The object.
  ///   - service: The service.
  /// - Returns: Its value, unwrapped from the variant.
  /// - Throws: `DBusError` if it cannot be read.
  public func property(
    _ name: String, of interface: String, at path: String, service: String
  ) throws(DBusError) -> DBusValue {
    let asked = DBusCall(
      service, path, "org.freedesktop.DBus.Properties", "Get", [.string(interface), .string(name)])
    guard let value = try call(asked).first else {
      throw DBusError(
        .unexpectedAnswer("no value"), bus: address.name, service: service,
        method: interface + "." + name)
    }
    return value.unwrapped
  }

  /// Sends a signal.
  /// - Throws: `DBusError` if the bus cannot be reached or the signal cannot be encoded.
  public func send(_ signal: DBusSignal) throws(DBusError) {
    let box = AnswerBox()
    let name = address.name
    let job: (BusThread) -> Void = { thread in
      do throws(DBusError) {
        try thread.connectIfNeeded()
        do throws(DBusWire.Fault) {
          try thread.link?.send(signal)
        } catch {
          throw DBusError(.invalidMessage(error.what), bus: name)
        }
        box.put(.success([]))
      } catch {
        box.put(.failure(error))
      }
    }
    if thread.isHere {
      job(thread)
    } else if !thread.submit(job) {
      throw DBusError(.disconnected, bus: name)
    }
    guard let answer = box.take(within: BusThread.busTimeout) else {
      throw DBusError(.timedOut(seconds: BusThread.busTimeout), bus: name)
    }
    _ = try answer.get()
  }

  /// Calls `body` for every matching signal, until the registration ends. The subscription is in effect
  /// before later calls on this connection.
  public func subscribe(
    to match: DBusMatch, _ body: @escaping @Sendable (DBusSignal) -> Void
  ) -> DBusRegistration {
    let key = keys.next()
    run { $0.add(key, match, body) }
    return DBusRegistration { [weak thread] in thread?.submit { $0.removeSubscription(key) } }
  }

  /// Calls `body` with the unique name of a service's owner, nil without an owner: at first and after each
  /// change, until the registration ends. A lost bus means no owner. Before the first connection `body` is
  /// not called.
  public func watch(
    _ service: String, _ body: @escaping @Sendable (String?) -> Void
  ) -> DBusRegistration {
    let key = keys.next()
    run { $0.add(key, watching: service, body) }
    return DBusRegistration { [weak thread] in thread?.submit { $0.removeWatch(key) } }
  }

  /// Answers the calls to an object of this process, until the registration ends. A second object with the
  /// same path replaces the first.
  public func export(
    _ path: String, _ body: @escaping @Sendable (DBusIncomingCall) -> DBusAnswer
  ) -> DBusRegistration {
    let key = keys.next()
    run { $0.standing.objects[path] = (key, body) }
    return DBusRegistration { [weak thread] in thread?.submit { $0.removeObject(path, key) } }
  }

  /// Requests a well-known name for this process, now and after each reconnection.
  /// - Throws: `DBusError` if the bus refuses it, or another process owns it.
  public func own(_ name: String) throws(DBusError) {
    let asked = DBusCall.bus("RequestName", [.string(name), .uint32(4)])
    // 1: this connection is the owner; 4: it already was.
    guard let answer = try call(asked).first?.integer, answer == 1 || answer == 4 else {
      throw DBusError(
        .refused(name: "name taken", message: "another process owns \(name)"), bus: address.name)
    }
    run { $0.standing.names.insert(name) }
  }

  /// The unique name of this connection; nil while not connected.
  public var uniqueName: String? {
    let box = AnswerBox()
    guard thread.submit({ box.put(.success([.string($0.uniqueName)])) }),
      case .success(let values) = box.take(within: BusThread.busTimeout), let name = values[0].text
    else { return nil }
    return name.isEmpty ? nil : name
  }

  /// Runs `body` on the connection's thread after `seconds`, behind the jobs that already wait. Not called
  /// after the connection is closed.
  public func perform(after seconds: Double = 0, _ body: @escaping @Sendable () -> Void) {
    thread.submit { thread in
      if seconds > 0 { thread.runLater(seconds, body) } else { body() }
    }
  }

  /// Closes the connection. Pending calls fail; no callback is called afterwards.
  public func close() { thread.close() }

  /// Runs a job at once on the thread, or queues it from another thread.
  private func run(_ job: @escaping (BusThread) -> Void) {
    if thread.isHere { job(thread) } else { thread.submit(job) }
  }
}

/// Passes one answer from the connection's thread to the waiting thread.
private final class AnswerBox: @unchecked Sendable {
  private let semaphore = DispatchSemaphore(value: 0)
  private let lock = NSLock()
  private var answer: Result<[DBusValue], DBusError>?

  func put(_ answer: Result<[DBusValue], DBusError>) {
    lock.withLock { self.answer = answer }
    semaphore.signal()
  }

  func take(within seconds: Double) -> Result<[DBusValue], DBusError>? {
    _ = semaphore.wait(timeout: .now() + seconds)
    return lock.withLock { answer }
  }
}

/// Makes the keys of registrations.
private final class KeyCounter: @unchecked Sendable {
  private let lock = NSLock()
  private var last = 0

  func next() -> Int {
    lock.withLock {
      last += 1
      return last
    }
  }
}
