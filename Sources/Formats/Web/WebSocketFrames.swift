/// The frames of a WebSocket: a server's, and a client's, which are masked.
/// - Source: RFC 6455, section 5.
public enum WebSocketFrame {
  /// The kinds of frame, by the four bits of their first byte.
  enum Kind: UInt8 {
    case continuation = 0
    case text = 1
    case binary = 2
    case close = 8
    case ping = 9
    case pong = 10
  }

  /// A message of text.
  public static func text(_ payload: [UInt8]) -> [UInt8] { frame(.text, payload) }

  /// The answer to a ping.
  public static func pong(_ payload: [UInt8]) -> [UInt8] { frame(.pong, payload) }

  /// A request whose answer shows that the client still reads.
  public static let ping = frame(.ping, [])

  /// The end, with a status such as 1000, the regular one.
  public static func close(_ status: Int) -> [UInt8] {
    frame(.close, [UInt8(truncatingIfNeeded: status >> 8), UInt8(truncatingIfNeeded: status)])
  }

  /// A client's text, masked.
  package static func masked(_ text: [UInt8]) -> [UInt8] { mask(.text, text) }

  /// A client's answer to a ping, masked.
  package static func maskedPong(_ payload: [UInt8]) -> [UInt8] { mask(.pong, payload) }

  /// A frame with its payload combined with a key that a client draws for each frame.
  /// - Source: RFC 6455, section 5.3.
  private static func mask(_ kind: Kind, _ payload: [UInt8]) -> [UInt8] {
    var bytes = frame(kind, payload)
    let start = bytes.count - payload.count
    bytes[1] |= 0x80
    let key = (0..<4).map { _ in UInt8.random(in: 0...255) }
    for place in payload.indices { bytes[start + place] ^= key[place & 3] }
    bytes.insert(contentsOf: key, at: start)
    return bytes
  }

  private static func frame(_ kind: Kind, _ payload: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = [0x80 | kind.rawValue]
    bytes.reserveCapacity(payload.count + 10)
    let count = payload.count
    if count < 126 {
      bytes.append(UInt8(count))
    } else {
      let size = count < 65_536 ? 2 : 8
      bytes.append(size == 2 ? 126 : 127)
      for place in (0..<size).reversed() {
        bytes.append(UInt8(truncatingIfNeeded: count >> (8 * place)))
      }
    }
    return bytes + payload
  }
}

/// Divides what the other end of a WebSocket sends into messages. It stores at most one message.
/// - Source: RFC 6455, sections 5.2 to 5.5.
public struct WebSocketReader: Sendable {
  /// What the other end has sent.
  public enum Message: Equatable, Sendable {
    case text([UInt8])
    case binary([UInt8])
    case ping([UInt8])
    case close
  }

  /// Why a connection must end.
  public struct Fault: Error, Equatable, Sendable, CustomStringConvertible {
    /// The status of the last frame: 1002 for a malformed frame, 1007 for a text that is not UTF-8,
    /// 1009 for a message that is too long.
    public let status: Int
    /// The reason in one line.
    public let description: String
  }

  private let longest: Int
  private let isMasked: Bool
  private var bytes: [UInt8] = []
  /// The parts of a message whose last frame has not arrived.
  private var message: (kind: WebSocketFrame.Kind, payload: [UInt8])?

  /// Reads messages up to a number of bytes: of a client, whose frames are masked, or of a server,
  /// whose frames are not.
  public init(longest: Int, isOfServer: Bool = false) {
    (self.longest, isMasked) = (longest, !isOfServer)
  }

  /// Adds received bytes.
  public mutating func append(_ received: ArraySlice<UInt8>) { bytes += received }

  /// The next message that is complete; nil until then.
  /// - Throws: `Fault`, after which nothing more is read.
  public mutating func next() throws(Fault) -> Message? {
    while let frame = try nextFrame() {
      if let message = try message(of: frame) { return message }
    }
    return nil
  }

  private typealias Frame = (kind: WebSocketFrame.Kind, isLast: Bool, payload: [UInt8])

  private mutating func nextFrame() throws(Fault) -> Frame? {
    guard bytes.count >= 2 else { return nil }
    guard bytes[0] & 0x70 == 0, let kind = WebSocketFrame.Kind(rawValue: bytes[0] & 0x0F),
      (bytes[1] & 0x80 != 0) == isMasked
    else { throw Fault(status: 1002, description: "a malformed frame") }
    let isLast = bytes[0] & 0x80 != 0
    let short = Int(bytes[1] & 0x7F)
    let size = short < 126 ? 0 : short == 126 ? 2 : 8
    // Frames about the connection are short and whole.
    guard kind.rawValue < 8 || size == 0 && isLast else {
      throw Fault(status: 1002, description: "a malformed frame")
    }
    guard bytes.count >= 2 + size else { return nil }
    let count = size == 0 ? UInt64(short) : bytes[2..<(2 + size)].reduce(0) { $0 << 8 | UInt64($1) }
    let before = kind == .continuation ? message?.payload.count ?? 0 : 0
    guard count <= UInt64(longest), Int(count) + before <= longest else {
      throw Fault(status: 1009, description: "a message of more than \(longest) bytes")
    }
    let start = 2 + size + (isMasked ? 4 : 0)
    guard bytes.count >= start + Int(count) else { return nil }
    var payload = Array(bytes[start..<(start + Int(count))])
    if isMasked {
      let mask = bytes[(start - 4)..<start]
      for place in payload.indices { payload[place] ^= mask[start - 4 + (place & 3)] }
    }
    bytes.removeFirst(start + Int(count))
    return (kind, isLast, payload)
  }

  private mutating func message(of frame: Frame) throws(Fault) -> Message? {
    switch frame.kind {
    case .ping: return .ping(frame.payload)
    case .pong: return nil
    case .close:
      // A status has two bytes; a reason follows it.
      let status = frame.payload.prefix(2).reduce(0) { $0 << 8 | Int($1) }
      guard frame.payload.isEmpty || frame.payload.count > 1 && Self.isStatus(status) else {
        throw Fault(status: 1002, description: "a malformed frame")
      }
      try checkText(frame.payload.dropFirst(2))
      return .close
    case .continuation:
      guard let begun = message else { throw Fault(status: 1002, description: "a malformed frame") }
      message = nil
      return try finish(begun.kind, begun.payload + frame.payload, frame.isLast)
    case .text, .binary:
      guard message == nil else { throw Fault(status: 1002, description: "a malformed frame") }
      return try finish(frame.kind, frame.payload, frame.isLast)
    }
  }

  /// Whether a status may be sent.
  /// - Source: RFC 6455, section 7.4, and IANA's registry of it.
  private static func isStatus(_ status: Int) -> Bool {
    (1000...1014).contains(status) && ![1004, 1005, 1006].contains(status)
      || (3000...4999).contains(status)
  }

  private mutating func finish(
    _ kind: WebSocketFrame.Kind, _ payload: [UInt8], _ isLast: Bool
  ) throws(Fault) -> Message? {
    guard isLast else {
      message = (kind, payload)
      return nil
    }
    guard kind == .text else { return .binary(payload) }
    try checkText(payload[...])
    return .text(payload)
  }

  private func checkText(_ bytes: ArraySlice<UInt8>) throws(Fault) {
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw Fault(status: 1007, description: "a text that is not UTF-8")
    }
  }
}
