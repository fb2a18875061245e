import BoardFile
import Quantities
import ReceiverProtocols

/// A set-up in service at one opened port: made, looked after, made again where the receiver has lost it, and
/// undone.
struct ReceiverSession {
  /// How often the receiver is asked whether it still has what it was told, ns: a brown-out takes it away
  /// and leaves the port open.
  private static let checkInterval: UInt64 = 10_000_000_000

  private let wish: UBXWish
  private let port: UBXPort
  private var setup: UBXSetup
  private var reader = UBXAnswerReader()
  private var nextCheck: Timestamp?
  private var isTold = false
  /// What there is to put back, also of set-ups of this receiver before this one.
  private(set) var originals: UBXOriginals

  init(_ wish: UBXWish, path: String, speed: Int, originals: UBXOriginals) {
    self.wish = wish
    // A receiver's own USB is a modem to the kernel; anything else ends at its first serial port.
    port = path.contains("ttyACM") ? .usb : .uart1
    self.originals = originals
    setup = UBXSetup(wish, port: port, speed: speed, earlier: originals)
  }

  /// True while commands and answers go to and fro.
  var isBusy: Bool { setup.isBusy }

  /// True where the receiver answers: it is one that can be looked after.
  var hasAnswered: Bool { setup.report.version != nil }

  /// Which receiver it is; nil before it has answered.
  var version: UBXVersion? { setup.report.version }

  /// True at a receiver's own USB, which no byte wakes.
  var isOverUSB: Bool { port == .usb }

  /// Listens to the receiver for answers.
  mutating func hear(_ bytes: UnsafeRawBufferPointer, at now: Timestamp) {
    guard setup.isBusy else { return }
    var setup = self.setup
    reader.push(bytes) { setup.take($0, at: now) }
    self.setup = setup
  }

  /// What to do at an instant; `told` is given each report once.
  mutating func next(
    at now: Timestamp, speed: Int, told: (BoardStatus.ReceiverSetUp) -> Void
  ) -> UBXSetup.Step {
    while true {
      let step = setup.next(at: now)
      let undone = setup.originals
      if hasAnswered { originals = undone }
      guard step == .rest else { return step }
      if setup.hasLostSettings {
        begin(speed: speed)
        continue
      }
      if !isTold {
        isTold = true
        // Who is only asked which receiver it is has no set-up.
        if wish != UBXWish() { told(BoardStatus.ReceiverSetUp(setup.report, wish)) }
      }
      guard hasAnswered, !originals.isEmpty else { return .rest }
      guard let due = nextCheck else {
        nextCheck = now.advanced(byNanoseconds: Self.checkInterval)
        continue
      }
      guard now >= due else { return .wait(until: due) }
      nextCheck = now.advanced(byNanoseconds: Self.checkInterval)
      reader = UBXAnswerReader()
      setup.check()
    }
  }

  /// Begins to put back what was changed.
  mutating func undo() {
    reader = UBXAnswerReader()
    setup.undo()
  }

  /// What could not be put back, once the undoing has come to its end.
  var undoReport: BoardStatus.ReceiverSetUp? {
    setup.report.notUndone.isEmpty ? nil : BoardStatus.ReceiverSetUp(setup.report, wish)
  }

  /// Begins anew: the receiver may have lost what it was told.
  mutating func begin(speed: Int) {
    setup = UBXSetup(wish, port: port, speed: speed, earlier: originals)
    reader = UBXAnswerReader()
    nextCheck = nil
  }
}

extension BoardStatus.ReceiverSetUp {
  /// A report in words.
  init(_ report: UBXSetupReport, _ wish: UBXWish) {
    receiver = report.version.map { version in
      let name = version.module ?? "u-blox receiver"
      let language = version.protocolMajor.map { ", protocol \($0)" } ?? ""
      return "\(name) (\(version.software)\(language))"
    }
    for (setting, outcome) in report.outcomes {
      let name = Self.name(setting, wish)
      switch outcome {
      case .changed, .wasSo: set.append(name)
      case .refused: refused.append("\(name) (refused)")
      case .notHeld: refused.append("\(name) (not held)")
      case .noAnswer: refused.append("\(name) (no answer)")
      case .absent: refused.append("\(name) (this port has none)")
      }
    }
    switch report.saved {
    case .flash: saved = "saved"
    case .batteryBacked: saved = "saved as long as its battery lasts"
    case .nowhere: saved = "could not be saved"
    case nil: break
    }
    notUndone = report.notUndone.map { Self.name($0, wish) }
  }

  private static func name(_ setting: UBXSetting, _ wish: UBXWish) -> String {
    switch setting {
    case .rate: "\(setting.title) \(wish.rateHertz.map { "\($0) Hz" } ?? "")"
    case .model: "\(setting.title) \(wish.model?.word ?? "")"
    case .message: "\(setting.title) \(wish.messages == .nmea ? "off" : "on")"
    case .protocols: "\(setting.title) \(wish.messages == .ubx ? "off" : "on")"
    case .corrections: setting.title
    case .baud: "\(setting.title) \(wish.baud.map(String.init) ?? "")"
    }
  }
}

extension UBXWish {
  /// What a board file wants of its receiver; nil where it wants nothing.
  init?(_ receiver: Board.Receiver, activity: Activity) {
    guard receiver.setUp.isWanted else { return nil }
    self.init()
    rateHertz = receiver.setUp.rateHertz
    model = receiver.setUp.model ?? activity.dynamicModel
    messages = receiver.setUp.messages
    takesCorrections = receiver.corrections != nil
    baud = receiver.setUp.baud
    isSaved = receiver.setUp.manner == .save
  }
}

extension Activity {
  /// The model that suits an activity; nil where nothing is known and the receiver's own is as good.
  ///
  /// Other navigation is a boat, a train or an aeroplane: the sea's model has no height, so it must not be
  /// one's own choice.
  package var dynamicModel: UBXDynamicModel? {
    switch self {
    case .other: nil
    case .automotiveNavigation: .automotive
    case .fitness: .pedestrian
    case .otherNavigation: .portable
    case .airborne: .airborne2g
    }
  }
}
