import JSON
import Quantities

/// Turns the deltas of a Signal K server into epochs and headings.
///
/// The values of one source (`$source`, or `source` as the server's software names it) make epochs
/// of their own; one source is used (`PositionChoice`). The values of this program itself, which a
/// server sends back, are not used. No input stops the decoder, and it stores at most one line and
/// sixteen sources.
///
/// - Source: Signal K specification 1.7.0, "Delta Format", "Streaming WebSocket API" and "TCP".
public struct SignalKDecoder: Sendable {
  /// The longest accepted line or message, bytes.
  public static var longestLine: Int { 65_536 }
  /// The begin of the sources of Lodestar's own values.
  package static var ownLabel: StaticString { "lodestar" }
  /// More sources of positions or headings than a vessel has: limits the memory that an invalid
  /// stream can cause.
  private static let mostSources = 16
  /// Silence after which a source may lose its place to another one, s.
  private static let silenceTimeout = 5.0
  /// The interval of asking for this program's own addresses, s.
  private static let ownPlacesInterval = 5.0
  /// Limit of a source's name, bytes.
  private static let longestName = 256
  /// Limit of the nesting.
  private static let deepest = 33

  /// Counts of the received messages, rejected ones included.
  public private(set) var counts = SignalKCounts()
  /// The name of the source that this program's own values came back with; nil where none did.
  public private(set) var ownSource: [UInt8]?

  /// The source whose positions are used; nil before the first.
  public var sourceInUse: [UInt8]? { choice.used.flatMap { senders[$0]?.name } }

  /// The sources that have sent positions, in the order of their first ones.
  public var sources: [PositionSource] {
    senders.indices.compactMap { index in
      senders[index].flatMap { choice.source(index, .named(String(printable: $0.name))) }
    }
  }

  /// The names of all sources that have sent a position or a heading.
  public var names: [[UInt8]] { senders.compactMap { $0?.name } }

  /// Whether values were not used because the server has not named its own vessel.
  public var lacksOwnVessel: Bool { ownVessel == nil && counts.unknownVessels > 0 }

  /// The reports of all sources so far: without a new one `sources` are the same.
  public var reportCount: Int { choice.reports }

  /// The only source to use; nil for all.
  private let requestedSource: [UInt8]?
  /// Returns the addresses of this program's own server.
  private let ownPlaces: @Sendable () -> SignalKOwnPlaces
  /// The newest of them, and when they were asked for.
  private var newestOwnPlaces: (places: SignalKOwnPlaces, at: Timestamp)?
  /// The vessel of the server; nil before its greeting.
  private var ownVessel: [UInt8]?
  /// nil at a free place.
  private var senders: [SignalKSource?] = []
  private var choice = PositionChoice()
  /// The compass may be another source than the receiver.
  private var headingChoice = HeadingSourceChoice()
  private var lines = LineSplitter(longest: longestLine)

  /// Makes a decoder.
  /// - Parameters:
  ///   - source: The only source to use; nil for the best one.
  ///   - ownPlaces: Returns the addresses of this program's own server, which may begin later.
  package init(
    source: [UInt8]? = nil,
    ownPlaces: @escaping @Sendable () -> SignalKOwnPlaces = { SignalKOwnPlaces() }
  ) {
    (requestedSource, self.ownPlaces) = (source, ownPlaces)
  }

  /// Reads bytes of a stream of lines and calls `body` with each report that they complete.
  /// - Parameters:
  ///   - bytes: The received bytes, split anywhere.
  ///   - timestamp: When they were received.
  ///   - body: Receives the reports.
  public mutating func push(
    _ bytes: UnsafeRawBufferPointer, at timestamp: Timestamp, _ body: (ReceiverReport) -> Void
  ) {
    // Swapped out, because `decode` modifies the decoder while a line is read.
    var lines = LineSplitter(longest: Self.longestLine)
    swap(&lines, &self.lines)
    lines.push(bytes, at: timestamp) { decode($0, at: $1, body) }
    swap(&lines, &self.lines)
    counts.tooLong = self.lines.tooLong
  }

