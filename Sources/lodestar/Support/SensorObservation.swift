import Board
import Chips
import Configuration
import Doctor
import HostClient
import LinuxIO
import LocationHost
import Pipeline
import Quantities

/// Observes the sensors for some seconds: through the daemon, else by opening the board.
struct SensorObservation {
  /// Long enough for a receiver of one epoch a second, and for several samples of a slow barometer.
  private static let seconds = 5.0
  /// Observation time for a receiver of unknown baud rate: three others may be tried before that of
  /// NMEA 0183.
  private static let detectingSeconds = 10.0
  /// The time for the daemon to decide on the access, seconds.
  private static let answerTimeout = 1.0

  private let client: HostClient?
  private let daemonFault: String?
  private let board: Board?
  private let mayOpenBoard: Bool

  /// True where a daemon serves, or refuses.
  var hasDaemon: Bool { client != nil || daemonFault != nil }

  /// Looks for a daemon.
  /// - Parameters:
  ///   - board: The board to open without a daemon; nil for the chips that are found.
  ///   - mayOpenBoard: Whether to open the board where no daemon serves.
  init(board: Board?, mayOpenBoard: Bool) {
    (self.board, self.mayOpenBoard) = (board, mayOpenBoard)
    do throws(HostError) {
      client = try HostClient(application: "lodestar")
      daemonFault = nil
    } catch {
      client = nil
      switch error {
      case .noSocket, .notRunning: daemonFault = nil
      default: daemonFault = "\(error)"
      }
    }
  }

  /// What the sensors delivered; nil where nothing may be opened.
  func health() -> LiveHealth? {
    if let daemonFault { return Self.failed(daemonFault) }
    if let client { return health(of: client) }
    guard mayOpenBoard else { return nil }
    var configuration = PipelineConfiguration()
    if let board { configuration.board = board }
    // An examination changes nothing.
    for index in configuration.board.receivers.indices {
      configuration.board.receivers[index].setUp.manner = .no
    }
    let player: EstimatePlayer
    do throws(SourceError) {
      player = try SourceChoice.attached.open(configuration)
    } catch {
      return Self.failed("\(error)")
    }
    let start = player.boardStatus
    let isDetecting = configuration.board.receivers.contains {
      $0.hasSpeed && $0.baud == nil
    }
    let seconds = isDetecting ? Self.detectingSeconds : Self.seconds
    var health = observe(player, for: seconds) { player.start() }
    player.stop()
    guard let status = player.boardStatus else { return health }
    for chip in status.chips {
      let kind = LiveHealth.Kind(chip.quantity)
      health.streams[kind] = health.streams[kind] ?? LiveHealth.Stream()
    }
    health.worstLateness = status.lateness.values.map(\.worstSeconds).max()
    health.receiver = status.receiverPort.map {
      LiveHealth.Receiver(
        place: $0, epochs: status.receiverEpochs - (start?.receiverEpochs ?? 0),
        rejected: status.receiverRejected, others: status.comparison)
    }
    health.receiver?.fixLoss = status.fixLoss?.text
    health.corrections = status.corrections.map {
      LiveHealth.Corrections(messages: $0.statistics.frames, fault: $0.fault)
    }
    add(status.troubles, to: &health)
    return health
  }

  private func health(of client: HostClient) -> LiveHealth {
    defer { client.stop() }
    if client.access.current.authorization == .notDetermined {
      client.access.request(.whenInUse)
      let deadline = MonotonicClock.now.advanced(bySeconds: Self.answerTimeout)
      while client.access.current.authorization == .notDetermined, MonotonicClock.now < deadline {
        MonotonicClock.sleep(until: MonotonicClock.now.advanced(bySeconds: 0.01))
      }
    }
    let access = client.access.current
    guard access.isEnabled, access.authorization.isGranted else {
      return Self.failed(
        access.fault
          ?? "the daemon's policy has '\(access.authorization.rawValue)' for the application 'lodestar'"
      )
    }
    let source = client.openSource()
    guard source.isOpen else {
      return Self.failed(source.fault ?? "the daemon has no source")
    }
    let pieces = Locked(0)
    let output = client.publisher.observeReceiver { _ in pieces.withLock { $0 += 1 } }
    var health = observe(client.publisher) {}
    output.cancel()
    health.isSimulated = source.isSimulated || !source.isLive
    // The daemon does not report at reduced accuracy what the receiver sends.
    if case .receiver(let place)? = client.publisher.positionOrigin {
      health.receiver = LiveHealth.Receiver(place: place, epochs: pieces.withLock { $0 })
    }
    if source.hasMagnetometer, health.streams[.magnetometer] == nil {
      health.streams[.magnetometer] = LiveHealth.Stream()
    }
    let end = client.source
    guard end.isOpen else { return Self.failed(end.fault ?? "the daemon has no source") }
    health.receiver?.fixLoss = end.receiver?.fixLoss?.text
    add(end.troubles ?? [], to: &health)
    health.receiver?.others = (end.receivers ?? []).filter { !$0.isUsed }.map(\.text)
    return health
  }

