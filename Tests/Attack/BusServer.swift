import LinuxIO

/// A bus of one client, as bytes: it authenticates the client, and answers its calls.
/// - Source: D-Bus Specification 0.43, Message Protocol and Authentication Protocol.
enum BusServer {
  /// The unique name of the owner of every service.
  static let owner = ":1.2"

  /// The usual answer to a call, whose text contains its names and arguments.
  static func answer(_ call: String) -> [DBusValue]? {
    if call.contains("Hello") { return [.string(":1.7")] }
    return call.contains("GetNameOwner") ? [.string(owner)] : []
  }

  /// Answers a client's calls; nil is an error.
  static func conduct(
    _ answer: @escaping @Sendable (String) -> [DBusValue]?
  ) -> HostilePeer.Conduct {
    { try serve($0, answer) }
  }

  /// Answers a client's calls.
  /// - Parameters:
  ///   - client: The client.
  ///   - answer: The answer to a call; nil is an error.
  ///   - isSilent: True where a request for all objects gets no answer.
  ///   - more: Called after a request for all objects.
  /// - Throws: Where the connection is over.
  static func serve(
    _ client: HostilePeer.Client, _ answer: (String) -> [DBusValue]?, isSilent: Bool = false,
    then more: ((HostilePeer.Client) throws -> Void)? = nil
  ) throws {
    var input = try authenticate(client)
    while true {
      while let call = removeMessage(&input) {
        let text = String(decoding: call, as: UTF8.self)
        let isLast = text.contains("GetManagedObjects")
        if !(isSilent && isLast) {
          let values = answer(text)
          try client.send(
            message(
              kind: values == nil ? 3 : 2, body: values ?? [],
              [(5, .uint32(word(call, 8))), (7, .string("org.freedesktop.DBus"))]
                + (values == nil ? [(4, .string("org.example.Refused"))] : [])))
        }
        if isLast { try more?(client) }
      }
      input += try client.receive()
    }
  }

  /// A signal.
  static func signal(
    _ sender: String, _ path: String, _ interface: String, _ member: String, _ body: [DBusValue]
  ) -> [UInt8] {
    message(
      kind: 4, body: body,
      [
        (1, .objectPath(path)), (2, .string(interface)), (3, .string(member)),
        (7, .string(sender)),
      ])
  }

  /// Returns what follows the authentication.
  private static func authenticate(_ client: HostilePeer.Client) throws -> [UInt8] {
    var input: [UInt8] = []
    while true {
      input += try client.receive()
      while let end = input.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: input[..<end], as: UTF8.self)
        input.removeSubrange(...end)
        if line.contains("BEGIN") { return input }
        let isName = line.contains("AUTH")
        try client.send(isName ? "OK 0123456789abcdef0123456789abcdef\r\n" : "ERROR\r\n")
      }
    }
  }

  /// Removes a complete message.
  private static func removeMessage(_ input: inout [UInt8]) -> [UInt8]? {
    guard input.count >= 16 else { return nil }
    let fields = (Int(word(input, 12)) + 7) / 8 * 8
    let size = 16 + fields + Int(word(input, 4))
    guard input.count >= size else { return nil }
    defer { input.removeFirst(size) }
    return Array(input[..<size])
  }

  private static func word(_ bytes: [UInt8], _ at: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 | UInt32(bytes[at + $1]) << UInt32(8 * $1) }
  }

  private static func message(
    kind: UInt8, body: [DBusValue], _ fields: [(UInt8, DBusValue)]
  ) -> [UInt8] {
    var content = BusBytes()
    for value in body { content.append(value) }
    let signature = body.map(\.signature).joined()
    let fields = fields + (body.isEmpty ? [] : [(8, .signature(signature))])
    var bytes = BusBytes()
    bytes.bytes = [UInt8(ascii: "l"), kind, 1, 1]
    bytes.append(.uint32(UInt32(content.bytes.count)))
    bytes.append(.uint32(1))
    bytes.append(
      .array(of: "(yv)", fields.map { .structure([.byte($0.0), .variant($0.1)]) }))
    bytes.align(8)
    return bytes.bytes + content.bytes
  }
}

/// Values in D-Bus's format, little-endian.
/// - Source: D-Bus Specification 0.43, Marshaling (Wire Format).
private struct BusBytes {
  var bytes: [UInt8] = []

  mutating func align(_ size: Int) { while bytes.count % size != 0 { bytes.append(0) } }

  private static func alignment(_ signature: String) -> Int {
    switch signature.first {
    case "y", "g", "v": 1
    case "n", "q": 2
    case "x", "t", "d", "(", "{": 8
    default: 4
    }
  }

  mutating func append(_ value: DBusValue) {
    switch value {
    case .byte(let number): append(number)
    case .boolean(let flag): append(UInt32(flag ? 1 : 0))
    case .int16(let number): append(number)
    case .uint16(let number): append(number)
    case .int32(let number): append(number)
    case .uint32(let number): append(number)
    case .int64(let number): append(number)
    case .uint64(let number): append(number)
    case .double(let number): append(number.bitPattern)
    case .string(let text), .objectPath(let text):
      append(UInt32(text.utf8.count))
      bytes += Array(text.utf8) + [0]
    case .signature(let text): bytes += [UInt8(text.utf8.count)] + Array(text.utf8) + [0]
    case .bytes(let content):
      append(UInt32(content.count))
      bytes += content
    case .array(let element, let elements):
      array(element) { body in for each in elements { body.append(each) } }
    case .dictionary(let key, let value, let entries):
      array("{" + key + value + "}") { body in
        for entry in entries { body.append(.structure([entry.key, entry.value])) }
      }
    case .structure(let members):
      align(8)
      for member in members { append(member) }
    case .variant(let value):
      append(.signature(value.signature))
      append(value)
    }
  }

  private mutating func append(_ number: some FixedWidthInteger) {
    align(number.bitWidth / 8)
    withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
  }

  private mutating func array(_ element: String, _ body: (inout BusBytes) -> Void) {
    append(UInt32(0))
    let length = bytes.count - 4
    align(Self.alignment(element))
    let start = bytes.count
    body(&self)
    withUnsafeBytes(of: UInt32(bytes.count - start).littleEndian) {
      bytes.replaceSubrange(length..<(length + 4), with: $0)
    }
  }
}
