/// What physics has said about the samples of the sensors so far.
public struct InputVerdicts: Equatable, Sendable {
  /// Whether something about a sensor is known.
  public enum State: String, CaseIterable, Sendable {
    /// The motion has not shown it yet.
    case unproven
    /// The samples of the other sensors confirm it, in an unknown place up to the mirror image of
    /// all three axes.
    case proven
    /// They cannot be reconciled with it.
    case contradicted
  }

  /// What contradicts, with what would fit.
  public enum Fault: Equatable, Sendable {
    /// The sensor's x, y, z lie along other axes; `isMirrorOpen` where the mirror image fits as
    /// well, as in an unknown place.
    case axes(SampleQuantity, SignedAxes, isMirrorOpen: Bool)
    /// The sensors contradict each other and no single sensor's axes explain it; the named one is
    /// the likeliest.
    case disagreement(SampleQuantity)
    /// The true values are the numbers times the factor: another unit, range or chip.
    case scale(SampleQuantity, factor: Double)
    /// The stamps of the sensor are so many seconds later than those of the others.
    case delay(SampleQuantity, seconds: Double)
    /// The clock of the stamps is wrong: true durations are the stamped ones times the factor.
    case clock(factor: Double)
    /// The vehicle drives along another direction than the body's forward axis: the angle is
    /// clockwise from it, seen from above.
    case forward(Angle)
    /// What is wrong with a barometer besides its unit.
    case pressure(PressureFault)
    /// A gyroscope or accelerometer that no longer follows the motion; it is not used meanwhile.
    case stopped(SampleQuantity)
  }

  /// What contradicts a barometer besides its unit.
  public enum PressureFault: Equatable, Sendable {
    /// Two barometers differ by so many hectopascal.
    case two(apart: Double)
    /// The chip's own temperature, degrees Celsius, with which it corrects the pressure, is
    /// impossible.
    case thermometer(celsius: Double)
    /// The pressure changes with a receiver's height by this share of what it must.
    case fall(share: Double)
  }

  /// The magnetometer's axes and handedness, against the gyroscope and gravity.
  public var field = State.unproven
  /// The gyroscope's, against gravity and the field.
  public var rate = State.unproven
  /// The accelerometer's, against both.
  public var force = State.unproven
  /// The barometer's unit and chip, against a receiver's height.
  public var pressure = State.unproven
  /// The stamps: magnetometer and accelerometer against the gyroscope, the clock against a
  /// receiver's time.
  public var time = State.unproven
  /// The body's forward axis, against the drive of a vehicle on wheels.
  public var forward = State.unproven
  /// What is contradicted; nil for nothing. One at a time: the first that is found hides the
  /// others.
  public var fault: Fault?

  /// Nothing is known.
  public init() {}

  /// The fault with which no heading can be right; nil for none, for one of a barometer, and for
  /// one that makes a heading worse by a known amount.
  public var headingFault: Fault? {
    switch fault {
    case .axes?, .disagreement?: fault
    case .scale(let quantity, _)?: quantity == .pressure ? nil : fault
    case .delay?, .clock?, .forward?, .pressure?, .stopped?, nil: nil
    }
  }

  private var states: [State] { [field, rate, force, pressure, time, forward] }
}

extension InputVerdicts: RawRepresentable {
  /// Seven words for protocols: the states of field, rate, force, pressure, time and forward axis,
  /// and the fault or `-`.
  public var rawValue: String {
    (states.map { $0.rawValue } + [fault?.rawValue ?? "-"]).joined(separator: " ")
  }

  /// Reads `rawValue`; nil for anything else.
  public init?(rawValue: String) {
    let words = rawValue.split(separator: " ").map { String($0) }
    let states = words.dropLast().compactMap { State(rawValue: $0) }
    guard words.count == 7, states.count == 6 else { return nil }
    (field, rate, force) = (states[0], states[1], states[2])
    (pressure, time, forward) = (states[3], states[4], states[5])
    guard words[6] != "-" else { return }
    guard let fault = Fault(rawValue: words[6]) else { return nil }
    self.fault = fault
  }
}

