import Quantities

/// Turns the lines of a gpsd daemon into epochs and headings.
///
/// Any input is survived; what comes out depends on the bytes, never on how they were split. Nothing is
/// allocated for a line once the devices are known.
///
/// - Source: gpsd_json(5) of gpsd 3.22 (Debian 12) and 3.25.
public struct GPSDDecoder: Sendable {
  /// What the daemon says of itself when a client connects.
  public struct Version: Equatable, Sendable {
    /// Its release, such as `3.22`.
    public var release: [UInt8]
    /// The protocol's; this decoder knows 3.
    public var major: Int?
    /// The protocol's.
    public var minor: Int?
  }

  /// The protocol that this decoder was written for.
  public static var knownMajor: Int { 3 }
  /// The longest line that is taken, bytes, its end included.
  /// - Source: gpsd_json(5) of gpsd 3.25, "OVERVIEW": 10,240 characters; 1536 before 3.23.
  public static var longestLine: Int { 10_240 }

  /// What came in, the bad included.
  public internal(set) var counts = GPSDCounts()
  /// The daemon's version, once it has told.
  public internal(set) var version: Version?
  /// The daemon's last complaint.
  public internal(set) var complaint: [UInt8]?
  /// The devices that the daemon has or had since the connection; those that are gone are not active.
  public internal(set) var devices: [GPSDDevice] = []
  /// True once the daemon has told which devices it has.
  public internal(set) var hasDeviceList = false

  /// Whose fixes are used; nil before the first.
  public var deviceInUse: GPSDDevice? { choice.current.map { devices[$0] } }

  var choice: GPSDDeviceChoice
  /// The compass may be another device than the receiver.
  var headingChoice: GPSDDeviceChoice
  private var started: [UInt8] = []
  private var startedAt = Timestamp(nanoseconds: 0)
  private var isOverlong = false

  /// Makes a decoder.
  /// - Parameter device: The path of the only device that is to be used; nil for the best one.
  public init(device: [UInt8]? = nil) {
    choice = GPSDDeviceChoice(asked: device, isOfHeadings: false)
    headingChoice = GPSDDeviceChoice(asked: device, isOfHeadings: true)
    started.reserveCapacity(Self.longestLine)
  }

  /// Takes bytes in and calls `body` with what they complete.
  /// - Parameters:
  ///   - bytes: What came, cut anywhere.
  ///   - timestamp: When it came; an epoch bears the instant at which its line began to come in.
  ///   - body: Takes the reports.
  public mutating func push(
    _ bytes: UnsafeRawBufferPointer, at timestamp: Timestamp, _ body: (ReceiverReport) -> Void
  ) {
    bytes.withMemoryRebound(to: UInt8.self) { bytes in
      var start = 0
      for index in 0..<bytes.count where bytes[index] == 0x0A {
        let piece = UnsafeBufferPointer(rebasing: bytes[start..<index])
        start = index + 1
        if started.isEmpty && !isOverlong {
          take(piece, at: timestamp, body)
        } else {
          keep(piece, at: timestamp)
          takeStarted(body)
        }
      }
      keep(UnsafeBufferPointer(rebasing: bytes[start...]), at: timestamp)
    }
  }

  /// The connection is gone: a line that was begun is dropped, and what the daemon said of itself and its
  /// devices is forgotten.
  public mutating func disconnect() {
    started.removeAll(keepingCapacity: true)
    isOverlong = false
    (version, complaint, hasDeviceList) = (nil, nil, false)
    devices.removeAll(keepingCapacity: true)
    choice = GPSDDeviceChoice(asked: choice.asked, isOfHeadings: false)
    headingChoice = GPSDDeviceChoice(asked: choice.asked, isOfHeadings: true)
  }

  private mutating func keep(_ piece: UnsafeBufferPointer<UInt8>, at timestamp: Timestamp) {
    guard !piece.isEmpty else { return }
    if started.isEmpty { startedAt = timestamp }
    if isOverlong || started.count + piece.count >= Self.longestLine {
      isOverlong = true
    } else {
      started.append(contentsOf: piece)
    }
  }

  private mutating func takeStarted(_ body: (ReceiverReport) -> Void) {
    if isOverlong {
      counts.tooLong += 1
    } else {
      // The line is taken out of the decoder while the decoder reads it.
      var line: [UInt8] = []
      swap(&line, &started)
      line.withUnsafeBufferPointer { take($0, at: startedAt, body) }
      swap(&line, &started)
    }
    started.removeAll(keepingCapacity: true)
    isOverlong = false
  }

  /// Takes a whole line: one object, or several that stand without a line's end between them.
  private mutating func take(
    _ line: UnsafeBufferPointer<UInt8>, at timestamp: Timestamp, _ body: (ReceiverReport) -> Void
  ) {
    guard line.count < Self.longestLine else {
      counts.tooLong += 1
      return
    }
    var reader = JSONReader(line)
    while !reader.isAtEnd() {
      let begin = reader
      guard let header = GPSDHeader(&reader) else {
        counts.malformed += 1
        return
      }
      var fields = begin
      take(header, &fields, at: timestamp, body)
      if fields.isBroken {
        counts.malformed += 1
        return
      }
      counts.accepted += 1
      counts.unreadableFields += fields.unreadable
    }
  }
}

/// Which class an object is of and whose it is. Both may stand anywhere in it, so that it is looked for
/// first; that also tells whether the object is whole before anything of it is believed.
struct GPSDHeader {
  var name: JSONText
  var device: JSONText?

  /// Passes over an object; nil where it is none, is cut, or has no class.
  init?(_ reader: inout JSONReader) {
    guard reader.beginObject() else { return nil }
    var (name, device): (JSONText?, JSONText?)
    while let key = reader.nextKey() {
      if key.is("class") {
        name = reader.text()
      } else if key.is("device") {
        device = reader.text()
      } else {
        reader.pass()
      }
    }
    guard !reader.isBroken, let name else { return nil }
    self.name = name
    self.device = device
  }
}
