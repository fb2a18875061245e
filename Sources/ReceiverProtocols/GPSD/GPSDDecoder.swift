import JSON
import Quantities

/// Turns the JSON lines of a gpsd daemon into epochs and headings.
///
/// No input stops the decoder. The output depends on the bytes alone, not on how they were split. A
/// line causes no allocation once the devices are known.
///
/// - Source: gpsd_json(5) of gpsd 3.22 (Debian 12) and 3.25.
public struct GPSDDecoder: Sendable {
  /// The version that the daemon reports when a client connects.
  public struct Version: Equatable, Sendable {
    /// The release, such as `3.22`.
    public var release: [UInt8]
    /// Major version of the protocol; this decoder supports 3.
    public var major: Int?
    /// Minor version of the protocol.
    public var minor: Int?
    /// True for Lodestar's server of gpsd's protocol, which is no other source of fixes.
    package var isLodestar = false
  }

  /// The end of the revision that Lodestar's server reports.
  private static var ownMark: String.UTF8View { "(Lodestar)".utf8 }
  /// The major protocol version that this decoder supports.
  public static var knownMajor: Int { 3 }
  /// The longest accepted line, bytes, including its end.
  /// - Source: gpsd_json(5) of gpsd 3.25, "OVERVIEW": 10,240 characters; 1536 before 3.23.
  public static var longestLine: Int { 10_240 }
  /// More devices than any daemon has: limits the memory that an invalid stream can cause.
  private static let mostDevices = 16
  /// Limit of the nesting; gpsd's deepest report has four levels.
  private static let deepest = 65
  /// How long after the first report of an instant that has a fix a report without one is ignored,
  /// s. A later one belongs to a new instant of a device whose time has stopped.
  private static let longestInstant = 1.0

  /// Counts of the received objects and lines, rejected ones included.
  public private(set) var counts = GPSDCounts()
  /// The daemon's version, once it has been received.
  public private(set) var version: Version?
  /// The last error message of the daemon.
  public private(set) var complaint: [UInt8]?
  /// The devices that the daemon has reported since the connection; removed ones are not active.
  public private(set) var devices: [GPSDDevice] = []
  /// True once the daemon has sent its list of devices.
  public private(set) var hasDeviceList = false

  /// The device whose fixes are used; nil before the first.
  public var deviceInUse: GPSDDevice? { choice.used.map { devices[$0] } }

  /// The devices that have sent fixes, in the order of their first reports.
  public var sources: [PositionSource] {
    devices.indices.compactMap {
      choice.source($0, .named(String(printable: devices[$0].path)))
    }
  }

  /// The reports of all devices so far: without a new one `sources` are the same.
  public var reportCount: Int { choice.reports }

  /// The path of the only device to use; nil for all.
  private let asked: [UInt8]?
  private var choice = PositionChoice()
  /// The compass may be another device than the receiver.
  private var headingChoice = HeadingSourceChoice()
  private var lines = LineSplitter(longest: longestLine)

  /// Makes a decoder.
  /// - Parameter device: The path of the only device to use; nil for the best one.
  public init(device: [UInt8]? = nil) { asked = device }

  /// Reads bytes and calls `body` with each report that they complete.
  /// - Parameters:
  ///   - bytes: The received bytes, split anywhere.
  ///   - timestamp: When they were received; an epoch has the timestamp of the first byte of its
  ///     line.
  ///   - body: Receives the reports.
  public mutating func push(
    _ bytes: UnsafeRawBufferPointer, at timestamp: Timestamp, _ body: (ReceiverReport) -> Void
  ) {
    // Swapped out, because `decodeLine` modifies the decoder while a line is read.
    var lines = LineSplitter(longest: Self.longestLine)
    swap(&lines, &self.lines)
    lines.push(bytes, at: timestamp) { decodeLine($0, at: $1, body) }
    swap(&lines, &self.lines)
    counts.tooLong = self.lines.tooLong
  }

  /// Ends the connection: discards a partial line, the daemon's version and its devices.
  public mutating func disconnect() {
    lines.reset()
    (version, complaint, hasDeviceList) = (nil, nil, false)
    devices.removeAll(keepingCapacity: true)
    (choice, headingChoice) = (PositionChoice(), HeadingSourceChoice())
  }

  // MARK: Lines

