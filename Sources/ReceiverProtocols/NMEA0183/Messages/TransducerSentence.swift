import Quantities

/// XDR: any number of transducers, each with a quantity, a value, a unit and a name.
///
/// - Source: NMEA 0183 4.11, "Update to XDR sentence" (the NMEA's table of types, units and names,
///   2019); NMEA Revealed 2.24, XDR; Vaisala WXT530 user guide, table 20, for units outside the
///   standard.
public struct XDR: Equatable, Sendable {
  /// The quantity of a transducer; it determines the unit of `Measurement.value`.
  public enum Quantity: UInt8, Sendable {
    /// A in D: degrees.
    case angle
    /// C in C, K, and in Vaisala's F: degrees Celsius.
    case temperature
    /// P in B or P, and in Vaisala's H, I and M: hectopascals.
    case pressure
    /// H in P: percent.
    case relativeHumidity
    /// B in K: kilograms per cubic metre.
    case absoluteHumidity
    /// D in M: metres.
    case displacement
    /// F in H: hertz.
    case frequency
    /// I in A: amperes.
    case current
    /// U in V: volts.
    case voltage
    /// N in N: newtons.
    case force
    /// R in l: litres per second.
    case flow
    /// T in R: turns per minute.
    case revolutions
    /// V in M: cubic metres.
    case volume
    /// L in S: parts per thousand.
    case salinity
    /// S: a switch, 0 or 1.
    case state
    /// A, D or E in P: percent of the full range.
    case percentOfRange
    /// G, and types that are not in the table: as printed.
    case generic
  }

  /// One transducer.
  public struct Measurement: Equatable, Sendable {
    /// The value in the quantity's unit.
    public var value: Double
    /// The name as printed; instruments choose their own.
    public var name: ShortText
    /// The quantity and unit of `value`.
    public var quantity: Quantity
  }

  /// Largest number of transducers; further ones are dropped.
  public static let capacity = 8

  private var slots:
    (
      Measurement?, Measurement?, Measurement?, Measurement?,
      Measurement?, Measurement?, Measurement?, Measurement?
    ) = (nil, nil, nil, nil, nil, nil, nil, nil)
  /// Number of transducers.
  public private(set) var count = 0

  init(_ fields: inout SentenceFields) {
    var wholeAngles = true
    var hasRawField = false
    while fields.remaining >= 4, count < Self.capacity {
      let type = fields.letter()
      let number = fields.decimal()
      let unit = fields.letter()
      let name = fields.text().map { ShortText($0) } ?? ShortText(.init(start: nil, count: 0))
      guard let type, let number, let scale = Scale(type: type, unit: unit) else { continue }
      let value = number.value * scale.factor + scale.offset
      guard scale.range.contains(value) else { continue }
      if scale.quantity == .angle, number.decimals > 0 { wholeAngles = false }
      if scale.quantity == .generic, name.starts(with: "MAG") { hasRawField = true }
      append(Measurement(value: value, name: name, quantity: scale.quantity))
    }
    // True North compasses send counts of 1/65536 turn beside their raw magnetic field, but with
    // the unit degrees; the HMR3000 of the same family sends degrees with a decimal.
    if wholeAngles, hasRawField {
      for index in 0..<count where self[index]?.quantity == .angle {
        set(index) { $0.quantity = .generic }
      }
    }
  }

  /// The transducer at an index below `count`; nil for others.
  public subscript(index: Int) -> Measurement? {
    switch index {
    case 0: slots.0
    case 1: slots.1
    case 2: slots.2
    case 3: slots.3
    case 4: slots.4
    case 5: slots.5
    case 6: slots.6
    case 7: slots.7
    default: nil
    }
  }

  private mutating func append(_ measurement: Measurement) {
    switch count {
    case 0: slots.0 = measurement
    case 1: slots.1 = measurement
    case 2: slots.2 = measurement
    case 3: slots.3 = measurement
    case 4: slots.4 = measurement
    case 5: slots.5 = measurement
    case 6: slots.6 = measurement
    case 7: slots.7 = measurement
    default: return
    }
    count += 1
  }

  private mutating func set(_ index: Int, _ change: (inout Measurement) -> Void) {
    guard var measurement = self[index] else { return }
    change(&measurement)
    let all = count
    count = index
    append(measurement)
    count = all
  }

