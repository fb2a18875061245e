import Synchronization

/// A connection to a message bus, with its own thread.
///
/// The first use connects; a failure is a typed error. When the bus is lost, calls fail;
/// subscriptions and exported objects are restored when it returns. Safe from any thread. Callbacks
/// run on the connection's thread, one after the other; they may make calls and should be short.
public final class DBusConnection: Sendable {
  private let thread: DBusThread
  private let lastKey = Atomic(0)

  private typealias Answer = Waitable<Result<[DBusValue], DBusError>?>

  /// Makes a connection to a bus.
  public init(_ address: DBusAddress = .system) { thread = DBusThread(address: address) }

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
    if let loop = thread.loop { return try loop.callHere(call, deadline: deadline).get() }
    let answer = Answer(nil)
    let isTaken = thread.submit { loop in
      _ = loop.begin(call, deadline: deadline) { result in answer.withLock { $0 = result } }
    }
    let method = call.interface + "." + call.method
    guard isTaken else {
      throw DBusError(
        .disconnected, bus: address.name, service: call.service, method: method)
    }
    // A callback that blocks the thread must not block the caller beyond its timeout.
    guard let result = answer.wait(atMost: seconds + 0.1, { $0 }) else {
      throw DBusError(
        .timedOut(seconds: seconds), bus: address.name, service: call.service, method: method)
    }
    return try result.get()
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
    thread.submit { loop in
      _ = loop.begin(call, deadline: deadline) { [thread = loop.thread] result in
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
    if let loop = thread.loop { return try loop.send(signal) }
    let answer = Answer(nil)
    let isTaken = thread.submit { loop in
      let result: Result<[DBusValue], DBusError>
      do throws(DBusError) {
        try loop.send(signal)
        result = .success([])
      } catch {
        result = .failure(error)
      }
      answer.withLock { $0 = result }
    }
    guard isTaken else { throw DBusError(.disconnected, bus: address.name) }
    guard let result = answer.wait(atMost: BusLoop.busTimeout, { $0 }) else {
      throw DBusError(.timedOut(seconds: BusLoop.busTimeout), bus: address.name)
    }
    _ = try result.get()
  }

  /// Calls `body` for every matching signal, until the registration ends. The subscription is in
  /// effect before later calls on this connection.
  public func subscribe(
    to match: DBusMatch, _ body: @escaping @Sendable (DBusSignal) -> Void
  ) -> DBusRegistration {
    let key = lastKey.add(1, ordering: .relaxed).newValue
    run { $0.add(key, match, body) }
    return DBusRegistration { [weak thread] in thread?.submit { $0.removeSubscription(key) } }
  }

  /// Calls `body` with the unique name of a service's owner, nil without an owner: at first and
  /// after each change, until the registration ends. A lost bus means no owner. Before the first
  /// connection `body` is not called.
  public func watch(
    _ service: String, _ body: @escaping @Sendable (String?) -> Void
  ) -> DBusRegistration {
    let key = lastKey.add(1, ordering: .relaxed).newValue
    run { $0.add(key, watching: service, body) }
    return DBusRegistration { [weak thread] in thread?.submit { $0.removeWatch(key) } }
  }

  /// Answers the calls to an object of this process, until the registration ends. A second object
  /// with the same path replaces the first.
  public func export(
    _ path: String, _ body: @escaping @Sendable (DBusIncomingCall) -> DBusAnswer
  ) -> DBusRegistration {
    let key = lastKey.add(1, ordering: .relaxed).newValue
    run { $0.add(key, object: path, body) }
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
    run { $0.add(name: name) }
  }

  /// The unique name of this connection; nil while not connected.
  public var uniqueName: String? {
    if let loop = thread.loop { return loop.uniqueName.isEmpty ? nil : loop.uniqueName }
    let answer = Waitable<String?>(nil)
    let isTaken = thread.submit { loop in answer.withLock { $0 = loop.uniqueName } }
    guard isTaken, let name = answer.wait(atMost: BusLoop.busTimeout, { $0 }), !name.isEmpty
    else { return nil }
    return name
  }

  /// Runs `body` on the connection's thread after `seconds`, behind the jobs that already wait. Not
  /// called after the connection is closed.
  public func perform(after seconds: Double = 0, _ body: @escaping @Sendable () -> Void) {
    thread.submit { loop in
      if seconds > 0 { loop.runLater(seconds, body) } else { body() }
    }
  }

  /// Closes the connection. Pending calls fail; no callback is called afterwards.
  public func close() { thread.close() }

  /// Runs a job at once on the thread, or queues it from another thread.
  private func run(_ job: @escaping @Sendable (BusLoop) -> Void) {
    if let loop = thread.loop { job(loop) } else { thread.submit(job) }
  }
}
