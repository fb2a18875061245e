import Quantities

extension ChipModel {
  /// WitMotion's WT901 and the others with its serial protocol.
  public static let wt901 = ChipModel("WT901", .inertia, at: []).module(baud: 9600)
}

/// WitMotion's WT901 and its kin on a serial port: frames of acceleration, angular rate, angles and
/// field.
///
/// It is only listened to, unless a rate is set: then the module is unlocked and its rate changed,
/// not stored. The samples have the module's own calibration and filters.
///
/// - Axes: right-handed; of the WT901 x to the right, y forward, z up, as printed.
/// - Source: as in `WitMotionFrame`; section 5.2.9 of the data sheet (rates), "WIT Standard
///   Communication Protocol" (unlocking).
public struct WT901<Port: TimedSerialPort>: InertialUnit {
  /// The rates with their codes.
  static var rates: [(hertz: Double, code: UInt8)] {
    [
      (0.5, 0x02), (1, 0x03), (2, 0x04), (5, 0x05), (10, 0x06), (20, 0x07), (50, 0x08), (100, 0x09),
      (200, 0x0B),
    ]
  }
  /// Frames of a sample that a line must have time for: with time or quaternion besides the usual
  /// four.
  private static var framesOfSample: Double { 5 }
  /// Time in which a module must be found, and the time of the measurement of its rate, ns.
  private static var searchTime: UInt64 { 2_500_000_000 }
  private static var samplesOfSearch: Int { 4 }
  /// Bytes that are read at once.
  private static var readBytes: Int { 32 }

  /// The name of the protocol's best known module.
  public var model: ChipModel { .wt901 }
  /// Zero: a serial port has no addresses.
  public var address: UInt8 { 0 }
  /// Samples a second, as measured at the start.
  public private(set) var rateHertz: Double
  /// Half a period: its filters are not documented.
  public var latencySeconds: Double { 0.5 / rateHertz }
  /// True: the port stores what arrives.
  public var keepsSamples: Bool { true }

  private let port: Port
  private let isFused: Bool
  private let wantedRate: Double?
  private var framer = WitMotionFramer()
  /// The sample that is collected, with the type of its newest frame; and the last type of the
  /// sample before.
  private var sample = InertialReading(angularRate: nil, specificForce: nil)
  private var newest: UInt8 = 0
  private var lastOfSample: UInt8 = 0xFF
  private var isDelivered = false
  private var hasQuaternion = false

  /// Makes a driver; nothing is transferred before `start`.
  public init(port: Port, settings: ChipSettings) {
    self.port = port
    isFused = settings.usesOwnAttitude
    wantedRate = settings.rateHertz
    rateHertz = settings.rateHertz ?? 10
  }

  /// Waits for frames and measures their rate; sets the rate where one is wanted.
  public mutating func start() throws(ChipError) {
    if let wantedRate { try set(wantedRate) }
    (framer, newest, lastOfSample, isDelivered) = (WitMotionFramer(), 0, 0xFF, false)
    let begin = port.now
    let end = begin.advanced(byNanoseconds: Self.searchTime)
    var first: Timestamp?
    var last = begin
    var (found, samples) = (0, 0)
    while port.now < end, samples < Self.samplesOfSearch {
      var new = 0
      try read(until: end) { _ in new += 1 }
      found += new
      // The first sample is known to be complete only when the second begins.
      guard new > 0, found > 1 else { continue }
      last = port.now
      if first == nil { first = last } else { samples += new }
    }
    guard let first, samples > 0 else {
      throw error(
        .unfinished(
          "a frame with a valid sum at \(port.baud) baud (set 'baud' to the module's; 9600 as delivered)"
        ))
    }
    rateHertz = Double(samples) / max(last.seconds(since: first), 1e-3)
    // The measured rate is near one of the module's.
    for rate in Self.rates where abs(rateHertz / rate.hertz - 1) < 0.2 { rateHertz = rate.hertz }
  }

