import CLinuxIO

/// One open connection of libdbus, used on the thread that made it. Closed in `deinit`.
final class BusLink {
  /// A message that was received. Its values are decoded when they are read: decoded, they need up
  /// to a hundred times the memory of the message, whose size libdbus limits.
  final class Received {
    enum Kind { case call, reply(serial: UInt32), fault(serial: UInt32, name: String), signal }
    let kind: Kind
    let sender: String
    let path: String
    let interface: String
    let member: String
    fileprivate let message: UnsafeMutableRawPointer

    /// Takes ownership of a message.
    fileprivate init(_ message: UnsafeMutableRawPointer) {
      func field(_ text: UnsafePointer<CChar>?) -> String { text.map { String(cString: $0) } ?? "" }
      let serial = cdbus_reply_serial(message)
      kind =
        switch UInt32(cdbus_message_kind(message)) {
        case CDBUS_CALL.rawValue: .call
        case CDBUS_REPLY.rawValue: .reply(serial: serial)
        case CDBUS_FAULT.rawValue: .fault(serial: serial, name: field(cdbus_fault_name(message)))
        default: .signal
        }
      sender = field(cdbus_sender(message))
      path = field(cdbus_path(message))
      interface = field(cdbus_interface(message))
      member = field(cdbus_member(message))
      self.message = message
    }

    deinit { cdbus_release(message) }

    /// The values, or why they were rejected.
    var values: Result<[DBusValue], DBusWire.Fault> {
      do throws(DBusWire.Fault) {
        return .success(try DBusWire.decode(message))
      } catch {
        return .failure(error)
      }
    }

    /// Whether a call expects an answer.
    var wantsReply: Bool { cdbus_wants_reply(message) }
  }

  private let connection: UnsafeMutableRawPointer

  init(_ address: DBusAddress) throws(DBusError) {
    guard cdbus_load() else { throw DBusError(.libraryMissing, bus: address.name) }
    var fault = cdbus_fault()
    guard let connection = cdbus_open(address.text, &fault) else {
      let says = withUnsafeBytes(of: fault.message) { Self.text($0) }
      throw DBusError(.busMissing(says), bus: address.name)
    }
    self.connection = connection
  }

  deinit { cdbus_close(connection) }

  private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }

  var descriptor: Int32 { cdbus_descriptor(connection) }
  var isWriting: Bool { cdbus_is_writing(connection) }
  /// Reads and writes without waiting; false when the connection is lost.
  func turn() -> Bool { cdbus_turn(connection) }

  /// The next message.
  func receive() -> Received? { cdbus_receive(connection).map { Received($0) } }

  /// Queues a call; returns the serial number of its answer.
  func send(_ call: DBusCall) throws(DBusWire.Fault) -> UInt32 {
    guard let message = cdbus_make_call(call.service, call.path, call.interface, call.method)
    else { throw DBusWire.Fault(what: "a name or path is not valid") }
    defer { cdbus_release(message) }
    try DBusWire.encode(call.arguments, into: message)
    return try queue(message)
  }

  /// Queues a signal.
  func send(_ signal: DBusSignal) throws(DBusWire.Fault) {
    guard
      let message = cdbus_make_signal(
        signal.destination, signal.path, signal.interface, signal.name)
    else { throw DBusWire.Fault(what: "a name or path is not valid") }
    defer { cdbus_release(message) }
    try DBusWire.encode(signal.arguments, into: message)
    _ = try queue(message)
  }

  /// Queues an answer to a call.
  func answer(_ call: Received, with answer: DBusAnswer) throws(DBusWire.Fault) {
    let message: UnsafeMutableRawPointer? =
      switch answer {
      case .values: cdbus_make_reply(call.message)
      case .fault(let name, let text): cdbus_make_fault(call.message, name, text)
      }
    guard let message else { throw DBusWire.Fault(what: "the answer's error is not valid") }
    defer { cdbus_release(message) }
    if case .values(let values) = answer { try DBusWire.encode(values, into: message) }
    _ = try queue(message)
  }

  private func queue(_ message: UnsafeMutableRawPointer) throws(DBusWire.Fault) -> UInt32 {
    var serial: UInt32 = 0
    guard cdbus_send(connection, message, &serial) else {
      throw DBusWire.Fault(what: "no memory for the message")
    }
    return serial
  }
}
