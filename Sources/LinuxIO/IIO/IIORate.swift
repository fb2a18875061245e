import Quantities

/// The rates of an IIO device.
package enum IIORate {
  /// Sets the lowest rate that is not below the requested one. A driver without a list of its
  /// rates, such as the DPS310's, is given the number, and what it has taken is read.
  /// - Parameters:
  ///   - node: The device.
  ///   - stem: The quantity, such as `in_magn`: some drivers have a rate for each.
  ///   - requested: Hertz.
  /// - Returns: The resulting rate, hertz; nil if the device has no rate, or it is not known.
  /// - Throws: The driver's error for a rate of its own list.
  static func choose(
    of node: IIONode, stem: String, requested: Double
  ) throws(IIOFault) -> Double? {
    guard let attribute = attribute(of: node, stem: stem) else { return nil }
    let choice = choice(of: node, stem: stem)
    let isMisprinted = misprints(node)
    var written: Double?
    if choice == nil {
      setNearest(requested, read: { node.number(attribute) }) { node.store($0, in: attribute) }
    } else if let text = choice.flatMap({ nearest($0, requested: requested) }),
      isMisprinted || IIODecimal(text)?.value != node.number(attribute)
    {
      let code = node.store(text, in: attribute)
      // Without write permission the present rate is used.
      if code != 0 && !IIOFault.isForbidden(code) {
        throw IIOFault(code: code, doing: "writing \(attribute) of \(node.label)")
      }
      if code == 0 { written = IIODecimal(text)?.value }
    }
    if isMisprinted {
      return written ?? node.number(attribute).flatMap { isListed($0, in: choice) ? $0 : nil }
    }
    guard let rate = node.number(attribute), rate > 0 else {
      throw IIOFault(code: 0, doing: "understanding \(attribute) of \(node.label)")
    }
    return rate
  }

  /// Whether the driver may print another rate than it has.
  /// - Source: Linux 6.12, drivers/iio/magnetometer/hmc5843_core.c: `hmc5843_read_raw` shifts
  ///   register A without masking the bits of the averaging, which another program may have set,
  ///   and prints what is beyond its table.
  private static func misprints(_ node: IIONode) -> Bool { node.name.hasPrefix("hmc5") }

  /// Whether a driver's list has a rate, whose numbers may be rounded.
  private static func isListed(_ rate: Double, in choice: String?) -> Bool {
    let listed = choice.flatMap { nearest($0, requested: rate * 0.95) }
    return listed.flatMap { IIODecimal($0) }.map { abs($0.value - rate) <= rate * 0.05 } ?? false
  }

  /// What the driver prints as its rate; nil where it prints none. It changes with the rate.
  static func printed(of node: IIONode, stem: String) -> Double? {
    attribute(of: node, stem: stem).flatMap { node.number($0) }
  }

  /// The rates that the driver lists; nil without a list.
  private static func choice(of node: IIONode, stem: String) -> String? {
    node.line("\(stem)_sampling_frequency_available") ?? node.line("sampling_frequency_available")
  }

  /// Sets a rate of a driver whose rates are unknown. A refused number is no error: the device
  /// keeps a rate.
  /// - Parameters:
  ///   - requested: Hertz.
  ///   - read: The present rate.
  ///   - store: Writes a number; the result is an error number, or 0.
  /// - Source: Linux drivers/iio/pressure/dps310.c: takes the power of two below a number to 128,
  ///   and refuses others.
  package static func setNearest(
    _ requested: Double, read: () -> Double?, store: (String) -> Int32
  ) {
    guard let first = read(), first != requested else { return }
    var wasTaken = false
    var last = 0.0
    // The number itself; a whole one, for drivers with whole numbers only; twice as much, for one
    // that rounds down.
    for number in [requested, requested.rounded(.up), 2 * requested] where number > last {
      last = number
      let code = store(text(of: number))
      if IIOFault.isForbidden(code) { return }
      guard code == 0 else { continue }
      wasTaken = true
      if let present = read(), present >= requested { return }
    }
    guard !wasTaken else { return }
    // More than it has is refused.
    var number = requested / 2
    while number > first, store(text(of: number)) != 0 { number /= 2 }
  }

  private static func text(of rate: Double) -> String {
    rate == rate.rounded() ? "\(Int(bounded: rate))" : "\(rate)"
  }

  /// Sets the highest rate.
  /// - Parameters:
  ///   - node: The device.
  ///   - stem: The quantity.
  /// - Returns: The resulting rate, hertz; nil where there is no higher one, or it cannot be set.
  static func chooseHighest(of node: IIONode, stem: String) -> Double? {
    guard let attribute = attribute(of: node, stem: stem), let present = node.number(attribute),
      let choice = choice(of: node, stem: stem),
      let text = nearest(choice, requested: .greatestFiniteMagnitude),
      let highest = IIODecimal(text)?.value, highest > present,
      node.store(text, in: attribute) == 0
    else { return nil }
    return misprints(node) ? highest : node.number(attribute)
  }

  /// Whether the rate is of all quantities of the device.
  static func isCommon(of node: IIONode, stem: String) -> Bool {
    attribute(of: node, stem: stem) == "sampling_frequency"
  }

  /// The attribute of the rate.
  static func attribute(of node: IIONode, stem: String) -> String? {
    ["\(stem)_sampling_frequency", "sampling_frequency"].first { node.has($0) }
  }

  /// The text of the lowest rate that is not below the requested one, else of the highest: from a
  /// list, or from a range `[least step greatest]`.
  static func nearest(_ choice: String, requested: Double) -> String? {
    let isRange = choice.hasPrefix("[")
    let texts = choice.split(whereSeparator: { " []\n".contains($0) }).map(String.init)
    let rates = texts.compactMap { text in IIODecimal(text).map { (text, $0.value) } }
    if isRange {
      guard rates.count == 3, rates[1].1 > 0 else { return nil }
      let (least, step, greatest) = (rates[0].1, rates[1].1, rates[2].1)
      let steps = ((requested - least) / step).rounded(.up)
      let rate = min(greatest, least + max(0, steps) * step)
      // Drivers with integers only accept integers only.
      let isWhole = rates.allSatisfy { $0.1 == $0.1.rounded() }
      return isWhole ? text(of: rate) : "\(rate)"
    }
    let sorted = rates.sorted { $0.1 < $1.1 }
    // 13 satisfies a request of 12.5 Hz, and 15 one of 15.0.
    return (sorted.first { $0.1 >= requested } ?? sorted.last)?.0
  }
}
