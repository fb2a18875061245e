import HostProtocol
import LinuxIO
import Pipeline
import Quantities
import Storage

extension ProfileOrder {
  /// The most bytes of calibrations in an answer; the newest one is always in it.
  private static let mostBytes = 512 << 10

  /// Executes the request; a change is stored and in use when this returns.
  /// - Parameters:
  ///   - profiles: The source's calibrator.
  ///   - changeFault: Why the client may not change the calibrations; nil where it may.
  /// - Returns: The calibrations.
  /// - Throws: Why it is refused; the stored calibrations are then unchanged.
  func execute(
    _ profiles: any ProfileCalibrator, changeFault: HostFault?
  ) throws(HostFault) -> ProfileReport {
    guard let archive = profiles.archive else {
      throw HostFault(
        .declined,
        "the daemon stores no calibrations: its options give one, or its recording names no magnetometer"
      )
    }
    var report = ProfileReport(archive.identity)
    do throws(ProfileStoreError) {
      switch self {
      case .list(let generation):
        report.changeFault = changeFault?.message
        report.add(try archive.store.history(for: archive.identity), only: generation)
      case .store(let content):
        let now = SystemClock.reading.utc
        report.add(
          try profiles.store { archive throws(ProfileStoreError) in
            try archive.store(content, made: now)
          })
      case .rollback(let generation):
        report.add(
          try profiles.store { archive throws(ProfileStoreError) in
            try archive.store.rollback(to: generation, for: archive.identity)
          })
      }
    } catch {
      let code: HostFault.Code =
        switch error {
        case .refused: .unusable
        case .file: .notKept
        case .noSuchGeneration, .busy, .noPlace, .outdated: .other
        }
      throw HostFault(code, "\(error)")
    }
    return report
  }

  fileprivate static var room: Int { mostBytes }
}

extension CalibrationArchive {
  fileprivate func store(
    _ content: ProfileContent, made: UTCTime
  ) throws(ProfileStoreError) -> SavedProfile {
    if let after = content.after {
      let newest = try store.current(for: identity).stored?.profile.generation ?? 0
      guard newest == after else { throw .outdated(newest: newest) }
    }
    return try store.import(
      Array(content.text.utf8), named: String(printable: content.name), for: identity, made: made,
      isChecked: content.isChecked, mayBeForeign: content.mayBeForeign)
  }
}

extension ProfileReport {
  fileprivate init(_ identity: ProfileIdentity) {
    self.init(part: identity.sensor.part, board: identity.board)
    (bus, address) = (identity.sensor.bus, identity.sensor.address)
    (iioName, serial) = (identity.sensor.iioName, identity.sensor.serial)
  }

  fileprivate mutating func add(_ history: ProfileHistory, only generation: Int?) {
    refusals = history.refusals.map(\.description)
    let wanted = history.stored.filter {
      generation == nil || $0.profile.generation == generation
    }
    var room = ProfileOrder.room
    for stored in wanted {
      let text = stored.profile.json
      room -= text.utf8.count
      guard room >= 0 || profiles.isEmpty else {
        refusals.append(
          "\(wanted.count - profiles.count) older calibrations are not shown; export them by their number"
        )
        return
      }
      profiles.append(Stored(path: stored.path, text: text))
    }
  }

  fileprivate mutating func add(_ saved: SavedProfile?) {
    guard let saved else { return }
    profiles = [Stored(path: saved.path, text: saved.profile.json)]
    if let fault = saved.cleanupFault { refusals = ["\(fault)"] }
  }
}
