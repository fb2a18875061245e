/// What makes a buffer's driver measure.
enum IIOTrigger: Equatable {
  /// The buffer needs none: the chip's FIFO feeds it.
  case notNeeded
  /// The folder of one that is chosen.
  case chosen(String)
  /// There is none.
  case none

  /// The beginning of the names of timers that an administrator makes for Lodestar, in configfs
  /// `iio/triggers/hrtimer`.
  static var timerPrefix: String { "lodestar-hrtimer-" }

  /// Sees to it that a device has a trigger: the one that it has, the chip's own, or a timer.
  static func choose(for node: IIONode) throws(IIOFault) -> IIOTrigger {
    guard node.has("trigger/current_trigger") else { return .notNeeded }
    let all = folders(in: "\(node.system)/bus/iio/devices")
    if let present = node.line("trigger/current_trigger") {
      return all.first { name(of: $0) == present }.map { .chosen($0) } ?? .chosen("")
    }
    // A chip's own trigger is in the chip's folder.
    let timers = all.filter { name(of: $0).hasPrefix(timerPrefix) }
    for folder in folders(in: node.chip) + timers {
      let code = node.store(name(of: folder), in: "trigger/current_trigger")
      if code == 0 { return .chosen(folder) }
      if !IIOFault.isForbidden(code) {
        throw IIOFault(code: code, doing: "choosing \(name(of: folder)) for \(node.label)")
      }
    }
    return .none
  }

  /// The timer's own rate, hertz, after it was told one; nil for a trigger without.
  ///
  /// A timer runs beside the chip's clock: a measurement may come twice now and then, or be missed.
  func timerRate(wish: Double) -> Double? {
    guard case .chosen(let folder) = self, !folder.isEmpty,
      Self.name(of: folder).hasPrefix(Self.timerPrefix)
    else { return nil }
    let path = "\(folder)/sampling_frequency"
    // Whoever may not write it takes what there is.
    _ = IIONode.store("\(wish)", in: path)
    return SystemFiles.line(of: path).flatMap { IIODecimal($0) }?.value
  }

  private static func folders(in folder: String) -> [String] {
    SystemFiles.numbered("trigger", in: folder).map { "\(folder)/\($0)" }
  }

  private static func name(of folder: String) -> String {
    SystemFiles.line(of: "\(folder)/name") ?? ""
  }
}
