import ArgumentParser
import Foundation
import Fusion
import Study

/// Random search along one parameter at a time.
struct TuneCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tune",
    abstract: "Searches better values of some parameters for a while and prints them.")

  @OptionGroup var options: StudyOptions

  @Option(help: "Names of parameters with commas between.")
  var keys: String

  @Option(help: "How long to search.")
  var seconds = 120.0

  func validate() throws {
    guard seconds > 0, seconds.isFinite else {
      throw ValidationError("--seconds \(seconds): expected a number above zero")
    }
  }

  func run() throws {
    let keys = try self.keys.split(separator: ",").map { try TunedParameter.named(String($0)) }
    guard !keys.isEmpty else {
      throw StudyError("--keys: expected names such as roomSigma,bendTime")
    }
    var best = try options.parameters()
    let objective = Objective(try options.trials(), turns: options.turns.degrees)
    var cost = objective.cost(best)
    say("start \(word(cost, 4))")
    // The natural logarithm of the largest factor to try, by parameter.
    var steps = Array(repeating: 0.4, count: keys.count)
    var tries = 0
    let end = Date().addingTimeInterval(seconds)
    while Date() < end {
      let n = Int.random(in: 0..<keys.count)
      var isBetter = false
      for sign in [1.0, -1.0] where !isBetter {
        var tried = best
        tried[keyPath: keys[n].path] *= exp(sign * steps[n] * Double.random(in: 0.5...1))
        let c = objective.cost(tried)
        tries += 1
        // Less is the noise of the trials' ends.
        guard c < cost - 1e-4 else { continue }
        (best, cost, isBetter) = (tried, c, true)
        say("\(word(c, 4))  \(keys[n].name)=\(tried[keyPath: keys[n].path])")
      }
      steps[n] = isBetter ? steps[n] * 1.3 : max(steps[n] * 0.6, 0.08)
    }
    say("\(tries) tries; to use with --set:")
    for key in keys { say("\(key.name)=\(best[keyPath: key.path])") }
  }
}