  /// Compares the transducers.
  public static func == (a: XDR, b: XDR) -> Bool {
    guard a.count == b.count else { return false }
    for index in 0..<a.count where a[index] != b[index] { return false }
    return true
  }
}

/// The conversion of a transducer's printed value to its quantity's unit.
private struct Scale {
  var quantity: XDR.Quantity
  var factor = 1.0
  var offset = 0.0
  var range = -1e12...1e12

  /// - Returns: nil for a unit that is not in the table for the type.
  init?(type: UInt8, unit: UInt8?) {
    switch (type, unit) {
    case (UInt8(ascii: "A"), UInt8(ascii: "D")): self.init(.angle, range: -360...360)
    case (UInt8(ascii: "A"), UInt8(ascii: "P")), (UInt8(ascii: "D"), UInt8(ascii: "P")),
      (UInt8(ascii: "E"), UInt8(ascii: "P")):
      self.init(.percentOfRange)
    case (UInt8(ascii: "C"), UInt8(ascii: "C")): self.init(.temperature)
    case (UInt8(ascii: "C"), UInt8(ascii: "K")):
      self.init(.temperature, offset: -PrintedUnit.zeroCelsiusKelvin)
    case (UInt8(ascii: "C"), UInt8(ascii: "F")):
      // 9 degrees Fahrenheit are 5 degrees Celsius; 32 degrees Fahrenheit are 0 degrees Celsius.
      self.init(.temperature, factor: 5.0 / 9.0, offset: -32 * 5.0 / 9.0)
    case (UInt8(ascii: "P"), UInt8(ascii: "B")):
      self.init(.pressure, factor: PrintedUnit.barHectopascal)
    case (UInt8(ascii: "P"), UInt8(ascii: "P")): self.init(.pressure, factor: 0.01)
    case (UInt8(ascii: "P"), UInt8(ascii: "H")): self.init(.pressure)
    case (UInt8(ascii: "P"), UInt8(ascii: "I")):
      self.init(.pressure, factor: PrintedUnit.inchOfMercuryHectopascal)
    case (UInt8(ascii: "P"), UInt8(ascii: "M")):
      self.init(.pressure, factor: PrintedUnit.millimetreOfMercuryHectopascal)
    case (UInt8(ascii: "H"), UInt8(ascii: "P")):
      self.init(.relativeHumidity, range: PrintedRange.percent)
    case (UInt8(ascii: "B"), UInt8(ascii: "K")): self.init(.absoluteHumidity)
    case (UInt8(ascii: "D"), UInt8(ascii: "M")): self.init(.displacement)
    case (UInt8(ascii: "F"), UInt8(ascii: "H")): self.init(.frequency)
    case (UInt8(ascii: "I"), UInt8(ascii: "A")): self.init(.current)
    case (UInt8(ascii: "U"), UInt8(ascii: "V")): self.init(.voltage)
    case (UInt8(ascii: "N"), UInt8(ascii: "N")): self.init(.force)
    // The letter is a lower-case l; older tables and sentences have an upper-case I.
    case (UInt8(ascii: "R"), UInt8(ascii: "L")), (UInt8(ascii: "R"), UInt8(ascii: "I")):
      self.init(.flow)
    case (UInt8(ascii: "T"), UInt8(ascii: "R")): self.init(.revolutions)
    case (UInt8(ascii: "V"), UInt8(ascii: "M")): self.init(.volume)
    case (UInt8(ascii: "L"), UInt8(ascii: "S")): self.init(.salinity)
    case (UInt8(ascii: "S"), _): self.init(.state)
    case (UInt8(ascii: "A"), _), (UInt8(ascii: "B"), _), (UInt8(ascii: "C"), _),
      (UInt8(ascii: "D"), _), (UInt8(ascii: "E"), _), (UInt8(ascii: "F"), _),
      (UInt8(ascii: "H"), _), (UInt8(ascii: "I"), _), (UInt8(ascii: "L"), _),
      (UInt8(ascii: "N"), _), (UInt8(ascii: "P"), _), (UInt8(ascii: "R"), _),
      (UInt8(ascii: "T"), _), (UInt8(ascii: "U"), _), (UInt8(ascii: "V"), _):
      return nil
    default: self.init(.generic)
    }
  }

  private init(
    _ quantity: XDR.Quantity, factor: Double = 1, offset: Double = 0,
    range: ClosedRange<Double> = -1e12...1e12
  ) {
    self.quantity = quantity
    self.factor = factor
    self.offset = offset
    self.range = range
  }
}
