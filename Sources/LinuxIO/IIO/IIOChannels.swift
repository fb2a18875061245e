import Chips

#if canImport(Glibc)
  import Glibc
#endif

/// The channels of one quantity of one device, with the conversion of their counts.
struct IIOChannels {
  /// The common start of the names: `in_magn`.
  let stem: String
  /// The end of each channel's name: `_x`, or empty.
  let suffixes: [String]
  /// The factor from the ABI's unit to ours: 100 microtesla for a gauss.
  let unit: Double
  /// The largest value to measure, in our unit; nil to leave the range unchanged.
  let greatest: Double?
  /// Counts at and beyond which a sample is saturated; nil for the limits of the type.
  let rails: ClosedRange<Int64>?
  /// The correction factor of the kernel's scale.
  let correction: (Double) -> Double
  /// The count for zero, where the kernel has no offset.
  var zero = 0.0

  /// The names, such as `in_magn_x`.
  var names: [String] { suffixes.map { stem + $0 } }

  /// The channels of one quantity of an inertial unit.
  static func inertial(
    _ stem: String, greatest: Double?, model: ChipModel, node: IIONode
  ) -> IIOChannels {
    IIOChannels(
      stem: stem, suffixes: ["_x", "_y", "_z"], unit: 1, greatest: greatest,
      rails: model.kernelRails(in: node.name), correction: model.scaleCorrection)
  }

  /// The greatest value of the range that is set, or that `chooseRange` will set, in our unit; nil
  /// where it is not known.
  func fullScale(of node: IIONode) -> Double? {
    let present = scaleAttribute(of: node)
    let chosen = rangeChoices(of: node).first.flatMap { best in
      present.map { access(node.path($0), W_OK) == 0 } == true ? best.value : nil
    }
    guard let scale = chosen ?? present.flatMap({ node.number($0) }) else { return nil }
    // The lower limit is as far as the upper one, or a count farther.
    return scale * correction(scale) * unit * top(in: node)
  }

  private func top(in node: IIONode) -> Double {
    Double(min((rails ?? type(in: node).rails).upperBound, Int64(Int32.max)))
  }

  private func scaleAttribute(of node: IIONode) -> String? {
    [names[0], stem].map { "\($0)_scale" }.first { node.has($0) }
  }

  /// Sets the smallest range that contains `greatest`, if there is a choice.
  ///
  /// A driver may refuse a range of its list, or set a smaller one and report it; then the next
  /// range is requested. (fxas21002c_core.c writes the range's index in its list to the chip's
  /// register, so that half the range is set, and refuses its smallest.)
  func chooseRange(of node: IIONode) throws(IIOFault) {
    guard let attribute = scaleAttribute(of: node) else { return }
    var fault: IIOFault?
    for best in rangeChoices(of: node) {
      if node.number(attribute) == best.value { return }
      let code = node.store(best.text, in: attribute)
      if IIOFault.isForbidden(code) { return }
      fault =
        code == 0 ? nil : IIOFault(code: code, doing: "writing \(attribute) of \(node.label)")
      if code == 0, node.number(attribute).map({ holds($0, in: node) }) ?? true { return }
    }
    if let fault { throw fault }
  }

  /// The ranges that contain `greatest`, smallest first; the widest, if none does.
  private func rangeChoices(of node: IIONode) -> [(text: String, value: Double)] {
    guard greatest != nil,
      let choice = node.line("\(stem)_scale_available") ?? node.line("scale_available")
    else { return [] }
    let scales = choice.split(separator: " ").compactMap { text in
      IIODecimal(String(text)).map { (text: String(text), value: $0.value) }
    }
    .sorted { $0.value < $1.value }
    let holding = scales.filter { holds($0.value, in: node) }
    return holding.isEmpty ? scales.suffix(1) : holding
  }

  private func holds(_ scale: Double, in node: IIONode) -> Bool {
    // The kernel prints some scales with three digits only.
    scale * correction(scale) * unit * top(in: node) * 1.005 >= greatest ?? 0
  }

  /// Each channel's scale and offset now: the channel's own, or the quantity's.
  func conversions(of node: IIONode) throws(IIOFault) -> [IIOConversion] {
    let rails = rails ?? type(in: node).rails
    var all: [IIOConversion] = []
    for name in names {
      guard let scale = node.number("\(name)_scale") ?? node.number("\(stem)_scale") else {
        throw IIOFault(code: 0, doing: "understanding \(name)_scale of \(node.label)")
      }
      let offset = node.number("\(name)_offset") ?? node.number("\(stem)_offset") ?? -zero
      all.append(
        IIOConversion(
          scale: scale * correction(scale) * unit, offset: offset, rails: rails))
    }
    return all
  }

  /// The type of the first channel; sixteen bits if the kernel reports none (no buffer).
  private func type(in node: IIONode) -> IIOScanType {
    for folder in ["buffer0", "scan_elements"] {
      if let type = node.line("\(folder)/\(names[0])_type").flatMap({ IIOScanType($0) }) {
        return type
      }
    }
    return .bits16
  }
}

/// The conversion of a channel's count to its quantity.
struct IIOConversion: Equatable {
  let scale: Double
  let offset: Double
  let rails: ClosedRange<Int64>

  func value(_ count: Int64) -> Double { (Double(count) + offset) * scale }
  func isRail(_ count: Int64) -> Bool { count <= rails.lowerBound || count >= rails.upperBound }
}

extension IIOScanType {
  /// The assumed type of a driver without a buffer.
  static let bits16 = IIOScanType(
    isBigEndian: false, isSigned: true, bits: 16, storageBits: 16, repeats: 1, shift: 0)
}
