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

  /// A message of bytes.
  package static func binary(_ payload: [UInt8]) -> [UInt8] { frame(.binary, payload) }

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

/// Divides what the other end of a WebSocket sends into messages. It stores at most one message;
/// each byte is copied a fixed number of times, however small the frames are.
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
    /// 1008 for a part without content, 1009 for a message that is too long or has too many parts.
    public let status: Int
    /// The reason in one line.
    public let description: String
  }

  /// The most frames of one message: 64 of 1 KiB are the longest message that any caller accepts.
  private static let mostParts = 64

  private let longest: Int
  private let isMasked: Bool
  private var bytes: [UInt8] = []
  /// The index of the first byte that is not read.
  private var start = 0
  /// The kind of a message whose last frame has not arrived; nil outside one.
  private var kind: WebSocketFrame.Kind?
  /// Its content so far, and the number of its frames.
  private var (payload, parts): ([UInt8], Int) = ([], 0)

  /// Reads messages up to a number of bytes: of a client, whose frames are masked, or of a server,
  /// whose frames are not.
  public init(longest: Int, isOfServer: Bool = false) {
    (self.longest, isMasked) = (longest, !isOfServer)
  }

  /// Adds received bytes.
  public mutating func append(_ received: ArraySlice<UInt8>) {
    bytes.removeSubrange(..<start)
    start = 0
    bytes += received
  }

  /// The next message that is complete; nil until then.
  /// - Throws: `Fault`, after which nothing more is read.
  public mutating func next() throws(Fault) -> Message? {
    while let frame = try nextFrame() {
      if let message = try message(of: frame) { return message }
    }
    return nil
  }

  /// A frame, with the place of its unmasked content in `bytes`.
  private typealias Frame = (kind: WebSocketFrame.Kind, isLast: Bool, content: Range<Int>)

  private mutating func nextFrame() throws(Fault) -> Frame? {
    let available = bytes.count - start
    guard available >= 2 else { return nil }
    let (first, second) = (bytes[start], bytes[start + 1])
    guard first & 0x70 == 0, let kind = WebSocketFrame.Kind(rawValue: first & 0x0F),
      (second & 0x80 != 0) == isMasked
    else { throw Fault(status: 1002, description: "a malformed frame") }
    let isLast = first & 0x80 != 0
    let short = Int(second & 0x7F)
    let size = short < 126 ? 0 : short == 126 ? 2 : 8
    // Frames about the connection are short and whole.
    guard kind.rawValue < 8 || size == 0 && isLast else {
      throw Fault(status: 1002, description: "a malformed frame")
    }
    let header = 2 + size
    guard available >= header else { return nil }
    var count = size == 0 ? UInt64(short) : 0
    for place in (start + 2)..<(start + header) { count = count << 8 | UInt64(bytes[place]) }
    let before = kind == .continuation ? payload.count : 0
    guard count <= UInt64(longest), Int(count) + before <= longest else {
      throw Fault(status: 1009, description: "a message of more than \(longest) bytes")
    }
    let begin = start + header + (isMasked ? 4 : 0)
    let end = begin + Int(count)
    guard bytes.count >= end else { return nil }
    if isMasked {
      let mask = Array(bytes[(begin - 4)..<begin])
      for place in begin..<end { bytes[place] ^= mask[(place - begin) & 3] }
    }
    start = end
    return (kind, isLast, begin..<end)
  }

  private mutating func message(of frame: Frame) throws(Fault) -> Message? {
    let content = bytes[frame.content]
    switch frame.kind {
    case .ping: return .ping(Array(content))
    case .pong: return nil
    case .close:
      // A status has two bytes; a reason follows it.
      let status = content.prefix(2).reduce(0) { $0 << 8 | Int($1) }
      guard content.isEmpty || content.count > 1 && Self.isStatus(status) else {
        throw Fault(status: 1002, description: "a malformed frame")
      }
      try checkText(content.dropFirst(2))
      return .close
    case .continuation:
      guard kind != nil else { throw Fault(status: 1002, description: "a malformed frame") }
      // Such frames make work without end, and no message.
      guard frame.isLast || !content.isEmpty else {
        throw Fault(status: 1008, description: "a part of a message without content")
      }
    case .text, .binary:
      guard kind == nil else { throw Fault(status: 1002, description: "a malformed frame") }
      kind = frame.kind
    }
    parts += 1
    guard parts <= Self.mostParts else {
      throw Fault(status: 1009, description: "a message of more than \(Self.mostParts) parts")
    }
    payload += content
    return frame.isLast ? try finish() : nil
  }

  /// Whether a status may be sent.
  /// - Source: RFC 6455, section 7.4, and IANA's registry of it.
  private static func isStatus(_ status: Int) -> Bool {
    (1000...1014).contains(status) && ![1004, 1005, 1006].contains(status)
      || (3000...4999).contains(status)
  }

  /// The message whose last frame has arrived.
  private mutating func finish() throws(Fault) -> Message {
    let isText = kind == .text
    let whole = payload
    (kind, payload, parts) = (nil, [], 0)
    guard isText else { return .binary(whole) }
    try checkText(whole[...])
    return .text(whole)
  }

  private func checkText(_ bytes: ArraySlice<UInt8>) throws(Fault) {
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw Fault(status: 1007, description: "a text that is not UTF-8")
    }
  }
}
