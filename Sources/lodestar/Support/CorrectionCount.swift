import Configuration
import Corrections
import Formats
import JSON
import LinuxIO
import Quantities
import ReceiverProtocols

/// Counts the messages of a source for some seconds.
final class CorrectionCount: CorrectionConsumer {
  private struct State {
    var statistics = RTCM3Statistics()
    /// The source with its mount point, once connected.
    var place: String?
    var connected: Timestamp?
  }

  private let seconds: Double
  private let position: GeodeticPosition?
  private let hasSignal: () -> Bool
  private let progress: (String) -> Void
  private let state = Locked(State())

  /// - Parameters:
  ///   - seconds: The time from the connection on.
  ///   - place: The own place; nil where it is not known.
  ///   - isStopped: Whether the user ends it.
  ///   - progress: Receives a line to show.
  init(
    seconds: Double, place: GeodeticPosition?, isStopped: @escaping () -> Bool,
    progress: @escaping (String) -> Void
  ) {
    (self.seconds, position, hasSignal) = (seconds, place, isStopped)
    self.progress = progress
  }

  /// Counts.
  /// - Returns: Why it ended before its time; nil where it did not.
  func run(_ source: Board.CorrectionSource) throws(Failure) -> CorrectionFault? {
    if case .file(let path) = source.origin {
      try read(path)
      return nil
    }
    if case .ntrip(let ntrip) = source.origin, ntrip.mountPoint == nil {
      throw .usage(
        "\(source): name a mount point; 'lodestar corrections --list \(source)' lists them")
    }
    if case .ntrip(let ntrip) = source.origin, ntrip.mountPoint == .nearest, position == nil {
      throw .usage("mount-point: nearest needs --location LAT,LON here")
    }
    let fault = CorrectionSession(source, for: self).runOnce()
    return fault == .stopped ? nil : fault
  }

  private func read(_ path: String) throws(Failure) {
    report(.connected(path))
    do throws(RecordingError) {
      let file = try ByteReader(path: path)
      var reader = RTCM3Reader()
      while !hasSignal() {
        let bytes = try file.next()
        if bytes.isEmpty { return }
        bytes.withUnsafeBytes { reader.push($0) { receive(type: $0, frame: Array($1)) } }
      }
    } catch {
      throw .input("\(error)")
    }
  }

  // MARK: CorrectionConsumer

  var isStopped: Bool {
    guard !hasSignal() else { return true }
    let connected = state.withLock { $0.connected }
    return connected.map { MonotonicClock.now.seconds(since: $0) >= seconds } ?? false
  }

  func waitForStop(atMost seconds: Double) {
    MonotonicClock.sleep(until: MonotonicClock.now.advanced(bySeconds: min(seconds, 0.1)))
  }

  var newestFix: Fix? {
    guard let position else { return nil }
    var fix = Fix(timestamp: MonotonicClock.now, kind: .twoDimensional)
    fix.utc = SystemClock.civilTime
    fix.position = position
    fix.altitudeMetres = 0
    return fix
  }

  func receive(type: Int?, frame: [UInt8]) {
    let origin = RTCM3Origin(type: type, bytes: frame)
    let now = MonotonicClock.now
    let count = state.withLock { state in
      state.statistics.record(origin, byteCount: frame.count, at: now)
      return state.statistics.frames
    }
    progress("\(count) messages")
  }

  func report(_ new: CorrectionState) {
    progress(new.text)
    guard case .connected(let place) = new else { return }
    let now = MonotonicClock.now
    state.withLock { ($0.place, $0.connected) = (place, now) }
  }

  /// The result.
  func report(of source: String, _ fault: CorrectionFault?) -> CorrectionReport {
    let now = MonotonicClock.now
    return state.withLock { state in
      CorrectionReport(
        source: state.place ?? source, statistics: state.statistics,
        seconds: state.connected.map { now.seconds(since: $0) } ?? 0, end: now,
        distanceMetres: position.flatMap { state.statistics.stationDistanceMetres(from: $0) },
        fault: fault.map { "\($0)" })
    }
  }
}

/// The messages that were counted.
struct CorrectionReport: Sendable {
  let source: String
  let statistics: RTCM3Statistics
  let seconds: Double
  let end: Timestamp
  let distanceMetres: Double?
  let fault: String?

  private var messages: [(type: Int, message: RTCM3Statistics.Message)] {
    statistics.messages.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Lines of text.
  var lines: [String] {
    let kilobytes = String(Double(statistics.bytes) / 1000, decimals: 1)
    var lines = [
      "\(source): \(statistics.frames) messages, \(kilobytes) kB in \(String(seconds, decimals: 1)) s"
    ]
    lines.append(Self.row("type", "count", "newest", "station", "content"))
    for (type, message) in messages {
      lines.append(
        Self.row(
          "\(type)", "\(message.count)",
          "\(String(end.seconds(since: message.newest), decimals: 1)) s",
          message.station.map(String.init) ?? "", RTCM3Statistics.name(of: type) ?? ""))
    }
    if let place = statistics.stationPosition {
      let distance = distanceMetres.map { ", \(String($0 / 1000, decimals: 1)) km away" } ?? ""
      lines.append(
        "station \(statistics.station.map(String.init) ?? "") at "
          + "\(String(place.latitude.degrees, decimals: 5)), "
          + "\(String(place.longitude.degrees, decimals: 5))\(distance)")
    }
    if let fault { lines.append("ended: \(fault)") }
    return lines
  }

  private static func row(
    _ type: String, _ count: String, _ newest: String, _ station: String, _ content: String
  ) -> String {
    let line =
      [(type, 4), (count, 7), (newest, 8), (station, 8)].map { text, width in
        String(repeating: " ", count: max(0, width - text.count)) + text
      }.joined() + "  " + content
    return String(line.reversed().drop { $0 == " " }.reversed())
  }

  /// One JSON object.
  var object: [UInt8] {
    JSONWriter.record(at: SystemClock.civilTime) { json in
      json.add("source", source)
      json.add("seconds", seconds, decimals: 1)
      json.add("frames", statistics.frames)
      json.add("bytes", statistics.bytes)
      json.add("messages", messages) { entry, json in
        json.add("type", entry.type)
        json.add("name", RTCM3Statistics.name(of: entry.type))
        json.add("received", entry.message.count)
        json.add("age", end.seconds(since: entry.message.newest), decimals: 1)
        json.add("station", entry.message.station)
      }
      json.add("station", statistics.station)
      json.add("stationLatitude", statistics.stationPosition?.latitude.degrees, decimals: 7)
      json.add("stationLongitude", statistics.stationPosition?.longitude.degrees, decimals: 7)
      json.add("stationDistance", distanceMetres, decimals: 0)
      json.add("fault", fault)
    }
  }
}
