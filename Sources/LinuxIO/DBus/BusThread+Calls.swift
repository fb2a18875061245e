import Foundation

/// A call that waits for its answer.
struct PendingCall {
  var deadline: Double
  var timeout: Double
  var service: String
  var method: String
  var finish: (Result<[DBusValue], DBusError>) -> Void
}

extension DBusCall {
  /// A call to the bus itself.
  package static func bus(_ method: String, _ arguments: [DBusValue] = []) -> DBusCall {
    DBusCall(
      "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", method, arguments)
  }
}

extension BusThread {
  /// Sends a call and connects first if needed; `finish` runs on the thread, exactly once.
  func begin(
    _ call: DBusCall, deadline: Double, isConnecting: Bool = false,
    finish: @escaping (Result<[DBusValue], DBusError>) -> Void
  ) -> UInt32? {
    let method = call.interface + "." + call.method
    if !isConnecting {
      do throws(DBusError) {
        try connectIfNeeded()
      } catch {
        finish(
          .failure(
            DBusError(error.kind, bus: address.name, service: call.service, method: method)))
        return nil
      }
    }
    guard let link else {
      finish(
        .failure(
          DBusError(.disconnected, bus: address.name, service: call.service, method: method)))
      return nil
    }
    do throws(DBusWire.Fault) {
      let serial = try link.send(call)
      pending[serial] = PendingCall(
        deadline: deadline, timeout: deadline - BusClock.seconds, service: call.service,
        method: method, finish: finish)
      return serial
    } catch {
      finish(
        .failure(
          DBusError(
            .invalidMessage(error.what), bus: address.name, service: call.service, method: method)))
      return nil
    }
  }

  /// Sends a call and runs `turn` until its answer arrives; other messages stay in the inbox.
  func callHere(
    _ call: DBusCall, deadline: Double, isConnecting: Bool = false
  ) -> Result<[DBusValue], DBusError> {
    var answer: Result<[DBusValue], DBusError>?
    _ = begin(call, deadline: deadline, isConnecting: isConnecting) { answer = $0 }
    while answer == nil, link != nil {
      turn()
      if answer == nil { wait(until: deadline) }
    }
    return answer
      ?? .failure(
        DBusError(
          .disconnected, bus: address.name, service: call.service,
          method: call.interface + "." + call.method))
  }

  /// Delivers an answer to its pending call; appends other messages to the inbox.
  func sort(_ received: BusLink.Received) {
    let serial: UInt32
    switch received.kind {
    case .call, .signal:
      inbox.append(received)
      return
    case .reply(let number), .fault(let number, _): serial = number
    }
    // No pending call: the answer arrived after the timeout.
    guard let call = pending.removeValue(forKey: serial) else { return }
    let kind: DBusError.Kind
    switch (received.kind, received.values) {
    case (.fault(_, let name), let values):
      var message = ""
      if case .success(let texts) = values { message = texts.first?.text ?? "" }
      kind = DBusError.kind(named: name, message: message)
    case (_, .success(let values)):
      call.finish(.success(values))
      return
    case (_, .failure(let fault)): kind = .unexpectedAnswer(fault.what)
    }
    call.finish(
      .failure(DBusError(kind, bus: address.name, service: call.service, method: call.method)))
  }

  /// Ends the calls whose deadline has passed.
  func expire() {
    let now = BusClock.seconds
    for (serial, call) in pending where call.deadline <= now {
      pending[serial] = nil
      let seconds = (call.timeout * 10).rounded() / 10
      call.finish(
        .failure(
          DBusError(
            .timedOut(seconds: seconds), bus: address.name, service: call.service,
            method: call.method)))
    }
  }
}