  /// Whether the module still has the rate that was set: true where none was. A module without
  /// power is found by its silence.
  public mutating func holdsConfiguration() throws(ChipError) -> Bool { true }

  /// All samples that arrived.
  public mutating func readInertia(
    _ take: (InertialReading) -> Void
  ) throws(ChipError) -> Int {
    try read(until: port.now, take)
    return 0
  }

  /// The fastest rate up to the wanted one for which the line has time.
  private mutating func set(_ wanted: Double) throws(ChipError) {
    let fastest = Double(port.baud) / (10 * 11 * Self.framesOfSample)
    let limit = min(wanted * 1.01, fastest)
    guard let rate = Self.rates.last(where: { $0.hertz <= limit }) ?? Self.rates.first else {
      return
    }
    // The module accepts a command some time after the one before.
    try write((0xFF, 0xAA, 0x69, 0x88, 0xB5))
    port.wait(nanoseconds: 200_000_000)
    try write((0xFF, 0xAA, 0x03, rate.code, 0x00))
    port.wait(nanoseconds: 100_000_000)
    // Samples at the rate before.
    try read(until: port.now) { _ in }
  }

  private func write(_ command: (UInt8, UInt8, UInt8, UInt8, UInt8)) throws(ChipError) {
    var failure: BusError?
    withUnsafeBytes(of: command) {
      do throws(BusError) { try port.write($0) } catch { failure = error }
    }
    if let failure { throw error(.bus(failure)) }
  }

  /// Reads until nothing is left at the deadline, or after a sample.
  private mutating func read(
    until deadline: Timestamp, _ take: (InertialReading) -> Void
  ) throws(ChipError) {
    while true {
      var bytes = RegisterBytes(count: Self.readBytes)
      var count = 0
      var failure: BusError?
      bytes.fill {
        do throws(BusError) { count = try port.read(into: $0, until: deadline) } catch {
          failure = error
        }
      }
      if let failure { throw error(.bus(failure)) }
      guard count > 0 else { return }
      var found = false
      for index in 0..<count {
        guard let frame = framer.push(bytes[index]) else { continue }
        collect(frame) {
          found = true
          take($0)
        }
      }
      // A wait is for one sample; what has arrived is read to its end.
      if found, deadline > port.now { return }
    }
  }

  /// Adds a frame to the sample. The types of a sample's frames rise, so that one that does not
  /// begins the next sample; after the first sample the type of its last frame is known.
  private mutating func collect(_ frame: WitMotionFrame, _ take: (InertialReading) -> Void) {
    if frame.kind <= newest {
      lastOfSample = newest
      deliver(take)
      isDelivered = false
    }
    newest = frame.kind
    switch frame.kind {
    case WitMotionFrame.Kind.acceleration where !isFused: sample.specificForce = frame.force
    case WitMotionFrame.Kind.angularRate where !isFused: sample.angularRate = frame.rate
    case WitMotionFrame.Kind.field where !isFused: sample.field = frame.field
    case WitMotionFrame.Kind.angles where isFused && !hasQuaternion:
      sample.attitude = frame.attitude
    case WitMotionFrame.Kind.quaternion where isFused:
      hasQuaternion = true
      sample.attitude = frame.attitude
    default: break
    }
    if frame.kind == lastOfSample { deliver(take) }
  }

  private mutating func deliver(_ take: (InertialReading) -> Void) {
    defer {
      sample = InertialReading(angularRate: nil, specificForce: nil)
      isDelivered = true
    }
    let isEmpty =
      sample.angularRate == nil && sample.specificForce == nil && sample.field == nil
      && sample.attitude == nil
    guard !isDelivered, !isEmpty else { return }
    take(sample)
  }

  private func error(_ kind: ChipError.Kind) -> ChipError {
    ChipError(kind, model: .wt901, bus: port.name, address: 0)
  }
}
