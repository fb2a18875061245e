import Configuration
import Engine
import Formats
import Foundation
import Monitoring
import Quantities
import Radio

/// A source of estimates that is open, and what the daemon has to know of it.
package struct OpenedSource: Sendable {
  package var publisher: any EstimatePublisher
  /// Starts it; who observes before misses nothing.
  package var start: @Sendable () -> Void = {}
  /// Ends it; what was found of a calibration is kept before it returns.
  package var stop: @Sendable () -> Void = {}
  /// Why it gives nothing more; nil while it goes on.
  package var end: @Sendable () -> String? = { nil }
  /// How an attached board is doing; nil for anything else.
  package var boardStatus: @Sendable () -> BoardStatus? = { nil }
  /// Hands notices for people to the closure.
  package var onNotice: @Sendable (@escaping @Sendable (String) -> Void) -> Void = { _ in }
  /// Calls the closure for every instant that the engine takes in.
  package var onProgress: @Sendable (@escaping @Sendable () -> Void) -> Void = { _ in }
  /// Tells the receiver how often a fix is needed.
  package var setReceiverDemand: @Sendable (FixDemand) -> Void = { _ in }

  /// True where nothing may come for long without a fault: a source that has no sensor but Wi-Fi.
  package var isQuiet = false

  package init(publisher: any EstimatePublisher) { self.publisher = publisher }

  /// The source of a player that was opened and not started.
  package init(_ player: EstimatePlayer) {
    self.init(publisher: player)
    start = { player.start() }
    stop = { player.stop() }
    end = {
      switch player.end {
      case nil: nil
      case .complete: "the recording has ended"
      case .fault(let fault): "\(fault)"
      }
    }
    boardStatus = { player.boardStatus }
    onNotice = { player.onNotice($0) }
    onProgress = { body in player.onRow { _ in body() } }
    setReceiverDemand = { player.setReceiverDemand(ReceiverDemand($0)) }
  }
}

/// How the daemon gets at estimates.
public struct SourceOpening: Sendable {
  /// True where sensors measure now: false for a simulation and for a recording.
  package var isLive: Bool
  /// True where a recording is played, faster or slower than it was taken: its time is the daemon's.
  package var isPlayed: Bool
  /// Opens the source without starting it.
  package var open: @Sendable () throws(SourceError) -> OpenedSource

  /// Makes an opening of its parts.
  package init(
    isLive: Bool, isPlayed: Bool = false,
    open: @escaping @Sendable () throws(SourceError) -> OpenedSource
  ) {
    self.isLive = isLive
    self.isPlayed = isPlayed
    self.open = open
  }

  /// What a command line asks for.
  /// - Parameters:
  ///   - choice: Which sensors.
  ///   - pace: How many times as fast a recording is played; 0 for as fast as it goes.
  ///   - configuration: How the samples are to be read; asked for each time that the source is opened.
  public init(
    _ choice: SourceChoice, pace: Double = 1, configuration: PipelineConfiguration
  ) {
    switch choice {
    case .replay(let path):
      self.init(isLive: false, isPlayed: true) { () throws(SourceError) in
        guard pace != 1 else { return OpenedSource(try choice.open(configuration)) }
        return try PacedReplay(path: path, pace: pace, configuration: configuration).opened
      }
    case .simulation, .calibrationSimulation:
      self.init(isLive: false) { () throws(SourceError) in
        OpenedSource(try choice.open(configuration))
      }
    case .attached, .gpsd:
      self.init(isLive: true) { () throws(SourceError) in
        OpenedSource(try choice.open(configuration))
      }
    }
  }
}

extension SourceOpening {
  /// The same source with Wi-Fi's coarse fixes where it has no receiver, if the policy names a service for that.
  ///
  /// Where there is no sensor at all a board is looked for now and then, and ends Wi-Fi's stand-in.
  package func withCoarseFixes(of policy: Policy) -> SourceOpening {
    guard isLive, let locator = WiFiLocator(policy) else { return self }
    return withCoarseFixes(of: locator, lookingEvery: BoardWatch.interval)
  }

  package func withCoarseFixes(
    of locator: WiFiLocator, lookingEvery interval: Double
  ) -> SourceOpening {
    var coarse = self
    let watch = BoardWatch(every: interval, open)
    coarse.open = { () throws(SourceError) in
      do throws(SourceError) {
        let source = try watch.open()
        guard !source.publisher.hasReceiver else { return source }
        return source.with(CoarseFixes(source.publisher, locator: locator))
      } catch {
        guard case .noSensors = error else { throw error }
        let fixes = CoarseFixes(nil, locator: locator)
        var source = OpenedSource(publisher: fixes).with(fixes)
        source.isQuiet = true
        source.end = { watch.find() }
        return source
      }
    }
    return coarse
  }
}

extension OpenedSource {
  /// The same source with coarse fixes, searched for while fixes are wanted.
  fileprivate func with(_ fixes: CoarseFixes) -> OpenedSource {
    var source = self
    source.publisher = fixes
    source.setReceiverDemand = { fixes.setReceiverDemand(ReceiverDemand($0)) }
    source.onNotice = { [onNotice] body in
      onNotice(body)
      fixes.onNotice(body)
    }
    return source
  }
}
