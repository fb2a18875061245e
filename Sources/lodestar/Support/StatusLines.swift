import Engine
import Foundation

/// Tells once a second how the attached board is doing, on standard error.
final class StatusLines {
  private let timer: DispatchSourceTimer

  /// Begins to tell: one object a line where `isJSON`, else words.
  init(_ player: EstimatePlayer, isJSON: Bool) {
    timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "lodestar-status"))
    var last: [Int] = []
    timer.schedule(deadline: .now() + 1, repeating: 1)
    timer.setEventHandler { [weak player] in
      guard let status = player?.boardStatus else { return }
      let samples = status.chips.map(\.samples)
      let perSecond = samples.indices.map {
        samples[$0] - ($0 < last.count ? last[$0] : 0)
      }
      last = samples
      guard isJSON else {
        StandardError.say(StatusText.line(status, perSecond: perSecond))
        return
      }
      do {
        StandardError.put(try StatusJSON.object(status, perSecond: perSecond))
      } catch {
        StandardError.say("the status cannot be told: \(error)")
      }
    }
    timer.resume()
  }

  func stop() { timer.cancel() }
}
