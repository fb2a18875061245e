import Board
import Dispatch
import Pipeline

/// Writes the state of the attached board to standard error once a second.
final class StatusLines {
  private let timer: DispatchSourceTimer

  /// Starts the timer; one JSON object a line if `isJSON`, else text.
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