  private func add(_ troubles: [DeviceTrouble], to health: inout LiveHealth) {
    for trouble in troubles {
      if trouble.isOf(DeviceTrouble.receiver) {
        health.addReceiver(
          fault: trouble.device == DeviceTrouble.receiver ? trouble.fault : nil,
          losses: trouble.losses)
        // Of several the others go on.
        if trouble.device != DeviceTrouble.receiver, let fault = trouble.fault {
          health.lostChips.append(LiveHealth.LostChip(nil, name: trouble.device, fault: fault))
        }
      } else if trouble.isOf(DeviceTrouble.signals) {
        health.receiver?.signals = trouble.state
      } else if trouble.isOf(DeviceTrouble.setUp) {
        health.receiver?.setUp = trouble.fault
      } else if trouble.isOf(DeviceTrouble.positions) {
        health.receiver?.untrusted = trouble.fault
      } else if trouble.isOf(DeviceTrouble.corrections) {
        health.corrections = LiveHealth.Corrections(
          messages: health.corrections?.messages, fault: trouble.fault)
      } else {
        health.add(
          device: trouble.device, trouble.quantity.map { LiveHealth.Kind($0) },
          fault: trouble.fault, losses: trouble.losses)
      }
    }
  }

  private func observe(
    _ publisher: any EstimatePublisher, for seconds: Double = seconds, start: () -> Void
  ) -> LiveHealth {
    let clocks = SystemClock.reading
    let meter = Locked(LiveMeter(start: clocks.monotonic))
    let contradiction = Locked(InputVerdicts.Fault?.none)
    let antennaFault = Locked(AntennaState.Fault?.none)
    let fixKind = Locked(FixKind?.none)
    let estimates = publisher.observe { estimate in
      contradiction.withLock { $0 = estimate.inputs?.fault }
      antennaFault.withLock { $0 = estimate.antennas?.fault }
      fixKind.withLock { $0 = estimate.fixKind }
    }
    let observation = publisher.observeRows { row in
      let now = MonotonicClock.now
      meter.withLock { $0.add(row, now: now) }
    }
    start()
    let progress = ProgressLine(name: "doctor")
    progress.show("observing the sensors for \(Int(bounded: seconds)) s")
    defer { progress.clear() }
    MonotonicClock.sleep(until: clocks.monotonic.advanced(bySeconds: seconds))
    observation.cancel()
    estimates.cancel()
    let end = SystemClock.reading
    var health = meter.withLock {
      $0.health(
        until: end.monotonic, expected: publisher.hasMagnetometer ? [.magnetometer] : [])
    }
    health.contradiction = contradiction.withLock { $0 }
    health.antennaFault = antennaFault.withLock { $0 }
    health.fixKind = fixKind.withLock { $0 }
    let elapsed = end.utc.nanosecondsSince1970 - clocks.utc.nanosecondsSince1970
    health.clockStep = Double(elapsed) * 1e-9 - end.monotonic.seconds(since: clocks.monotonic)
    return health
  }

  private static func failed(_ fault: String) -> LiveHealth {
    var health = LiveHealth(seconds: 0)
    health.fault = fault
    return health
  }
}

extension LiveHealth.Kind {
  fileprivate init(_ quantity: ChipModel.Quantity) {
    self =
      switch quantity {
      case .inertia: .inertialUnit
      case .field: .magnetometer
      case .pressure: .barometer
      }
  }
}
