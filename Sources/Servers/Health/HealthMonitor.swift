import Board
import Dispatch
import Formats
import HostProtocol
import LinuxIO
import LocationHost
import Pipeline
import Quantities
import Storage

/// Collects the health of the board and of its computer. What needs the disk is read by a thread of
/// its own, at intervals: a disk that hangs delays no answer.
final class HealthMonitor: Sendable {
  /// The age from which what the disk has is read again, seconds.
  private static let interval = 30.0

  /// What the disk has.
  private struct Stored {
    var disks: [BoardHealth.Disk] = []
    /// When the magnetometer's calibration was made.
    var calibrationMade: UTCTime?
    var readAt: Timestamp?
    var isReading = false
  }

  private let host: LocationHost
  /// The folders by their use.
  private let folders: [(use: String, path: String)]
  private let begin = MonotonicClock.now
  private let stored = Locked(Stored())
  private let queue = DispatchQueue(label: "lodestar-health", qos: .utility)

  /// Makes a monitor of a host.
  /// - Parameters:
  ///   - host: The host.
  ///   - stateFolder: The folder of the state.
  ///   - recordingFolder: The folder of recordings; nil where nothing is recorded.
  init(_ host: LocationHost, stateFolder: String, recordingFolder: String?) {
    self.host = host
    folders = [("state", stateFolder)] + (recordingFolder.map { [("recording", $0)] } ?? [])
    readStored()
  }

  /// Seconds since the start.
  var uptime: Double { MonotonicClock.now.seconds(since: begin) }

  /// The health now. What the disk has is that of its last reading.
  var health: BoardHealth {
    readStored()
    let (source, stored) = (host.source.source, stored.withLock { $0 })
    var health = BoardHealth(version: Version.text, uptimeSeconds: uptime)
    health.source =
      !source.isOpen
      ? .none : source.isSimulated ? .simulation : source.isLive ? .sensors : .recording
    health.sourceFault = source.fault
    health.isClockBelieved = SystemClock.believed != nil
    health.clockErrorSeconds = SystemClock.errorSeconds
    if let made = stored.calibrationMade, let now = SystemClock.civilTime {
      health.calibrationAgeSeconds = max(0, now.seconds(since: made))
    }
    health.storageFault = host.storageFault
    health.disks = stored.disks
    health.troubles = (source.troubles ?? []).map {
      BoardHealth.Trouble(device: $0.device, text: $0.text)
    }
    guard let board = host.source.boardStatus else { return health }
    health.devices = board.health
    health.buses = Self.buses(of: board)
    return health
  }

  private static func buses(of board: BoardStatus) -> [BoardHealth.Bus] {
    Set(board.lateness.keys).union(board.dataReadyFaults.keys).sorted().map { name in
      var bus = BoardHealth.Bus(name: name)
      bus.medianDelaySeconds = board.lateness[name]?.medianSeconds
      bus.worstDelaySeconds = board.lateness[name]?.worstSeconds
      bus.hasLostDataReady = board.dataReadyFaults[name] != nil
      return bus
    }
  }

  // MARK: What the disk has

  private func readStored() {
    let isDue = stored.withLock { stored in
      let age = stored.readAt.map { MonotonicClock.now.seconds(since: $0) }
      guard !stored.isReading, age.map({ $0 >= Self.interval }) ?? true else { return false }
      stored.isReading = true
      return true
    }
    guard isDue else { return }
    queue.async { [weak self] in
      guard let self else { return }
      let (disks, made) = (disks, calibrationMade)
      stored.withLock {
        $0 = Stored(disks: disks, calibrationMade: made, readAt: MonotonicClock.now)
      }
    }
  }

  private var disks: [BoardHealth.Disk] {
    folders.compactMap { use, path in
      LinuxFiles.space(of: path).map {
        BoardHealth.Disk(use: use, freeBytes: Double($0.free), sizeBytes: Double($0.size))
      }
    }
  }

  private var calibrationMade: UTCTime? {
    guard let archive = (host.source.calibrator as? any ProfileCalibrator)?.archive else {
      return nil
    }
    do throws(ProfileStoreError) {
      return try archive.store.current(for: archive.identity).stored?.profile.made
    } catch {
      // The host reports the fault of the folder.
      return nil
    }
  }
}
