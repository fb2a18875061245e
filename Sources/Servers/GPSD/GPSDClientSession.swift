import Board
import Formats
import LinuxIO
import Quantities
import ReceiverProtocols

/// One client of gpsd's protocol: its requests, and the reports that it watches.
package struct GPSDClientSession: StreamSession {
  /// Limit of a request, bytes: longer than any with all of its keys.
  private static let longestRequest = 4096
  /// The interval of attitudes, and of reports without a fix, seconds.
  private static let (attitudeInterval, silentInterval) = (0.1, 1.0)
  /// Time without bytes of the receiver after which raw watches receive sentences of the fused fix,
  /// seconds.
  private static let bytesTimeout = 3.0

  private var watch = GPSDWatch()
  private var request: [UInt8] = []
  private var schedule = NMEASchedule()
  private var lastFix: Timestamp?
  private var lastTPV: Timestamp?
  private var lastAttitude: Timestamp?
  private var lastSamples: Timestamp?
  /// The second of the last satellites, since 1970 or on the monotonic clock.
  private var lastSky: Int64?
  /// The arrival of the receiver's last bytes, or the start of the watch.
  private var lastBytes = Timestamp(nanoseconds: 0)
  /// While the receiver's bytes are divided into frames.
  private var raw: GPSDRawReport?
  /// The braces of the request that are open.
  private var depth = 0

  /// Makes the session of a new connection.
  package init() {}

  var needs: HostNeeds {
    guard watch.isEnabled else { return [] }
    var needs = HostNeeds.estimates
    // Raw samples are for those who ask for scaled values.
    if watch.json, watch.scaled { needs.insert(.samples) }
    // A watch without any format is for polls, which contain satellites.
    if watch.json || watch.pps || watch.raw > 0 || !watch.nmea { needs.insert(.receiver) }
    return needs
  }

  package func begin() -> [UInt8] { GPSDObjects.version }

  // MARK: Requests

  package mutating func receive(
    _ bytes: ArraySlice<UInt8>, _ state: StreamState
  ) throws(StreamRefusal) -> [UInt8] {
    var output: [UInt8] = []
    for byte in bytes {
      switch byte {
      case UInt8(ascii: ";"):
        output += answerRequest(state)
      case 10, 13:
        // A request ends with a semicolon; a line without one is answered too.
        if !request.isEmpty, depth <= 0 { output += answerRequest(state) }
      case 9 where request.isEmpty, 32 where request.isEmpty: continue
      default:
        guard request.count < Self.longestRequest else {
          throw StreamRefusal(
            output: output + GPSDObjects.error("Request too long"),
            reason: "a request of more than \(Self.longestRequest) bytes")
        }
        request.append(byte)
        if byte == UInt8(ascii: "{") { depth += 1 }
        if byte == UInt8(ascii: "}") { depth -= 1 }
      }
    }
    return output
  }

  private mutating func answerRequest(_ state: StreamState) -> [UInt8] {
    defer { (request, depth) = ([], 0) }
    return answer(request[...], state)
  }

  private mutating func answer(
    _ request: ArraySlice<UInt8>, _ state: StreamState
  ) -> [UInt8] {
    let source = state.source
    guard request.first == UInt8(ascii: "?") else {
      return request.isEmpty ? [] : unrecognized(request)
    }
    let text = request.dropFirst()
    let word = text.prefix { $0 != UInt8(ascii: "=") }
    let value = text.dropFirst(word.count + 1)
    let hasValue = word.count < text.count
    switch String(decoding: word, as: UTF8.self) {
    case "VERSION" where !hasValue: return GPSDObjects.version
    case "DEVICES" where !hasValue: return GPSDObjects.devices(source)
    case "DEVICE": return GPSDObjects.device(source)
    case "POLL" where !hasValue: return GPSDObjects.poll(state, watch)
    case "WATCH":
      var new = watch
      if hasValue, let fault = new.set(value) {
        return GPSDObjects.error("Invalid WATCH: \(fault)") + GPSDObjects.watch(watch)
      }
      if let device = new.device, device != GPSDObjects.path(of: source) {
        return GPSDObjects.error("No such device as \(device)")
      }
      set(new)
      return GPSDObjects.devices(source) + GPSDObjects.watch(watch)
    default: return unrecognized(request)
    }
  }

  private mutating func set(_ new: GPSDWatch) {
    if new.raw > 0, !watch.isEnabled || watch.raw == 0 { lastBytes = MonotonicClock.now }
    watch = new
    // Other lines must not come within a frame.
    let needsFrames = new.isEnabled && (new.raw == 1 || new.raw == 2 && (new.json || new.pps))
    raw = needsFrames ? raw ?? GPSDRawReport() : nil
  }

  private func unrecognized(_ request: ArraySlice<UInt8>) -> [UInt8] {
    let shown = String(decoding: request.prefix(80), as: UTF8.self)
    return GPSDObjects.error("Unrecognized request '\(shown)'")
  }

  // MARK: Reports

  package mutating func output(for update: StreamUpdate) -> [UInt8] {
    let device = GPSDObjects.path(of: update.source)
    switch update.content {
    case .access, .fix: return []
    case .receiver(let output):
      guard watch.isEnabled, watch.device ?? device == device else { return [] }
      return reports(of: output, update, device)
    case .source(let source):
      return watch.isEnabled && watch.json ? GPSDObjects.device(source) : []
    case .samples(let samples):
      guard watch.isEnabled, watch.json, watch.scaled, watch.device ?? device == device,
        lastSamples.isDue(at: samples.timestamp, every: Self.attitudeInterval)
      else { return [] }
      return update.text("IMU") {
        GPSDObjects.line { GPSDReport.append(imuOf: samples, utc: nil, device: device, to: &$0) }
      }
    case .estimate(let estimate):
      guard watch.isEnabled, watch.device ?? device == device else { return [] }
      var output = watch.json ? reports(of: estimate, update, device) : []
      // The receiver's bytes replace the sentences, so that no client receives two fixes of an
      // instant.
      let hasSentences =
        watch.raw == 0
        ? watch.nmea : MonotonicClock.now.seconds(since: lastBytes) > Self.bytesTimeout
      if hasSentences, !update.awaitsPlace { output += schedule.sentences(for: estimate) }
      return output
    }
  }

  private mutating func reports(
    of estimate: Estimate, _ update: StreamUpdate, _ device: String
  ) -> [UInt8] {
    var output: [UInt8] = []
    let isNewFix = estimate.fixTimestamp != nil && estimate.fixTimestamp != lastFix
    let isSilent =
      estimate.fixTimestamp == nil || estimate.fixKind == FixKind.none
      || lastFix.map { estimate.timestamp.seconds(since: $0) > 2 * Self.silentInterval } ?? false
    // The first estimate of a watch may come before its first fix.
    let reported = lastTPV ?? estimate.timestamp
    if !update.awaitsPlace { lastTPV = reported }
    let isDue = isNewFix || isSilent && reported.isOver(at: estimate.timestamp, Self.silentInterval)
    if isDue, !update.awaitsPlace {
      lastFix = estimate.fixTimestamp ?? lastFix
      lastTPV = estimate.timestamp
      output += update.text("TPV") {
        GPSDObjects.position(estimate, withSky: update.sky == nil, device)
      }
    }
    if lastAttitude.isDue(at: estimate.timestamp, every: Self.attitudeInterval) {
      output += update.text("ATT") {
        GPSDObjects.line { text in
          guard let report = HeadingReport(estimate) else { return false }
          GPSDReport.append(att: report, device: device, to: &text)
          return true
        }
      }
    }
    return output
  }

  private mutating func reports(
    of output: ReceiverOutput, _ update: StreamUpdate, _ device: String
  ) -> [UInt8] {
    switch output {
    case .sky(let sky):
      guard watch.json, isNewSecond(sky) else { return [] }
      return update.text("SKY") { GPSDObjects.sky(sky, device) }
    case .bytes(let bytes):
      guard watch.raw > 0 else { return [] }
      lastBytes = MonotonicClock.now
      return raw?.frames(completedBy: bytes, hexadecimal: watch.raw == 1) ?? bytes
    case .time(let time):
      guard watch.pps else { return [] }
      return update.text("TOFF") {
        GPSDReport.toff(time.utc, clock: time.systemUTC, device: device) + [13, 10]
      }
    case .pulse(let report):
      guard watch.pps, report.isPaired else { return [] }
      return update.text("PPS") {
        GPSDReport.pps(report.pulse, jitterSeconds: report.jitterSeconds, device: device)
          .map { $0 + [13, 10] } ?? []
      }
    }
  }

  /// Whether satellites are the first of a second of the receiver; then the second is noted.
  /// Receivers' times deviate from whole seconds by less than half a second.
  private mutating func isNewSecond(_ sky: SkyReport) -> Bool {
    let second: Int64 = 1_000_000_000
    let instant =
      sky.utc?.nanosecondsSince1970 ?? Int64(clamping: sky.timestamp.nanoseconds)
    let number = (instant / 2 + second / 4) / (second / 2)
    defer { lastSky = number }
    return number != lastSky
  }
}