  /// Decodes a whole line: one object, or several without a line end between them.
  private mutating func decodeLine(
    _ line: UnsafeBufferPointer<UInt8>, at timestamp: Timestamp, _ body: (ReceiverReport) -> Void
  ) {
    var reader = JSONReader(line, isLenient: true, deepest: Self.deepest)
    while !reader.isAtEnd() {
      let begin = reader
      guard let header = GPSDHeader(&reader) else {
        counts.malformed += 1
        return
      }
      var fields = begin
      decode(header, &fields, at: timestamp, body)
      if fields.isBroken {
        counts.malformed += 1
        return
      }
      counts.accepted += 1
      counts.unreadableFields += fields.unreadable
    }
  }

  // MARK: Reports of devices

  /// Decodes an object by its class.
  private mutating func decode(
    _ header: GPSDHeader, _ reader: inout JSONReader, at timestamp: Timestamp,
    _ body: (ReceiverReport) -> Void
  ) {
    if header.name.is("TPV") {
      let fix = GPSDFix(&reader)
      guard !reader.isBroken, let index = index(of: header.device) else { return }
      add(fix, from: index, at: timestamp, body)
    } else if header.name.is("SKY") {
      guard let index = index(of: header.device) else { return reader.skip() }
      devices[index].sky.readSky(&reader, at: timestamp)
      if reader.isBroken { devices[index].sky.isViewNew = false }
    } else if header.name.is("GST") {
      guard let index = index(of: header.device) else { return reader.skip() }
      devices[index].sky.readErrors(&reader, at: timestamp)
    } else if header.name.is("ATT") {
      let report = HeadingReport(&reader, at: timestamp)
      guard !reader.isBroken, let report, let index = index(of: header.device) else { return }
      guard isAsked(index), headingChoice.uses(index, at: timestamp) else {
        counts.otherDevices += 1
        return
      }
      (devices[index].isActive, devices[index].isListed) = (true, true)
      body(.heading(report))
    } else {
      decodeDaemonObject(header, &reader)
    }
  }

  private mutating func add(
    _ received: GPSDFix, from index: Int, at timestamp: Timestamp, _ body: (ReceiverReport) -> Void
  ) {
    var fix = received
    var isRevision = false
    if let earlier = devices[index].fix, fix.utc != nil, earlier.utc == fix.utc {
      let age = timestamp.seconds(since: devices[index].instantBegan)
      if fix.mode >= 2 {
        fix.add(earlier)
        isRevision = true
      } else if earlier.mode >= 2, age < Self.longestInstant {
        counts.repeated += 1
        return
      }
    }
    if !isRevision {
      devices[index].instantBegan = timestamp
      devices[index].isInstantReported = false
    }
    let isRepeated = isRevision && devices[index].fix == fix
    devices[index].fix = fix
    (devices[index].isActive, devices[index].isListed) = (true, true)
    guard isAsked(index) else {
      counts.otherDevices += 1
      return
    }
    guard fix.mode < 2 || fix.hasPlace else {
      counts.withoutPlace += 1
      return
    }
    var epoch = ReceiverEpoch(
      fix, sky: devices[index].sky, at: devices[index].instantBegan, now: timestamp)
    let decision = choice.decide(epoch.fix, of: index, at: timestamp)
    guard decision != .leave else {
      counts.otherDevices += 1
      return
    }
    guard !isRepeated else {
      counts.repeated += 1
      return
    }
    if decision == .useWithoutTime { epoch.fix.utc = nil }
    epoch.isRevision = devices[index].isInstantReported
    devices[index].isInstantReported = true
    devices[index].sky.isViewNew = false
    body(.epoch(epoch))
  }

  /// False for a device that is not the requested one. A daemon with a single device may omit its
  /// name.
  private func isAsked(_ index: Int) -> Bool {
    guard let asked else { return true }
    return devices[index].path == asked || devices[index].path.isEmpty
  }

  // MARK: The daemon and its devices

  /// Decodes an object about the daemon itself or its list of devices.
  private mutating func decodeDaemonObject(_ header: GPSDHeader, _ reader: inout JSONReader) {
    if header.name.is("VERSION") {
      readVersion(&reader)
    } else if header.name.is("DEVICES") {
      readDeviceList(&reader)
    } else if header.name.is("DEVICE") {
      guard let device = DeviceObject(&reader), !reader.isBroken else { return }
      guard let index = index(of: device.path) else { return }
      // A DEVICE object without `activated` carries settings only.
      if let isActive = device.isActive { setActive(isActive, index) }
    } else if header.name.is("ERROR") {
      guard reader.beginObject() else { return }
      counts.errors += 1
      while let key = reader.nextKey() {
        if key.is("message") {
          complaint = reader.text().map { Array($0.unescaped) }
        } else {
          reader.skip()
        }
      }
    } else {
      if !header.name.is("WATCH") { counts.otherClasses += 1 }
      reader.skip()
    }
  }

