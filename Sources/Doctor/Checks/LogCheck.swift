/// Chips and buses that the daemon's log reports as lost.
package enum LogCheck {
  /// The words of a board's notice between what is lost and why.
  package static let lossWords = "going on without it"
  /// The words of a notice about a device that was lost repeatedly.
  package static let unsteadyWords = "times in the last hour"
  /// A loose plug makes some losses; so many in an hour are a fault of the bus.
  private static let manyLosses = 10

  static func findings(on machine: Machine) -> [MachineFinding] {
    let command = [
      "journalctl", "--unit=lodestar.service", "--since=-1h", "--quiet", "--no-pager",
      "--output=cat", "--grep=\(lossWords)|\(unsteadyWords)",
    ]
    guard let outcome = machine.system.run(command), outcome.status == 0 else { return [] }
    let lines = outcome.output.split(separator: "\n")
    guard let last = lines.last else { return [] }
    // After some losses of a device the daemon writes one line an hour, with their number.
    let counted = lines.compactMap { line in
      line.firstMatch(of: #/lost (\d+) times in the last hour/#).flatMap { Int($0.output.1) }
    }
    let losses = max(lines.filter { $0.contains(lossWords) }.count, counted.max() ?? 0)
    let times = losses == 1 ? "once" : "\(losses) times"
    return [
      MachineFinding(
        .logChipLost, losses < manyLosses ? .warning : .fault,
        "the daemon lost a sensor \(times) in the last hour; last: \(last.prefix(200))",
        why: "a loose wire, missing pull-up resistors, too fast a bus or a weak supply",
        remedy: .manual(
          "journalctl -u lodestar --since -1h --grep '\(lossWords)|\(unsteadyWords)'"
        ))
    ]
  }
}
