import Engine
import Foundation

/// Writes once a second how the attached board is doing, on standard error.
final class StatusLines {
  private let timer: DispatchSourceTimer

  /// Starts: one object a line where `isJSON`, else words.
  init(_ player: EstimatePlayer, isJSON: Bool) {
    timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "lodestar-status"))
    var last: BoardStatus?
    timer.schedule(deadline: .now() + 1, repeating: 1)
    timer.setEventHandler { [weak player] in
      guard let status = player?.boardStatus else { return }
      let counts = StatusCounts(status, since: last)
      last = status
      guard isJSON else {
        StandardError.say(StatusText.line(status, counts))
        return
      }
      do {
        StandardError.put(try StatusJSON.object(status, counts))
      } catch {
        StandardError.say("the status cannot be encoded: \(error)")
      }
    }
    timer.resume()
  }

  func stop() { timer.cancel() }
}