extension InputVerdicts.Fault: RawRepresentable {
  /// One word, such as `field:axes:17:open`, `rate:disagreement` or `force:scale:9.80665`.
  public var rawValue: String {
    switch self {
    case .axes(let quantity, let axes, let isMirrorOpen):
      "\(quantity.rawValue):axes:\(axes.index):\(isMirrorOpen ? "open" : "certain")"
    case .disagreement(let quantity): "\(quantity.rawValue):disagreement"
    case .scale(let quantity, let factor): "\(quantity.rawValue):scale:\(factor)"
    case .delay(let quantity, let seconds): "\(quantity.rawValue):delay:\(seconds)"
    case .clock(let factor): "clock:factor:\(factor)"
    case .forward(let angle): "forward:angle:\(angle.radians)"
    case .pressure(.two(let apart)): "pressure:two:\(apart)"
    case .pressure(.thermometer(let celsius)): "pressure:thermometer:\(celsius)"
    case .pressure(.fall(let share)): "pressure:fall:\(share)"
    case .stopped(let quantity): "\(quantity.rawValue):stopped"
    }
  }

  /// Reads `rawValue`; nil for anything else.
  public init?(rawValue: String) {
    let parts = rawValue.split(separator: ":").map { String($0) }
    guard parts.count >= 2 else { return nil }
    let quantity = SampleQuantity(rawValue: parts[0])
    switch (parts[0], parts[1], parts.count) {
    case (_, "axes", 4):
      guard let quantity, let index = Int(parts[2]), (0..<SignedAxes.count).contains(index)
      else { return nil }
      self = .axes(quantity, SignedAxes(index: index), isMirrorOpen: parts[3] == "open")
    case (_, "disagreement", 2):
      guard let quantity else { return nil }
      self = .disagreement(quantity)
    case (_, "stopped", 2):
      guard let quantity else { return nil }
      self = .stopped(quantity)
    case (_, _, 3):
      guard let number = Double(parts[2]), number.isFinite else { return nil }
      switch (quantity, parts[0], parts[1]) {
      case (let quantity?, _, "scale"): self = .scale(quantity, factor: number)
      case (let quantity?, _, "delay"): self = .delay(quantity, seconds: number)
      case (_, "clock", "factor"): self = .clock(factor: number)
      case (_, "forward", "angle"): self = .forward(Angle(radians: number))
      case (_, "pressure", "two"): self = .pressure(.two(apart: number))
      case (_, "pressure", "thermometer"): self = .pressure(.thermometer(celsius: number))
      case (_, "pressure", "fall"): self = .pressure(.fall(share: number))
      default: return nil
      }
    default: return nil
    }
  }
}

extension InputVerdicts.Fault {
  /// The sensor at fault; nil for the clock of the stamps and for the place of the board in its
  /// vehicle.
  public var quantity: SampleQuantity? {
    switch self {
    case .axes(let quantity, _, _), .disagreement(let quantity), .scale(let quantity, _),
      .delay(let quantity, _), .stopped(let quantity):
      quantity
    case .pressure: .pressure
    case .clock, .forward: nil
    }
  }
}

extension InputVerdicts.Fault {
  /// The same in two to four words, for a screen.
  public var label: String {
    let sensor = quantity?.sensor ?? ""
    return switch self {
    case .axes, .disagreement: "\(sensor): wrong axes"
    case .scale: "\(sensor): wrong unit"
    case .delay: "\(sensor): wrong stamps"
    case .clock: "clock: wrong rate"
    case .forward: "drives another way"
    case .pressure(.two): "barometers disagree"
    case .pressure: "barometer: wrong chip"
    case .stopped: "\(sensor): stopped"
    }
  }
}

