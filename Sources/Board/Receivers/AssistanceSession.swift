import LinuxIO
import Quantities
import ReceiverProtocols
import Storage

/// Where a receiver's aid is stored, and the clock by which it is aged.
package struct ReceiverAidSettings: Sendable {
  /// The state folder.
  package var folder: String
  /// The civil time with one sigma of its error; nil while the system's clock is not believed.
  package var clock: @Sendable () -> (utc: UTCTime, errorSeconds: Double)?

  package init(
    folder: String,
    clock: @escaping @Sendable () -> (utc: UTCTime, errorSeconds: Double)? = {
      SystemClock.believed
    }
  ) {
    (self.folder, self.clock) = (folder, clock)
  }
}

/// The assistance of the receiver at one opened port: gives it time, last place and navigation
/// database where it starts without a fix, and stores them for the next start.
struct AssistanceSession {
  /// Time in which the first epoch is awaited, ns: a receiver that has a fix needs no aid.
  private static let firstEpochTime: UInt64 = 3_000_000_000
  /// Interval of the checks whether the system's clock is set and whether a first fix has come, ns.
  private static let lookInterval: UInt64 = 1_000_000_000
  /// Interval between writes of the place, s: the wear of memory cards.
  private static let placeInterval = 600.0
  /// Intervals between readings of the database, s. Its some ten thousand bytes delay the fixes of
  /// a slow line for seconds.
  private static let (interval, slowInterval) = (1800.0, 7200.0)
  /// Time from a fix to the first reading, s: ephemerides take half a minute, more satellites rise.
  private static let firstReading = 600.0
  /// Below this speed the database is read at `slowInterval` and not at the end, bits per second; 0
  /// means a bus or USB, which is fast.
  private static let slowSpeed = 38_400
  /// At the end the database is not read again if the last reading is younger than this, s.
  private static let recentReading = 300.0
  /// Assumed time from sending a message until the receiver has it, s: it waits behind at most one
  /// other.
  private static let transitTime = 0.4

  private let settings: ReceiverAidSettings
  private let file: ReceiverAidFile
  private let monitor: ReceiverMonitor
  private let began: Timestamp
  private var version: UBXVersion?
  private var assistance: UBXAssistance?
  private var reader = UBXAssistanceReader()
  private var stored: ReceiverAid
  private var hasDecided = false
  private var given: (time: Bool, place: Bool, entries: Int)?
  private var isReported = false
  private var hasHelped = false
  private var nextReading: Timestamp?
  private var lastReading: Timestamp?
  private var placeWritten: Timestamp?
  private var hasFault = false

  /// Reads what is stored.
  init(
    _ settings: ReceiverAidSettings, port: String, monitor: ReceiverMonitor, at now: Timestamp
  ) {
    (self.settings, self.monitor, began) = (settings, monitor, now)
    file = ReceiverAidFile(port: port, in: settings.folder)
    do throws(FileFault) {
      stored = try file.read { monitor.notice($0) } ?? ReceiverAid()
    } catch {
      monitor.notice("\(file.path): the receiver's aid cannot be read: \(error.reason)")
      stored = ReceiverAid()
    }
  }

  /// True while commands wait for answers.
  var isBusy: Bool { assistance?.isBusy == true }

  /// Looks for answers in received bytes.
  mutating func receive(_ bytes: UnsafeRawBufferPointer, at now: Timestamp) {
    guard isBusy, var assistance else { return }
    reader.push(bytes) { assistance.receive($0, payload: $1, at: now) }
    self.assistance = assistance
  }

  /// The next step of a receiver of this version, on a line of this speed.
  mutating func next(at now: Timestamp, _ version: UBXVersion, speed: Int) -> UBXAssistance.Step {
    if assistance == nil {
      (assistance, self.version) = (UBXAssistance(hasValues: version.hasValues), version)
    }
    while true {
      let step = assistance?.next(at: now) ?? .rest
      if !hasHelped, let report = assistance?.report, report.accepted > 0 {
        hasHelped = true
        monitor.receiverIsAssisted()
      }
      guard step == .rest else { return step }
      storeDatabase(at: now)
      reportGiven()
      guard hasDecided else {
        if let wait = decide(at: now) { return .wait(until: wait) }
        continue
      }
      writePlace(at: now)
      guard let due = readingDue(at: now, speed) else {
        return .wait(until: now.advanced(byNanoseconds: Self.lookInterval))
      }
      guard now >= due else { return .wait(until: due) }
      read(at: now, speed)
    }
  }

  /// The chip with its firmware; nil where the chip has no number.
  private var receiver: String? {
    guard let id = assistance?.uniqueID, let version else { return nil }
    return "\(String(id, radix: 16)) \(version.software)"
  }

  // MARK: Giving

