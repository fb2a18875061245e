import LinuxIO
import Observers
import Quantities
import ReceiverProtocols

/// What a receiver sends beyond fixes and headings. The receiver is the publisher's
/// `positionSource`.
public enum ReceiverOutput: Equatable, Sendable {
  /// The satellites in view.
  case sky(SkyReport)
  /// Bytes as the receiver sent them, in pieces of any length.
  case bytes([UInt8])
  /// The receiver's time and when it arrived.
  case time(ReceiverTime)
  /// A pulse of the receiver.
  case pulse(PulseReport)
}

/// The time of an epoch by the receiver, and when its first byte arrived. The bytes come some
/// tenths of a second after the instant, by a delay that depends on the receiver and on the speed
/// of its line.
public struct ReceiverTime: Equatable, Sendable {
  /// The receiver's time.
  public var utc: UTCTime
  /// The arrival, on the monotonic clock.
  public var arrival: Timestamp
  /// The arrival, on the system clock.
  public var systemUTC: UTCTime
  /// True where the epoch has a position of satellites; without one the time may be that of the
  /// receiver's own clock.
  public var hasFix: Bool
  /// Whether the receiver knows the leap seconds; nil where it does not report that, as NMEA 0183.
  public var isResolved: Bool?

  /// Makes a time.
  public init(
    utc: UTCTime, arrival: Timestamp, systemUTC: UTCTime, hasFix: Bool = false,
    isResolved: Bool? = nil
  ) {
    (self.utc, self.arrival, self.systemUTC) = (utc, arrival, systemUTC)
    (self.hasFix, self.isResolved) = (hasFix, isResolved)
  }
}

/// A pulse of a receiver.
public struct PulseReport: Equatable, Sendable {
  /// The pulse, with its second while that is known.
  public var pulse: MarkedPulse
  /// True where epochs with a fix have confirmed the second within the last five seconds.
  public var isPaired: Bool
  /// One sigma of the last pulses, seconds; nil before enough of them.
  public var jitterSeconds: Double?

  /// Makes a report.
  public init(_ pulse: MarkedPulse, isPaired: Bool, jitterSeconds: Double? = nil) {
    (self.pulse, self.isPaired, self.jitterSeconds) = (pulse, isPaired, jitterSeconds)
  }
}

extension ObserverList<ReceiverOutput> {
  /// Publishes what a report of a live receiver contains beyond the fix, if there is an observer.
  func publish(_ report: ReceiverReport) {
    guard case .epoch(let epoch) = report, !isEmpty else { return }
    if let sky = SkyReport(epoch) { notify(.sky(sky)) }
    // The rest of an instant that was already reported.
    guard !epoch.isRevision, let utc = epoch.fix.utc else { return }
    let (arrival, clocks) = (epoch.fix.timestamp, SystemClock.reading)
    let systemUTC = clocks.utc.advanced(bySeconds: arrival.seconds(since: clocks.monotonic))
    notify(
      .time(
        ReceiverTime(
          utc: utc, arrival: arrival, systemUTC: systemUTC,
          hasFix: epoch.validFix.kind.isOfSatellites, isResolved: epoch.isTimeResolved)))
  }

  /// Publishes received bytes, if there is an observer.
  func publish(_ bytes: UnsafeRawBufferPointer) {
    if !isEmpty { notify(.bytes(Array(bytes))) }
  }
}

/// Collects the output of a receiver that is recorded or simulated, until its instant is played.
final class ReceiverOutputBuffer {
  private var isCollecting = false
  private var waiting: [ReceiverOutput] = []

  func add(_ report: ReceiverReport) {
    guard isCollecting, case .epoch(let epoch) = report, let sky = SkyReport(epoch) else { return }
    waiting.append(.sky(sky))
  }

  func add(_ bytes: some Collection<UInt8>) {
    if isCollecting, !bytes.isEmpty { waiting.append(.bytes(Array(bytes))) }
  }

  /// Moves what was collected to the caller.
  func removeAll(collecting: Bool) -> [ReceiverOutput] {
    isCollecting = collecting
    defer { waiting = [] }
    return waiting
  }
}