extension InputVerdicts.Fault: CustomStringConvertible {
  /// What is wrong, with what would be right, as a sentence without its end.
  public var description: String {
    let sensor = quantity?.sensor ?? ""
    switch self {
    case .axes(_, let axes, let isMirrorOpen):
      let image = isMirrorOpen ? ", or the mirror image \(axes.opposite)" : ""
      return
        "the axes of the \(sensor) contradict the other sensors: its x, y, z measure as if they were \(axes)\(image)"
    case .disagreement:
      return
        "magnetometer, gyroscope and accelerometer contradict each other, most likely the \(sensor), and no other axes of one "
        + "of them explain it"
    case .delay(_, let seconds):
      return
        "the stamps of the \(sensor) are \(Self.text(abs(seconds))) s \(seconds > 0 ? "later" : "earlier") than those of the "
        + (quantity == .rate ? "other sensors" : "gyroscope")
    case .clock(let factor):
      return "the clock of the samples is wrong: true times are \(Self.text(factor)) times as long"
    case .forward(let angle):
      let degrees = Int(bounded: angle.wrappedToHalfTurn.degrees.rounded())
      return
        "the vehicle does not drive along the board's forward axis, but \(abs(degrees)) degrees to the \(degrees > 0 ? "right" : "left") of it"
    case .pressure(.two(let apart)):
      return "two barometers contradict each other by \(Self.text(apart)) hPa"
    case .pressure(.thermometer(let celsius)):
      return
        "the barometer's thermometer measures \(Self.text(celsius)) degrees Celsius, and its pressure is wrong with it"
    case .pressure(.fall(let share)):
      return
        "the barometer shows \(Self.text(share)) of the receiver's changes of height: another chip than stated, or no way for the air"
    case .stopped:
      return
        "the \(sensor) no longer follows the motion (its values stay the same, or there are none), and is not used"
    case .scale(let quantity, let factor):
      guard let unit = SampleUnit.fitting(factor, quantity) else {
        let own = SampleUnit.own(of: quantity).name
        return quantity == .field && (factor < 0.3 || factor > 3)
          ? "the numbers of the \(sensor) are not in \(own) nor in another unit of it: they look like a chip's raw counts"
          : "the numbers of the \(sensor) are too \(factor > 1 ? "small" : "large"): true ones are \(Self.text(factor)) times "
            + "as large; another chip or range than stated, or raw counts"
      }
      return
        "the numbers of the \(sensor) look like \(unit.name), not \(SampleUnit.own(of: quantity).name)"
    }
  }

  /// What to do, as a sentence without its end.
  public var remedy: String {
    switch self {
    case .axes:
      "correct the sensor's mount in the board file (lodestar calibrate mount --board FILE writes it), or give --axes proven"
    case .disagreement:
      "check the mounts in the board file and with lodestar probe which chips they are"
    case .delay:
      "set the chip's latency in the board file, and stamp samples when they are measured, not when they are written"
    case .clock:
      "check the unit of the stamps (nanoseconds, seconds) and the rate that the program that recorded them assumed"
    case .forward:
      "set the board's mount, or its trim, in the board file (lodestar calibrate mount --board FILE finds it in a recording of a drive)"
    case .pressure(.two):
      "remove one of them from the board file: the wrong one is that which lodestar check names"
    case .pressure: "check with lodestar probe which chip it is, and that air reaches it"
    case .stopped:
      "check its wires and supply, and with lodestar probe that it answers; a chip that hangs needs its supply switched off"
    case .scale(let quantity, let factor):
      SampleUnit.fitting(factor, quantity).map {
        "convert them, or name the unit in the file's header: \(Self.column(quantity))[\($0.symbol)]"
      } ?? "check with lodestar probe which chip it is, and its range"
    }
  }

  private static func column(_ quantity: SampleQuantity) -> String {
    switch quantity {
    case .field: "mx"
    case .rate: "gx"
    case .force: "ax"
    case .pressure: "pressure"
    }
  }

  private static func text(_ factor: Double) -> String {
    let rounded = factor >= 1 ? (factor * 10).rounded() / 10 : (factor * 1000).rounded() / 1000
    return "\(rounded)"
  }
}

extension SampleUnit {
  /// Largest relative difference of a unit's factor from an observed one: soft iron and the
  /// uncertainty of the strength.
  private static let tolerance = 2.2

  /// The unit with a factor near the observed one; nil where none is.
  package static func fitting(_ factor: Double, _ quantity: SampleQuantity) -> SampleUnit? {
    guard factor.isFinite, factor > 0 else { return nil }
    // Pressure and gravity are known within some per cent, the earth's field within a factor of
    // two.
    let tolerance = quantity == .field ? Self.tolerance : 1.25
    return others(of: quantity).min { distance($0.factor, factor) < distance($1.factor, factor) }
      .flatMap { distance($0.factor, factor) < tolerance ? $0 : nil }
  }

  private static func distance(_ a: Double, _ b: Double) -> Double { a > b ? a / b : b / a }
}