  /// The index of a device in `devices`, to which a new device is added; nil where the list is
  /// full.
  private mutating func index(of path: JSONText?) -> Int? {
    for index in devices.indices {
      if path.map({ $0.unescaped.elementsEqual(devices[index].path) })
        ?? devices[index].path.isEmpty
      {
        return index
      }
    }
    let device = GPSDDevice(path: path.map { Array($0.unescaped) } ?? [], isActive: true)
    if devices.count < Self.mostDevices {
      devices.append(device)
      return devices.count - 1
    }
    guard
      let free = devices.firstIndex(where: { !$0.isListed })
        ?? devices.firstIndex(where: { !$0.isActive })
    else { return nil }
    devices[free] = device
    choice.remove(free)
    return free
  }

  private mutating func readVersion(_ reader: inout JSONReader) {
    guard reader.beginObject() else { return }
    var version = Version(release: [])
    while let key = reader.nextKey() {
      if key.is("release") {
        version.release = reader.text().map { Array($0.unescaped) } ?? []
      } else if key.is("rev") {
        let revision = reader.text().map { Array($0.unescaped) } ?? []
        version.isLodestar = revision.suffix(Self.ownMark.count).elementsEqual(Self.ownMark)
      } else if key.is("proto_major") {
        version.major = reader.integer()
      } else if key.is("proto_minor") {
        version.minor = reader.integer()
      } else {
        reader.skip()
      }
    }
    // A daemon forwards the versions of chained daemons; the first one is its own.
    if self.version == nil { self.version = version }
  }

  /// Reads the complete list of devices; devices that are missing from it have been removed.
  private mutating func readDeviceList(_ reader: inout JSONReader) {
    guard reader.beginObject() else { return }
    // One bit for each index in `devices`.
    var listed: UInt32 = 0
    var isWhole = true
    while let key = reader.nextKey() {
      // The list of a chained daemon contains its own devices only.
      if key.is("remote"), reader.isText() {
        isWhole = reader.text()?.bytes.isEmpty ?? true
        continue
      }
      guard key.is("devices") else {
        reader.skip()
        continue
      }
      guard reader.beginArray() else { continue }
      while reader.nextElement() {
        guard let device = DeviceObject(&reader), let index = index(of: device.path) else {
          continue
        }
        listed |= 1 << UInt32(index)
        devices[index].isListed = true
        // In this list, `activated` is absent for an idle device.
        setActive(device.isActive ?? false, index)
      }
    }
    guard !reader.isBroken else { return }
    hasDeviceList = true
    guard isWhole else { return }
    for index in devices.indices where listed & 1 << UInt32(index) == 0 {
      devices[index].isListed = false
      setActive(false, index)
    }
  }

  private mutating func setActive(_ isActive: Bool, _ index: Int) {
    if isActive {
      (devices[index].isActive, devices[index].isListed) = (true, true)
    } else {
      devices[index].deactivate()
      choice.remove(index)
      headingChoice.remove(index)
    }
  }

  /// A DEVICE object.
  /// - Source: gpsd_json(5) of gpsd 3.22, "?DEVICE": `activated` is a time; it is absent for an
  ///   idle device, and 0 in the notice of a closed one.
  private struct DeviceObject {
    var path: JSONText
    var isActive: Bool?

    init?(_ reader: inout JSONReader) {
      guard reader.beginObject() else { return nil }
      var path: JSONText?
      while let key = reader.nextKey() {
        if key.is("path") {
          path = reader.text()
        } else if key.is("activated") {
          if reader.isText() {
            reader.skip()
            isActive = true
          } else {
            isActive = reader.number().map { $0 > 0 }
          }
        } else {
          reader.skip()
        }
      }
      guard let path else { return nil }
      self.path = path
    }
  }
}

/// The class of an object and the device that it belongs to. Both keys may stand anywhere in the
/// object, so they are read in a first pass, which also checks that the object is complete.
private struct GPSDHeader {
  var name: JSONText
  var device: JSONText?

  /// Skips an object; nil where it is not one, is cut, or has no class.
  init?(_ reader: inout JSONReader) {
    guard reader.beginObject() else { return nil }
    var (name, device): (JSONText?, JSONText?)
    while let key = reader.nextKey() {
      if key.is("class") {
        name = reader.text()
      } else if key.is("device") {
        device = reader.text()
      } else {
        reader.skip()
      }
    }
    guard !reader.isBroken, let name else { return nil }
    self.name = name
    self.device = device
  }
}
