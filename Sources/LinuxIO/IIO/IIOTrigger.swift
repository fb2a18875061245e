/// The trigger of a buffer's measurements.
enum IIOTrigger: Equatable {
  /// The buffer needs none: the chip's FIFO fills it.
  case notNeeded
  /// The folder of the chosen trigger.
  case chosen(String)
  /// No trigger is available.
  case none

  /// The prefix of the names of timers that an administrator makes for Lodestar in configfs
  /// `iio/triggers/hrtimer`.
  static var timerPrefix: String { "lodestar-hrtimer-" }

  /// Chooses a device's trigger: the present one, the chip's own, or a timer.
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

  /// Whether a device needs a trigger and none can be chosen.
  static func isMissing(for node: IIONode) -> Bool {
    guard node.has("trigger/current_trigger"), node.line("trigger/current_trigger") == nil else {
      return false
    }
    return folders(in: node.chip).isEmpty
      && !folders(in: "\(node.system)/bus/iio/devices").contains {
        name(of: $0).hasPrefix(timerPrefix)
      }
  }

  /// Sets a timer's rate; returns the resulting rate, hertz, or nil for a trigger without a rate.
  ///
  /// A timer is not synchronous with the chip: a measurement may occasionally be read twice or be
  /// missed.
  func timerRate(requested: Double) -> Double? {
    guard case .chosen(let folder) = self, !folder.isEmpty,
      Self.name(of: folder).hasPrefix(Self.timerPrefix)
    else { return nil }
    let path = "\(folder)/sampling_frequency"
    // Without write permission the present rate is used.
    _ = IIONode.store("\(requested)", in: path)
    return SystemFiles.line(of: path).flatMap { IIODecimal($0) }?.value
  }

  private static func folders(in folder: String) -> [String] {
    SystemFiles.numbered("trigger", in: folder).map { "\(folder)/\($0)" }
  }

  private static func name(of folder: String) -> String {
    SystemFiles.line(of: "\(folder)/name") ?? ""
  }
}