  /// Reads one message.
  public mutating func decode(
    _ message: UnsafeBufferPointer<UInt8>, at timestamp: Timestamp, _ body: (ReceiverReport) -> Void
  ) {
    var reader = JSONReader(message, isLenient: true, deepest: Self.deepest)
    // A TCP stream may end its lines with CR LF, or be empty between two.
    guard !reader.isAtEnd() else { return }
    guard let header = Header(&reader), reader.isAtEnd() else {
      counts.malformed += 1
      return
    }
    counts.accepted += 1
    guard var updates = header.updates else {
      // The greeting names the server's vessel; no later message changes it.
      ownVessel = ownVessel ?? header.ownVessel.map(Self.vessel)
      return
    }
    if let context = header.context.map(Self.vessel), !isOwn(context) {
      if ownVessel == nil { counts.unknownVessels += 1 } else { counts.otherVessels += 1 }
      return
    }
    guard updates.beginArray() else { return }
    while updates.nextElement() {
      var update = updates
      updates.skip()
      decodeUpdate(&update, at: timestamp, body)
      counts.unreadableFields += update.unreadable
    }
  }

  // MARK: Messages

  /// The parts of a message, whose keys may stand in any order. Reading them checks that the message
  /// is complete.
  private struct Header {
    var ownVessel: JSONText?
    var context: JSONText?
    /// At the updates of a delta.
    var updates: JSONReader?

    init?(_ reader: inout JSONReader) {
      guard reader.beginObject() else { return nil }
      while let key = reader.nextKey() {
        if key.is("self"), reader.isText() {
          ownVessel = reader.text()
        } else if key.is("context"), reader.isText() {
          context = reader.text()
        } else {
          if key.is("updates") { updates = reader }
          reader.skip()
        }
      }
      if reader.isBroken { return nil }
    }
  }

  /// A vessel without `vessels.`, which the greeting may leave out.
  private static func vessel(_ text: JSONText) -> [UInt8] {
    let (name, prefix) = (Array(text.unescaped), Array("vessels.".utf8))
    return name.starts(with: prefix) ? Array(name.dropFirst(prefix.count)) : name
  }

  private func isOwn(_ vessel: [UInt8]) -> Bool {
    vessel == ownVessel || vessel.elementsEqual("self".utf8)
  }

  // MARK: Updates

  /// The parts of an update beside its values.
  private struct UpdateHeader {
    var source: [UInt8] = []
    var stamp: UTCTime?
    /// nil where the update does not state the type of its source.
    var isOfNMEA2000: Bool?
    /// At the values.
    var values: JSONReader?

    init?(_ reader: inout JSONReader) {
      guard reader.beginObject() else { return nil }
      var (reference, object): ([UInt8]?, [UInt8]?)
      while let key = reader.nextKey() {
        if key.is("$source"), reader.isText() {
          reference = reader.text().map { Array($0.unescaped) }
        } else if key.is("timestamp"), reader.isText() {
          stamp = reader.text().flatMap { UTCTime(iso8601: $0.bytes, mostDecimals: .max) }
        } else if key.is("source"), reader.peek() == UInt8(ascii: "{") {
          object = readSource(&reader)
        } else {
          if key.is("values") { values = reader }
          reader.skip()
        }
      }
      source = reference ?? object ?? []
      if reader.isBroken || source.count > SignalKDecoder.longestName { return nil }
    }

    /// The label and, of a bus with several devices, the device's address or talker, as
    /// signalk-server makes `$source` of it.
    private mutating func readSource(_ reader: inout JSONReader) -> [UInt8] {
      guard reader.beginObject() else { return [] }
      var (label, device): ([UInt8], [UInt8]?) = ([], nil)
      while let key = reader.nextKey() {
        guard reader.isText() else {
          reader.skip()
          continue
        }
        guard let text = reader.text() else { break }
        if key.is("label") {
          label = Array(text.unescaped)
        } else if key.is("src") || key.is("talker") {
          device = Array(text.unescaped)
        } else if key.is("type") {
          isOfNMEA2000 = text.is("NMEA2000")
        }
      }
      return device.map { label + Array(".".utf8) + $0 } ?? label
    }
  }