  /// Decides what is given.
  /// - Returns: When to look again; nil once it is decided.
  private mutating func decide(at now: Timestamp) -> Timestamp? {
    let hasFix = monitor.hasFix
    if hasFix == true {
      hasDecided = true
      return nil
    }
    let firstEpoch = began.advanced(byNanoseconds: Self.firstEpochTime)
    if hasFix == nil, now < firstEpoch { return firstEpoch }
    // The time is needed for everything: without it the receiver does not use the orbits, and the
    // place has no age. It may be known later, when the network is there.
    guard let clock = settings.clock() else {
      return now.advanced(byNanoseconds: Self.lookInterval)
    }
    hasDecided = true
    let aid = stored.usable(at: clock.utc, by: receiver)
    let time = UBXCommand.aid(
      clock.utc, accuracySeconds: clock.errorSeconds + Self.transitTime)
    assistance?.giveTime(time)
    assistance?.give(
      [
        aid.place.map {
          UBXCommand.aid(
            $0.position, heightMetres: $0.heightMetres, accuracyMetres: $0.accuracyMetres)
        }
      ].compactMap { $0 } + (aid.orbits?.entries ?? []).map { UBXCommand.databaseEntry($0) })
    given = (time != nil, aid.place != nil, aid.orbits?.entries.count ?? 0)
    return nil
  }

  /// Reports once what the receiver was given.
  private mutating func reportGiven() {
    guard let given, !isReported, let report = assistance?.report else { return }
    isReported = true
    var words: [String] = []
    if given.time { words.append("the time") }
    if given.place { words.append("the last place") }
    if given.entries > 0 { words.append("\(given.entries) parts of its stored orbits") }
    guard !words.isEmpty else { return }
    var text = "given to the receiver: \(words.joined(separator: ", ")); \(report.accepted) used"
    let others = [
      (report.withoutTime, "not used without the time"), (report.unused, "not used"),
      (report.unanswered, "without an answer"),
    ]
    for (count, what) in others where count > 0 { text += ", \(count) \(what)" }
    monitor.receiver(assistance: text)
    monitor.notice(text)
  }

  // MARK: Storing

  private func readingDue(at now: Timestamp, _ speed: Int) -> Timestamp? {
    guard monitor.hasFix == true, receiver != nil else { return nil }
    return nextReading ?? began.advanced(bySeconds: Self.firstReading)
  }

  private mutating func read(at now: Timestamp, _ speed: Int) {
    assistance?.readDatabase()
    nextReading = now.advanced(
      bySeconds: isSlow(speed) ? Self.slowInterval : Self.interval)
  }

  private func isSlow(_ speed: Int) -> Bool { speed != 0 && speed < Self.slowSpeed }

  /// Stores a new reading of the database.
  private mutating func storeDatabase(at now: Timestamp) {
    guard let entries = assistance?.removeDatabase(), let receiver,
      let utc = monitor.newestPosition?.utc ?? settings.clock()?.utc
    else { return }
    lastReading = now
    guard !entries.isEmpty else { return }
    stored.orbits = ReceiverAid.Orbits(receiver: receiver, utc: utc, entries: entries)
    write(at: now)
  }

  private mutating func writePlace(at now: Timestamp) {
    guard monitor.hasFix == true else { return }
    guard placeWritten.map({ now.seconds(since: $0) >= Self.placeInterval }) ?? true else { return }
    write(at: now)
  }

  /// Writes place and orbits.
  private mutating func write(at now: Timestamp) {
    if let fix = monitor.newestPosition, fix.kind.isOfSatellites, let utc = fix.utc,
      let position = fix.position, let accuracy = fix.horizontalAccuracyMetres
    {
      let height = fix.ellipsoidalAltitudeMetres ?? fix.altitudeMetres ?? 0
      stored.place = ReceiverAid.Place(
        position, heightMetres: height, accuracyMetres: accuracy, utc: utc)
    }
    guard !stored.isEmpty else { return }
    placeWritten = now
    do throws(FileFault) {
      try file.write(stored)
      hasFault = false
    } catch {
      if !hasFault {
        monitor.notice("\(file.path): the receiver's aid cannot be stored: \(error.reason)")
      }
      hasFault = true
    }
  }

  /// Begins the end of the service: reads the database once more where that is fast.
  mutating func end(at now: Timestamp, speed: Int) {
    guard assistance != nil else { return }
    assistance?.cancel()
    let isRecent = lastReading.map { now.seconds(since: $0) < Self.recentReading } ?? false
    if monitor.hasFix == true, receiver != nil, !isSlow(speed), !isRecent {
      assistance?.readDatabase()
    }
  }

  /// The next step of the end; `rest` when it is over.
  mutating func nextOfEnd(at now: Timestamp) -> UBXAssistance.Step {
    let step = assistance?.next(at: now) ?? .rest
    if step == .rest { storeDatabase(at: now) }
    return step
  }

  /// Stores the last place.
  mutating func close(at now: Timestamp) {
    if assistance != nil { write(at: now) }
  }
}
