import Configuration
import Quantities
import ReceiverProtocols

/// The set-up of the receiver at one opened port: sends the settings, checks them at intervals,
/// sends them again if the receiver has lost them, and restores the old ones at the end. A receiver
/// that does not answer is asked again, as it may have no power yet.
package struct ReceiverSession {
  /// Interval between checks of the receiver's settings, ns: a brown-out resets them without
  /// closing the port.
  private static let checkInterval: UInt64 = 10_000_000_000
  /// How often a receiver that does not answer is asked again, `checkInterval` after the last
  /// question.
  private static let repetitions = 2
  /// The least time between two repetitions of the questions that data after a silence causes, ns:
  /// a receiver may send data only every ten seconds.
  private static let returnInterval: UInt64 = 60_000_000_000

  private var settings: ReceiverSettings
  /// False for a session that only identifies the receiver.
  private let followsActivity: Bool
  private var activity: Activity?
  private let port: UBXPort
  private var setup: ReceiverSetup
  private let makers: [ReceiverMaker]
  private var nextCheck: Timestamp?
  private var repetition = 0
  private var returned: Timestamp?
  private var isUndoing = false
  /// Whether the receiver had answered in the last report; nil before the first.
  private var reportedAnswer: Bool?
  /// The settings to restore, including those changed by earlier set-ups of this receiver.
  private(set) var originals: ReceiverOriginals

  /// - Parameters:
  ///   - settings: The settings to send.
  ///   - path: The port.
  ///   - speed: Its present speed.
  ///   - originals: The settings before an earlier set-up of the same receiver.
  ///   - followsActivity: Whether the motion model follows the application's activity.
  ///   - makers: The makers that are asked for.
  package init(
    _ settings: ReceiverSettings, path: String, speed: Int, originals: ReceiverOriginals,
    followsActivity: Bool = false, makers: [ReceiverMaker] = ReceiverMaker.allCases
  ) {
    self.settings = settings
    self.followsActivity = followsActivity
    port = UBXPort(path: path)
    self.originals = originals
    // Only u-blox receivers have another bus than a serial line.
    self.makers = Board.isOnBus(path) ? [.ublox] : makers
    setup = ReceiverSetup(
      settings, port: port, speed: speed, earlier: originals, makers: self.makers)
  }

  /// True while commands wait for answers.
  var isBusy: Bool { setup.isBusy }

  /// True if the receiver has answered.
  var hasAnswered: Bool { setup.hasAnswered }

  /// The version of a u-blox receiver; nil before its answer.
  var version: UBXVersion? { setup.ubloxVersion }

  /// True on a receiver's own USB and on I2C, where no byte wakes it.
  /// - Source: u-blox 8 / M8 receiver description, UBX-13003221 R29, UBX-RXM-PMREQ: UART RX,
  ///   EXTINT0, EXTINT1 and SPI CS wake it.
  var cannotBeWoken: Bool { port == .usb || port == .i2c }

  /// Looks for answers in received bytes.
  package mutating func receive(_ bytes: UnsafeRawBufferPointer, at now: Timestamp) {
    setup.receive(bytes, at: now)
  }

  /// Whether corrections wait for the answers: not while a receiver that has never answered is
  /// asked again.
  package var needsLine: Bool { isBusy && (hasAnswered || repetition == 0) }

  /// Asks a receiver that has not answered again: its data has begun after a silence.
  package mutating func dataReturned(at now: Timestamp, speed: Int) {
    guard isSetUp, !hasAnswered, !isBusy, !isUndoing,
      returned.map({ now >= $0.advanced(byNanoseconds: Self.returnInterval) }) ?? true
    else { return }
    returned = now
    repetition = 1
    begin(speed: speed)
  }

  /// False for a session that only identifies the receiver, which needs no report.
  private var isSetUp: Bool { settings != ReceiverSettings() }

  /// The next step at an instant; `report` is called at the end of the set-up, and again where the
  /// receiver has answered since, or does not any more.
  package mutating func next(
    at now: Timestamp, speed: Int, report: (BoardStatus.ReceiverSetUp) -> Void
  ) -> UBXSetup.Step {
    while true {
      let step = setup.next(at: now)
      let undone = setup.originals
      if hasAnswered { originals = undone }
      guard step == .rest, !isUndoing else { return step }
      if setup.hasLostSettings {
        begin(speed: speed)
        continue
      }
      if reportedAnswer != hasAnswered {
        reportedAnswer = hasAnswered
        if isSetUp { report(BoardStatus.ReceiverSetUp(setup.report)) }
      }
      if hasAnswered { repetition = 0 }
      let isAskedAgain = !hasAnswered && isSetUp && repetition < Self.repetitions
      guard isAskedAgain || hasAnswered && !originals.isEmpty else { return .rest }
      guard let due = nextCheck else {
        nextCheck = now.advanced(byNanoseconds: Self.checkInterval)
        continue
      }
      guard now >= due else { return .wait(until: due) }
      nextCheck = now.advanced(byNanoseconds: Self.checkInterval)
      if isAskedAgain {
        repetition += 1
        begin(speed: speed)
      } else {
        setup.check()
      }
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
    isUndoing = true
    setup.undo()
  }

  /// The settings that could not be restored; nil for none.
  var undoReport: BoardStatus.ReceiverSetUp? {
    setup.report.notRestored.isEmpty ? nil : BoardStatus.ReceiverSetUp(setup.report)
  }

  /// Starts the set-up again: the receiver may have lost its settings.
  mutating func begin(speed: Int) {
    setup = ReceiverSetup(
      settings, port: port, speed: speed, earlier: originals, makers: makers)
    nextCheck = nil
  }
}

extension UBXPort {
  /// The port of a u-blox receiver behind a path, used where the receiver does not report it.
  package init(path: String) {
    // The kernel lists a receiver's own USB as a modem; any other serial port is wired to the
    // receiver's UART1.
    self =
      I2CReceiver(path) != nil
      ? .i2c : Board.isSPI(path) ? .spi : path.contains("ttyACM") ? .usb : .uart1
  }
}

extension BoardStatus.ReceiverSetUp {
  /// A report as text.
  init(_ report: ReceiverSetupReport) {
    receiver = report.identity?.text
    for entry in report.entries {
      let name = entry.value.map { "\(entry.title) \($0)" } ?? entry.title
      if entry.outcome.isSet {
        set.append(name)
      } else {
        refused.append("\(name): \(entry.outcome.text)")
      }
    }
    switch report.saved {
    case .flash: saved = "saved"
    case .batteryBacked: saved = "saved as long as its battery lasts"
    case .nowhere: saved = Self.notSaved
    case nil: break
    }
    notRestored = report.notRestored
  }
}

extension ReceiverSettings {
  /// The settings that a board file requests; nil if it requests none.
  init?(_ receiver: Board.Receiver, activity: Activity) {
    guard receiver.setUp.isWanted else { return nil }
    self = receiver.setUp.settings
    model = model ?? activity.dynamicModel
    takesCorrections = receiver.corrections != nil
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