  private mutating func decodeUpdate(
    _ reader: inout JSONReader, at timestamp: Timestamp, _ body: (ReceiverReport) -> Void
  ) {
    guard let header = UpdateHeader(&reader), var values = header.values else { return }
    var update = SignalKUpdate()
    guard values.beginArray() else { return }
    while values.nextElement() {
      counts.unreadableFields += Self.readValue(&values, into: &update)
    }
    counts.unreadableFields += values.unreadable
    let heading = update.headingReport(at: timestamp)
    guard heading != nil || update.hasFixValues else { return }
    guard !isOwnSource(header.source, at: timestamp) else {
      counts.own += 1
      ownSource = header.source
      // Its server has begun to listen since its first values were used.
      if let index = senders.firstIndex(where: { $0?.name == header.source }) { remove(index) }
      return
    }
    guard let index = index(of: header.source, at: timestamp) else {
      counts.otherSources += 1
      return
    }
    let isRequested = requestedSource.map { $0 == header.source } ?? true
    if let heading {
      if isRequested, headingChoice.uses(index, at: timestamp) {
        body(.heading(heading))
      } else {
        counts.otherSources += 1
      }
    }
    let outcome = senders[index]?.add(
      update, stamp: header.stamp, isOfNMEA2000: header.isOfNMEA2000, at: timestamp)
    guard isRequested else { return }
    switch outcome {
    case .nothing, nil: break
    case .repeated: counts.repeated += 1
    case .epoch(var epoch):
      let decision = choice.decide(epoch.fix, of: index, at: timestamp)
      guard decision != .leave else {
        counts.otherSources += 1
        return
      }
      if decision == .useWithoutTime { epoch.fix.utc = nil }
      senders[index]?.markReported()
      body(.epoch(epoch))
    }
  }

  /// Reads a value, whose path may follow it.
  /// - Returns: How many parts of it could not be read.
  private static func readValue(
    _ reader: inout JSONReader, into update: inout SignalKUpdate
  ) -> Int64 {
    guard reader.beginObject() else { return 0 }
    var (path, value): (JSONText?, JSONReader?)
    while let key = reader.nextKey() {
      if key.is("path"), reader.isText() {
        path = reader.text()
      } else {
        if key.is("value") { value = reader }
        reader.skip()
      }
    }
    guard let path, var value else { return 0 }
    let before = value.unreadable
    update.add(path, &value)
    return value.unreadable - before
  }

  /// Whether values are this program's own: `lodestar.gnss`, also behind a server's own label, or
  /// the address of its server.
  private mutating func isOwnSource(_ name: [UInt8], at now: Timestamp) -> Bool {
    let text = String(decoding: name, as: UTF8.self).lowercased()
    if let place = SignalKOwnPlaces.Tail(of: text) {
      switch places(at: now).verdict(on: place) {
      case .own: return true
      case .other: return false
      case .unknown: break
      }
    }
    let label = "\(Self.ownLabel)"
    return text.split(separator: ".").contains { $0 == label }
  }

  private mutating func places(at now: Timestamp) -> SignalKOwnPlaces {
    if let newest = newestOwnPlaces, now.seconds(since: newest.at) < Self.ownPlacesInterval {
      return newest.places
    }
    let places = ownPlaces()
    newestOwnPlaces = (places, now)
    return places
  }

  // MARK: Sources

  /// The index of a source, to which a new one is added; nil where there is no place for it.
  private mutating func index(of name: [UInt8], at now: Timestamp) -> Int? {
    if let index = senders.firstIndex(where: { $0?.name == name }) {
      senders[index]?.lastArrival = now
      return index
    }
    let sender = SignalKSource(name: name, at: now)
    if let index = senders.firstIndex(where: { $0 == nil }) ?? replaceable(by: name, at: now) {
      remove(index)
      senders[index] = sender
      return index
    }
    guard senders.count < Self.mostSources else { return nil }
    senders.append(sender)
    return senders.count - 1
  }

  /// Of a full list the place of the source that is silent for the longest time, neither the used
  /// nor the requested one. The requested one is given a place in any case, others where that one
  /// has ended.
  private func replaceable(by name: [UInt8], at now: Timestamp) -> Int? {
    guard senders.count >= Self.mostSources else { return nil }
    var oldest: (index: Int, arrival: Timestamp)?
    for (index, sender) in senders.enumerated() {
      guard let sender, sender.name != requestedSource, index != choice.used,
        index != headingChoice.current
      else { continue }
      if let oldest, oldest.arrival <= sender.lastArrival { continue }
      oldest = (index, sender.lastArrival)
    }
    guard let oldest else { return nil }
    let mayReplace =
      name == requestedSource || now.seconds(since: oldest.arrival) > Self.silenceTimeout
    return mayReplace ? oldest.index : nil
  }

  private mutating func remove(_ index: Int) {
    senders[index] = nil
    choice.remove(index)
    headingChoice.remove(index)
  }
}
