import Engine
import Foundation

/// Tells once a second how the attached board is doing, on standard error.
final class StatusLines {
  private let timer: DispatchSourceTimer

  init(_ player: EstimatePlayer) {
    timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "lodestar-status"))
    var last: [Int] = []
    timer.schedule(deadline: .now() + 1, repeating: 1)
    timer.setEventHandler { [weak player] in
      guard let status = player?.boardStatus else { return }
      let samples = status.chips.map(\.samples)
      var words = zip(status.chips, status.chips.indices).map { chip, index in
        let count = samples[index] - (index < last.count ? last[index] : 0)
        return chip.fault == nil ? "\(chip.name) \(count)/s" : "\(chip.name) lost"
      }
      for (bus, lateness) in status.lateness.sorted(by: { $0.key < $1.key }) {
        words.append(
          String(
            format: "%@ late %.2f ms median, %.2f ms worst", bus, lateness.medianSeconds * 1e3,
            lateness.worstSeconds * 1e3))
      }
      if let fault = status.receiverFault { words.append("receiver lost: \(fault)") }
      if let setUp = status.receiverSetUp { words.append(setUp.text) }
      if let corrections = status.corrections { words.append("corrections \(corrections.text)") }
      if let output = status.correctionsOutput { words.append("rtcm-output \(output.text)") }
      last = samples
      StandardError.say(words.joined(separator: "; "))
    }
    timer.resume()
  }

  func stop() { timer.cancel() }
}
