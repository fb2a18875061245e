import Configuration
import Quantities
import ReceiverProtocols

/// The set-up of the receiver at one opened port: sends the settings, checks them at intervals,
/// sends them again if the receiver has lost them, and restores the old ones at the end.
struct ReceiverSession {
  /// Interval between checks of the receiver's settings, ns: a brown-out resets them without
  /// closing the port.
  private static let checkInterval: UInt64 = 10_000_000_000

  private var settings: UBXSetupRequest
  /// False for a session that only identifies the receiver.
  private let followsActivity: Bool
  private var activity: Activity?
  private let port: UBXPort
  private var setup: UBXSetup
  private var reader = UBXAnswerReader()
  private var nextCheck: Timestamp?
  private var isReported = false
  /// The settings to restore, including those changed by earlier set-ups of this receiver.
  private(set) var originals: UBXOriginals

  init(
    _ settings: UBXSetupRequest, path: String, speed: Int, originals: UBXOriginals,
    followsActivity: Bool = false
  ) {
    self.settings = settings
    self.followsActivity = followsActivity
    // The kernel lists a receiver's own USB as a modem; any other serial port is wired to the
    // receiver's UART1.
    port =
      I2CReceiver(path) != nil
      ? .i2c : Board.isSPI(path) ? .spi : path.contains("ttyACM") ? .usb : .uart1
    self.originals = originals
    setup = UBXSetup(settings, port: port, speed: speed, earlier: originals)
  }

  /// True while commands wait for answers.
  var isBusy: Bool { setup.isBusy }

  /// True if the receiver has answered UBX.
  var hasAnswered: Bool { setup.report.version != nil }

  /// Nil before the receiver has answered.
  var version: UBXVersion? { setup.report.version }

  /// True on a receiver's own USB and on I2C, where no byte wakes it.
  /// - Source: u-blox 8 / M8 receiver description, UBX-13003221 R29, UBX-RXM-PMREQ: UART RX,
  ///   EXTINT0, EXTINT1 and SPI CS wake it.
  var cannotBeWoken: Bool { port == .usb || port == .i2c }

  /// Looks for answers in received bytes.
  mutating func receive(_ bytes: UnsafeRawBufferPointer, at now: Timestamp) {
    guard setup.isBusy else { return }
    var setup = self.setup
    reader.push(bytes) { setup.receive($0, at: now) }
    self.setup = setup
  }

  /// The next step at an instant; `report` is called once for each set-up.
  mutating func next(
    at now: Timestamp, speed: Int, report: (BoardStatus.ReceiverSetUp) -> Void
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
      if !isReported {
        isReported = true
        // An identification request alone needs no report.
        if settings != UBXSetupRequest() {
          report(BoardStatus.ReceiverSetUp(setup.report, settings))
        }
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

  /// Sets the motion model of an application's activity, once earlier commands are answered.
  mutating func follow(_ new: Activity, speed: Int) {
    guard followsActivity, new != activity, !setup.isBusy else { return }
    activity = new
    // What the last commands have changed is to be restored too.
    if hasAnswered { originals = setup.originals }
    // The usual model of a receiver, for an application that has ended its activity.
    settings.model = new.dynamicModel ?? .portable
    begin(speed: speed)
  }

  /// Starts to restore the changed settings.
  mutating func undo() {
    reader = UBXAnswerReader()
    setup.undo()
  }

  /// The settings that could not be restored; nil for none.
  var undoReport: BoardStatus.ReceiverSetUp? {
    setup.report.notRestored.isEmpty ? nil : BoardStatus.ReceiverSetUp(setup.report, settings)
  }

  /// Starts the set-up again: the receiver may have lost its settings.
  mutating func begin(speed: Int) {
    setup = UBXSetup(settings, port: port, speed: speed, earlier: originals)
    reader = UBXAnswerReader()
    nextCheck = nil
  }
}

extension BoardStatus.ReceiverSetUp {
  /// A report as text.
  init(_ report: UBXSetupReport, _ settings: UBXSetupRequest) {
    receiver = report.version.map { version in
      let name = version.module ?? "u-blox receiver"
      let language = version.protocolMajor.map { ", protocol \($0)" } ?? ""
      return "\(name) (\(version.software)\(language))"
    }
    for (setting, outcome) in report.outcomes {
      let name = Self.name(setting, settings)
      switch outcome {
      case .changed, .alreadySet: set.append(name)
      case .refused: refused.append("\(name) (refused)")
      case .notRetained: refused.append("\(name) (not held)")
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
    notRestored = report.notRestored.map { Self.name($0, settings) }
  }

  private static func name(_ setting: UBXSetting, _ settings: UBXSetupRequest) -> String {
    switch setting {
    case .rate: "\(setting.title) \(settings.rateHertz.map { "\($0) Hz" } ?? "")"
    case .model: "\(setting.title) \(settings.model?.word ?? "")"
    case .message: "\(setting.title) \(settings.messages == .nmea ? "off" : "on")"
    case .protocols: "\(setting.title) \(settings.messages == .ubx ? "off" : "on")"
    case .corrections: setting.title
    case .baud: "\(setting.title) \(settings.baud.map(String.init) ?? "")"
    }
  }
}

extension UBXSetupRequest {
  /// The settings that a board file requests; nil if it requests none.
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
  /// The dynamic model for an activity; nil for `other`, which leaves the receiver's own.
  ///
  /// Other navigation is a boat, a train or an aeroplane. The model for the sea assumes sea level,
  /// so it is only used if the board file names it.
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
