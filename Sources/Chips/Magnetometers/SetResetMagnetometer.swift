import Quantities

/// MEMSIC's magnetometers MMC5603 and MMC5983MA, whose bridges have an offset that drifts with the
/// temperature. They have one range, and their data-ready line is not used. A SET pulse magnetises the bridge forwards and a RESET pulse
/// backwards: the field's part of the output changes its sign, the offset does not.
///
/// Model: output = polarity × field + offset. `start` measures after SET, RESET and SET; the offset
/// is half of the mean of the outer ones and the middle one, in which a field that turns evenly
/// cancels out. In service every tenth second one measurement is made after a RESET: its sample is
/// delivered like the others, with the opposite sign, and the SET measurements before and after it
/// give the new offset. No sample is missing. The same is done after a saturation, because a strong
/// field may turn the bridge over.
///
/// The control registers can only be written, so a loss of power shows only as a lost measurement.
/// So one is always active or waiting to be read: it is read when the next one is due, one period
/// after its start.
///
/// - Source: MEMSIC MMC5983MA data sheet revision A and MMC5603NJ data sheet: SET and RESET,
///   control registers, measurement time. Linux mmc5983.c and mmc5633.c and ArduPilot's
///   AP_Compass_MMC5xx3.cpp and AP_Compass_MMC5603.cpp agree on registers, bits, scale and zero.
public struct SetResetMagnetometer<Bus: RegisterBus>: Magnetometer {
  private enum Pulse: UInt8 { case set = 0x08, reset = 0x10 }

  /// Between two measurements of the offset, seconds. More often costs pulses of 1 ms, more rarely
  /// lets the offset drift: a board that warms up by 0.1 °C a second drifts by some 0.01 µT a
  /// second.
  static var renewalSeconds: Double { 10 }
  /// The largest change of the field between the two SET measurements for which the offset is
  /// taken, microtesla: the error of the offset is at most a quarter of it, and far less in an even
  /// turn.
  static var greatestChange: Double { 4 }

  /// The part number.
  public var model: ChipModel { part.model }
  /// The chip's address, always 0x30.
  public var address: UInt8 { link.address }
  /// Samples a second: 25, 50 or the part's fastest.
  public let rateHertz: Double
  /// The age of a sample, which waits until the next measurement is due.
  public var latencySeconds: Double { 1 / rateHertz - 0.5e-9 * Double(part.measurementNanoseconds) }

  private let link: ChipLink<Bus>
  private let part: SetResetPart
  private var pace: Pace
  private var begun: Timestamp?
  /// The last pulse; nil where it is unknown.
  private var polarity: Pulse?
  /// The pulse of the measurement that is active.
  private var measuredPolarity = Pulse.set
  /// Offset of the bridge, counts; nil where none was measured.
  private var offset: SIMD3<Double>?
  private var renewed = Timestamp(nanoseconds: 0)
  private var isRenewalDue = false
  /// The SET output before the RESET measurement of a renewal, and that one.
  private var before: SIMD3<Double>?
  private var middle: SIMD3<Double>?
  private var isLost = false

  /// Makes a driver; nothing is transferred before `start`.
  public init(bus: Bus, address: UInt8, settings: ChipSettings, part: SetResetPart) {
    self.part = part
    link = ChipLink(bus: bus, address: address, model: part.model)
    let fastest = part.rates.last ?? 1
    rateHertz = part.rates.first { $0 >= settings.rateHertz ?? fastest } ?? fastest
    pace = Pace(hertz: rateHertz)
  }

  /// Identity, reset, and the bridge's offset.
  public mutating func start() throws(ChipError) {
    begun = nil
    (before, middle, offset, polarity) = (nil, nil, nil, nil)
    pace.reset()
    try link.identify(part.identity.register, as: part.identity.value)
    // SW_RST.
    try link.write(0x80, to: part.control.1)
    link.bus.wait(nanoseconds: part.resetNanoseconds)
    var outputs: [SIMD3<Double>] = []
    for pulse in [Pulse.set, .reset, .set] {
      try send(pulse)
      try begin()
      link.bus.wait(nanoseconds: part.measurementNanoseconds)
      begun = nil
      guard let counts = try finish() else { throw link.error(.unfinished("a measurement")) }
      if let output = unsaturated(counts) { outputs.append(output) }
    }
    // In a field beyond the range the offset is measured later.
    if outputs.count == 3 { updateOffset(outputs[0], outputs[1], outputs[2]) }
    isRenewalDue = offset == nil
    isLost = false
    pace.reset()
    try begin()
  }

