import Formats
import LinuxIO
import LocationHost
import Quantities

/// The one-star alignment, in a file of the state folder: the axis that it is for, and the degrees
/// that are added to azimuth and altitude.
final class AlignmentStore: Sendable {
  private static let file = "pointing-alignment"

  private struct State {
    var isRead = false
    var axis: AxisDirection?
    var alignment = PointingAlignment()
  }

  private let path: String
  private let log: HostLog
  private let state = Locked(State())

  init(folder: String, log: HostLog) { (path, self.log) = (folder + "/" + Self.file, log) }

  /// The alignment of an axis; zero without one.
  func alignment(of axis: AxisDirection) -> PointingAlignment {
    state.withLock { state in
      if !state.isRead {
        state.isRead = true
        if let (axis, alignment) = stored() { (state.axis, state.alignment) = (axis, alignment) }
      }
      return state.axis == axis ? state.alignment : PointingAlignment()
    }
  }

  /// Replaces the alignment; nil removes it. One that is not stored holds until the next start.
  func set(_ alignment: PointingAlignment?, of axis: AxisDirection, isStored: Bool) {
    state.withLock { state in
      state = State(isRead: true, axis: axis, alignment: alignment ?? PointingAlignment())
      guard isStored else { return }
      let text =
        alignment.map { "\(axis.rawValue) \($0.azimuth.degrees) \($0.altitude.degrees)\n" } ?? ""
      do throws(FileFault) {
        try LinuxFiles().replace(path, with: Array(text.utf8))
        let change = text.isEmpty ? "alignment removed" : "aligned by a star: \(text.dropLast())"
        log.notice("pointing: \(change)")
      } catch {
        log.warning(
          "pointing: the alignment is used until the next start only, because \(error.path) cannot "
            + "be written: \(error.reason); make the state folder writable, then align again")
      }
    }
  }

  private func stored() -> (AxisDirection, PointingAlignment)? {
    do throws(FileFault) {
      return try LinuxFiles().stored(at: path, { log.warning("pointing: \($0)") }, Self.read) ?? nil
    } catch {
      log.warning("pointing: the alignment is not used, because \(error); align again")
      return nil
    }
  }

  /// Reads the file's text; `.some(nil)` for the empty one.
  private static func read(_ text: String) -> (AxisDirection, PointingAlignment)?? {
    let words = text.split { $0 == " " || $0.isNewline }
    if words.isEmpty { return .some(nil) }
    guard words.count == 3, let axis = AxisDirection(rawValue: String(words[0])),
      let azimuth = Double(words[1]), let altitude = Double(words[2]),
      abs(azimuth) <= 360, abs(altitude) <= 180
    else { return nil }
    return (
      axis,
      PointingAlignment(azimuth: Angle(degrees: azimuth), altitude: Angle(degrees: altitude))
    )
  }
}
