/// Channels of one quantity of one device, with what turns their counts into it.
struct IIOChannels {
  /// What the names begin with: `in_magn`.
  let stem: String
  /// What follows for each channel: `_x`, or nothing.
  let suffixes: [String]
  /// How many of the wanted units the ABI's unit is: 100 microtesla for a gauss.
  let unit: Double
  /// The greatest value that is to be measured, in the wanted unit; nil to leave the range as it is.
  let greatest: Double?
  /// Counts at and beyond which nothing is measured; nil for the ends of the type.
  let rails: ClosedRange<Int64>?
  /// What the kernel's scale must be multiplied with.
  let correction: (Double) -> Double

  /// The names, such as `in_magn_x`.
  var names: [String] { suffixes.map { stem + $0 } }

  /// Takes the smallest range that holds the greatest value, where there is a choice.
  func chooseRange(of node: IIONode) throws(IIOFault) {
    guard let greatest,
      let choice = node.line("\(stem)_scale_available") ?? node.line("scale_available")
    else { return }
    let top = Double(min((rails ?? type(in: node).rails).upperBound, Int64(Int32.max)))
    let scales = choice.split(separator: " ").compactMap { text in
      IIODecimal(String(text)).map { (text: String(text), value: $0.value) }
    }
    .sorted { $0.value < $1.value }
    // The kernel prints some scales with three digits only.
    let holding = scales.first {
      $0.value * correction($0.value) * unit * top * 1.005 >= greatest
    }
    guard let best = holding ?? scales.last else { return }
    let attribute = [names[0], stem].map { "\($0)_scale" }.first { node.has($0) }
    guard let attribute, node.number(attribute) != best.value else { return }
    let code = node.store(best.text, in: attribute)
    if code != 0 && !IIOFault.isForbidden(code) {
      throw IIOFault(code: code, doing: "writing \(attribute) of \(node.label)")
    }
  }

  /// Each channel's scale and offset now: the channel's own, or the quantity's.
  func conversions(of node: IIONode) throws(IIOFault) -> [IIOConversion] {
    let rails = rails ?? type(in: node).rails
    var all: [IIOConversion] = []
    for name in names {
      guard let scale = node.number("\(name)_scale") ?? node.number("\(stem)_scale") else {
        throw IIOFault(code: 0, doing: "understanding \(name)_scale of \(node.label)")
      }
      let offset = node.number("\(name)_offset") ?? node.number("\(stem)_offset") ?? 0
      all.append(
        IIOConversion(
          scale: scale * correction(scale) * unit, offset: offset, rails: rails))
    }
    return all
  }

  /// The type of the first channel; sixteen bits where the kernel has no buffer and does not say.
  private func type(in node: IIONode) -> IIOScanType {
    for folder in ["buffer0", "scan_elements"] {
      if let type = node.line("\(folder)/\(names[0])_type").flatMap({ IIOScanType($0) }) {
        return type
      }
    }
    return .bits16
  }
}

/// What turns a channel's count into its quantity.
struct IIOConversion: Equatable {
  let scale: Double
  let offset: Double
  let rails: ClosedRange<Int64>

  func value(_ count: Int64) -> Double { (Double(count) + offset) * scale }
  func isRail(_ count: Int64) -> Bool { count <= rails.lowerBound || count >= rails.upperBound }
}

extension IIOScanType {
  /// What a driver without a buffer is taken to have.
  static let bits16 = IIOScanType(
    isBigEndian: false, isSigned: true, bits: 16, storageBits: 16, repeats: 1, shift: 0)
}