  /// False after a lost measurement; there are no registers to read back.
  public mutating func holdsConfiguration() throws(ChipError) -> Bool {
    try link.identify(part.identity.register, as: part.identity.value)
    return !isLost
  }

  /// The measurement that ended since the last call; begins the next one.
  public mutating func readField() throws(ChipError) -> Reading<MagneticField<SensorFrame>>? {
    let now = link.bus.now
    guard let begun else {
      if pace.isDue(at: now) { try begin() }
      return nil
    }
    guard pace.isDue(at: now), now.nanoseconds &- begun.nanoseconds >= part.measurementNanoseconds
    else { return nil }
    self.begun = nil
    let polarity = measuredPolarity
    guard let counts = try finish() else {
      isLost = true
      try begin()
      return nil
    }
    let output = unsaturated(counts)
    try next(after: output, polarity)
    guard let output, let offset else { return .saturated }
    let sign: Double = polarity == .set ? 1 : -1
    return .value(
      MagneticField(microtesla: (output - offset) * (sign / part.countsPerMicrotesla)))
  }

  /// Sends the pulse that the next measurement needs, and begins it.
  private mutating func next(after output: SIMD3<Double>?, _ measured: Pulse) throws(ChipError) {
    if link.bus.now.seconds(since: renewed) >= Self.renewalSeconds { isRenewalDue = true }
    guard let output else {
      (before, middle, isRenewalDue) = (nil, nil, true)
      // A field beyond the range may have turned the bridge over, after SET too.
      try send(.set)
      return try begin()
    }
    switch measured {
    case .reset:
      middle = before == nil ? nil : output
      try send(.set)
    case .set:
      if let before, let middle {
        self.before = nil
        self.middle = nil
        updateOffset(before, middle, output)
      }
      if isRenewalDue {
        before = output
        try send(.reset)
      } else if polarity != .set {
        try send(.set)
      }
    }
    try begin()
  }

  /// The offset from the outputs after SET, RESET and SET.
  private mutating func updateOffset(
    _ first: SIMD3<Double>, _ middle: SIMD3<Double>, _ last: SIMD3<Double>
  ) {
    let change = (last - first) / part.countsPerMicrotesla
    guard offset == nil || change.isWithin(Self.greatestChange) else { return }
    offset = ((first + last) / 2 + middle) / 2
    renewed = link.bus.now
    isRenewalDue = false
  }

  private mutating func send(_ pulse: Pulse) throws(ChipError) {
    polarity = nil
    try link.write(pulse.rawValue, to: part.control.0)
    link.bus.wait(nanoseconds: part.pulseNanoseconds)
    polarity = pulse
  }

  private mutating func begin() throws(ChipError) {
    if polarity == nil {
      (before, middle) = (nil, nil)
      try send(.set)
    }
    // TM_M: one measurement.
    try link.write(0x01, to: part.control.0)
    measuredPolarity = polarity ?? .set
    let now = link.bus.now
    begun = now
    pace.began(at: now)
  }

  /// The outputs of the measurement; nil where it has not ended.
  private func finish() throws(ChipError) -> SIMD3<Int32>? {
    guard try link.read(part.status) & part.done != 0 else { return nil }
    return part.layout.counts(try link.readSample(0x00, count: part.layout.count))
  }

  /// The outputs from the zero on; nil where one is at an end of its range.
  private func unsaturated(_ counts: SIMD3<Int32>) -> SIMD3<Double>? {
    let last = 2 * part.layout.zero - 1
    for axis in 0..<3 where counts[axis] <= 0 || counts[axis] >= last { return nil }
    return SIMD3(Double(counts.x), Double(counts.y), Double(counts.z)) - Double(part.layout.zero)
  }
}
