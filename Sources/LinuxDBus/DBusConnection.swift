import Foundation

/// A connection to a message bus, with a thread of its own.
///
/// It is made without connecting: the first use connects, and what fails then is a typed error. When the bus
/// goes away, calls fail; subscriptions and exported objects come back with it. Safe from any thread.
/// Callbacks run on the connection's thread, one after the other, and may make calls: keep them short.
public final class DBusConnection: Sendable {
  private let thread: BusThread
  private let keys = KeyCounter()

  /// Makes a connection to a bus.
  public init(_ address: DBusAddress = .system) { thread = BusThread(address: address) }

  deinit { thread.close() }

  /// Where the bus listens.
  public var address: DBusAddress { thread.address }

  /// Calls a method and waits for its answer.
  /// - Parameters:
  ///   - call: What to call.
  ///   - seconds: How long to wait, connecting included.
  /// - Returns: The method's results.
  /// - Throws: Why there are none.
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
    // A callback that holds the thread up must not hold the caller up with it.
    guard let answer = box.take(within: seconds + 0.1) else {
      throw DBusError(
        .timedOut(seconds: seconds), bus: address.name, service: call.service, method: method)
    }
    return try answer.get()
  }

  /// Calls a method without waiting, for services that ask back before they answer.
  /// - Parameters:
  ///   - call: What to call.
  ///   - seconds: How long the answer may take.
  ///   - body: Takes the results, or why there are none, on the connection's thread.
  public func call(
    _ call: DBusCall, within seconds: Double = 5,
    then body: @escaping @Sendable (Result<[DBusValue], DBusError>) -> Void
  ) {
    let deadline = BusClock.seconds + seconds
    thread.submit { thread in
      _ = thread.begin(call, deadline: deadline) { result in
        // In turn: an answer may come in while another callback waits for its own.
        thread.submit { _ in body(result) }
      }
    }
  }

  /// A property of an object.
  /// - Parameters:
  ///   - name: The property.
  ///   - interface: Its interface.
  ///   - path: The object.
  ///   - service: The service.
  /// - Returns: Its value, out of its variant.
  /// - Throws: Why it cannot be had.
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
  /// - Throws: Where the bus cannot be reached or the signal cannot be carried.
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
    guard let answer = box.take(within: BusThread.busPatience) else {
      throw DBusError(.timedOut(seconds: BusThread.busPatience), bus: name)
    }
    _ = try answer.get()
  }

  /// Calls `body` for every signal that fits, until the registration ends. Calls that follow on this
  /// connection find the subscription in place.
  public func subscribe(
    to match: DBusMatch, _ body: @escaping @Sendable (DBusSignal) -> Void
  ) -> DBusRegistration {
    let key = keys.next()
    run { $0.add(key, match, body) }
    return DBusRegistration { [weak thread] in thread?.submit { $0.removeSubscription(key) } }
  }

  /// Calls `body` with a service's unique name, nil where nobody owns its name: at first and after each
  /// change, until the registration ends. A bus that goes away takes its services along; before there is a
  /// bus nothing is said.
  public func watch(
    _ service: String, _ body: @escaping @Sendable (String?) -> Void
  ) -> DBusRegistration {
    let key = keys.next()
    run { $0.add(key, watching: service, body) }
    return DBusRegistration { [weak thread] in thread?.submit { $0.removeWatch(key) } }
  }

  /// Answers the calls to an object of this process, until the registration ends. A second object of the
  /// same path takes the place of the first.
  public func export(
    _ path: String, _ body: @escaping @Sendable (DBusIncomingCall) -> DBusAnswer
  ) -> DBusRegistration {
    let key = keys.next()
    run { $0.standing.objects[path] = (key, body) }
    return DBusRegistration { [weak thread] in thread?.submit { $0.removeObject(path, key) } }
  }

  /// Takes a name that others can call this process by, now and after each reconnection.
  /// - Throws: Where the bus refuses it, or another process has it.
  public func own(_ name: String) throws(DBusError) {
    let asked = DBusCall.bus("RequestName", [.string(name), .uint32(4)])
    // 1: this connection is the owner; 4: it already was.
    guard let answer = try call(asked).first?.integer, answer == 1 || answer == 4 else {
      throw DBusError(
        .refused(name: "name taken", message: "another process owns \(name)"), bus: address.name)
    }
    run { $0.standing.names.insert(name) }
  }

  /// The name that the bus gave this connection; nil while there is none.
  public var uniqueName: String? {
    let box = AnswerBox()
    guard thread.submit({ box.put(.success([.string($0.uniqueName)])) }),
      case .success(let values) = box.take(within: BusThread.busPatience), let name = values[0].text
    else { return nil }
    return name.isEmpty ? nil : name
  }

  /// Runs `body` on the connection's thread, where callbacks run, after those that wait already and after so
  /// many seconds. Nothing runs once the connection is closed.
  public func perform(after seconds: Double = 0, _ body: @escaping @Sendable () -> Void) {
    thread.submit { thread in
      if seconds > 0 { thread.runLater(seconds, body) } else { body() }
    }
  }

  /// Ends it. Calls that wait fail, and nothing is delivered any more.
  public func close() { thread.close() }

  /// At once where this is the thread, in turn where not.
  private func run(_ job: @escaping (BusThread) -> Void) {
    if thread.isHere { job(thread) } else { thread.submit(job) }
  }
}

/// Hands one answer from the connection's thread to the thread that waits.
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

/// Numbers for registrations.
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
