/// The rates of an IIO device.
enum IIORate {
  /// Sets the least rate that is not below the wish.
  /// - Parameters:
  ///   - node: The device.
  ///   - stem: The quantity, such as `in_magn`, as some drivers state the rate for it.
  ///   - wish: Hertz.
  /// - Returns: The rate that the device then has, hertz; nil where it has none of its own.
  /// - Throws: What the driver said to a rate of its own list.
  static func choose(of node: IIONode, stem: String, wish: Double) throws(IIOFault) -> Double? {
    guard let attribute = attribute(of: node, stem: stem) else { return nil }
    let choice =
      node.line("\(stem)_sampling_frequency_available")
      ?? node.line("sampling_frequency_available")
    if let text = choice.flatMap({ nearest($0, wish: wish) }),
      IIODecimal(text)?.value != node.number(attribute)
    {
      let code = node.store(text, in: attribute)
      // Whoever may not write it takes the rate that there is.
      if code != 0 && !IIOFault.isForbidden(code) {
        throw IIOFault(code: code, doing: "writing \(attribute) of \(node.label)")
      }
    }
    guard let rate = node.number(attribute), rate > 0 else {
      throw IIOFault(code: 0, doing: "understanding \(attribute) of \(node.label)")
    }
    return rate
  }

  /// The attribute that holds the rate.
  static func attribute(of node: IIONode, stem: String) -> String? {
    ["\(stem)_sampling_frequency", "sampling_frequency"].first { node.has($0) }
  }

  /// The text of the least rate that is not below the wish, else of the greatest: of a list, or of a
  /// range `[least step greatest]`.
  static func nearest(_ choice: String, wish: Double) -> String? {
    let isRange = choice.hasPrefix("[")
    let texts = choice.split(whereSeparator: { " []\n".contains($0) }).map(String.init)
    let rates = texts.compactMap { text in IIODecimal(text).map { (text, $0.value) } }
    if isRange {
      guard rates.count == 3, rates[1].1 > 0 else { return nil }
      let (least, step, greatest) = (rates[0].1, rates[1].1, rates[2].1)
      let steps = ((wish - least) / step).rounded(.up)
      let rate = min(greatest, least + max(0, steps) * step)
      // Drivers take whole numbers where all of theirs are.
      let isWhole = rates.allSatisfy { $0.1 == $0.1.rounded() }
      return isWhole ? "\(Int(rate))" : "\(rate)"
    }
    let sorted = rates.sorted { $0.1 < $1.1 }
    // A wish of 12.5 Hz is met by a driver that says 13, and one of 15.0 by 15.
    return (sorted.first { $0.1 >= wish } ?? sorted.last)?.0
  }
}
