/// What physics has said about the samples of the sensors so far.
public struct InputVerdicts: Equatable, Sendable {
  /// Whether something about a sensor is known.
  public enum State: String, CaseIterable, Sendable {
    /// The motion has not shown it yet.
    case unproven
    /// The samples of the other sensors confirm it, in an unknown place up to the mirror image of all three axes.
    case proven
    /// They cannot be reconciled with it.
    case contradicted
  }

  /// What contradicts, with what would fit.
  public enum Fault: Equatable, Sendable {
    /// The sensor's x, y, z lie along other axes; `isMirrorOpen` where the mirror image fits as well, as in an unknown place.
    case axes(SampleQuantity, SignedAxes, isMirrorOpen: Bool)
    /// The sensors contradict each other and no single sensor's axes explain it; the named one is the likeliest.
    case disagreement(SampleQuantity)
    /// The true values are the numbers times the factor: another unit, range or chip.
    case scale(SampleQuantity, factor: Double)
  }

  /// The magnetometer's axes and handedness, against the gyroscope and gravity.
  public var field = State.unproven
  /// The gyroscope's, against gravity and the field.
  public var rate = State.unproven
  /// The accelerometer's, against both.
  public var force = State.unproven
  /// What is contradicted; nil for nothing. One at a time: the first that is found hides the others.
  public var fault: Fault?

  /// Nothing is known.
  public init() {}

  /// The fault with which no heading can be right; nil for none, and for one of a barometer.
  public var headingFault: Fault? { fault.flatMap { $0.quantity == .pressure ? nil : $0 } }

  /// The state of a sensor's axes.
  public func state(of quantity: SampleQuantity) -> State? {
    switch quantity {
    case .field: field
    case .rate: rate
    case .force: force
    case .pressure: nil
    }
  }
}

extension InputVerdicts: RawRepresentable {
  /// Four words for protocols: the states of field, rate and force, and the fault or `-`.
  public var rawValue: String {
    "\(field.rawValue) \(rate.rawValue) \(force.rawValue) \(fault?.rawValue ?? "-")"
  }

  /// Reads `rawValue`; nil for anything else.
  public init?(rawValue: String) {
    let words = rawValue.split(separator: " ")
    guard words.count == 4, let field = State(rawValue: String(words[0])),
      let rate = State(rawValue: String(words[1])), let force = State(rawValue: String(words[2]))
    else { return nil }
    (self.field, self.rate, self.force) = (field, rate, force)
    guard words[3] != "-" else { return }
    guard let fault = Fault(rawValue: String(words[3])) else { return nil }
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
    }
  }

  /// Reads `rawValue`; nil for anything else.
  public init?(rawValue: String) {
    let parts = rawValue.split(separator: ":").map { String($0) }
    guard parts.count >= 2, let quantity = SampleQuantity(rawValue: parts[0]) else { return nil }
    switch parts[1] {
    case "axes":
      guard parts.count == 4, let index = Int(parts[2]), (0..<SignedAxes.count).contains(index)
      else { return nil }
      self = .axes(quantity, SignedAxes(index: index), isMirrorOpen: parts[3] == "open")
    case "disagreement": self = .disagreement(quantity)
    case "scale":
      guard parts.count == 3, let factor = Double(parts[2]) else { return nil }
      self = .scale(quantity, factor: factor)
    default: return nil
    }
  }
}

extension InputVerdicts.Fault {
  /// The sensor at fault.
  public var quantity: SampleQuantity {
    switch self {
    case .axes(let quantity, _, _), .disagreement(let quantity), .scale(let quantity, _): quantity
    }
  }

}

extension InputVerdicts.Fault: CustomStringConvertible {
  /// What is wrong, with what would be right, as a sentence without its end.
  public var description: String {
    let sensor = quantity.sensor
    switch self {
    case .axes(_, let axes, let isMirrorOpen):
      let image = isMirrorOpen ? ", or the mirror image \(axes.opposite)" : ""
      return
        "the axes of the \(sensor) contradict the other sensors: its x, y, z measure as if they were \(axes)\(image)"
    case .disagreement:
      return
        "magnetometer, gyroscope and accelerometer contradict each other, most likely the \(sensor), and no other axes of one "
        + "of them explain it"
    case .scale(_, let factor):
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
    case .axes(.field, _, _):
      "correct the sensor's mount in the board file (lodestar calibrate mount --board FILE writes it), or give --axes proven"
    case .axes, .disagreement:
      "check the mounts in the board file and with lodestar probe which chips they are"
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
  /// Largest relative difference of a unit's factor from an observed one: soft iron and the uncertainty of the strength.
  private static let tolerance = 2.2

  /// The unit with a factor near the observed one; nil where none is.
  package static func fitting(_ factor: Double, _ quantity: SampleQuantity) -> SampleUnit? {
    guard factor.isFinite, factor > 0 else { return nil }
    // Pressure and gravity are known within some per cent, the earth's field within a factor of two.
    let tolerance = quantity == .field ? Self.tolerance : 1.25
    return others(of: quantity).min { distance($0.factor, factor) < distance($1.factor, factor) }
      .flatMap { distance($0.factor, factor) < tolerance ? $0 : nil }
  }

  private static func distance(_ a: Double, _ b: Double) -> Double { a > b ? a / b : b / a }
}
