import Board
import Configuration
import Formats
import Monitoring
import Pipeline
import Quantities
import Radio

/// An opened source of estimates with its controls.
package struct OpenedSource: Sendable {
  package var publisher: any EstimatePublisher
  /// Starts it; earlier observers receive every estimate.
  package var start: @Sendable () -> Void = {}
  /// Stops it; its calibration is stored before this returns.
  package var stop: @Sendable () -> Void = {}
  /// The reason of its end; nil while it runs.
  package var end: @Sendable () -> String? = { nil }
  /// The status of an attached board; nil for other sources.
  package var boardStatus: @Sendable () -> BoardStatus? = { nil }
  /// The status of an attached or simulated board; nil for other sources.
  package var driverStatus: @Sendable () -> BoardStatus? = { nil }
  /// Calls the closure with each user message.
  package var onNotice: @Sendable (@escaping @Sendable (String) -> Void) -> Void = { _ in }
  /// Calls the closure for every row that the engine processes.
  package var onProgress: @Sendable (@escaping @Sendable () -> Void) -> Void = { _ in }
  /// Sets the receiver's demand.
  package var setReceiverDemand: @Sendable (FixDemand) -> Void = { _ in }
  /// Sets the kind of motion, for the receiver's motion model.
  package var setActivity: @Sendable (Activity) -> Void = { _ in }

  /// Whether long gaps are no fault: a source that has only Wi-Fi.
  package var isQuiet = false

  package init(publisher: any EstimatePublisher) { self.publisher = publisher }

  /// The source of a player that is not started.
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
    driverStatus = { player.driverStatus }
    onNotice = { player.onNotice($0) }
    onProgress = { body in player.onRow { _ in body() } }
    setReceiverDemand = { player.setReceiverDemand(ReceiverDemand($0)) }
    setActivity = { player.setActivity($0) }
  }
}

/// Opens a source of estimates.
public struct SourceOpening: Sendable {
  /// Whether the source measures with sensors: false for a simulation and a recording.
  package var isLive: Bool
  /// Whether the source plays a recording: the daemon uses the recording's time.
  package var isPlayed: Bool
  /// Whether the estimates of a recording have the recorded times; otherwise they have the time of
  /// playback, so that a program that refuses old fixes works with a recording.
  package var hasRecordedTimes = true
  /// Opens the source without starting it.
  package var open: @Sendable () throws(SourceError) -> OpenedSource
  /// Stops a board that was found but will not be opened; called after the last `open`.
  package var discard: @Sendable () -> Void = {}

  package init(
    isLive: Bool, isPlayed: Bool = false,
    open: @escaping @Sendable () throws(SourceError) -> OpenedSource
  ) {
    self.isLive = isLive
    self.isPlayed = isPlayed
    self.open = open
  }

  /// Opens the source of a command line.
  /// - Parameters:
  ///   - choice: The source.
  ///   - pace: The speed of a recording, 1 for real time; 0 for no delays.
  ///   - configuration: The configuration of the pipeline.
  ///   - recording: Where the source is recorded; not a recording that is played faster or slower.
  public init(
    _ choice: SourceChoice, pace: Double = 1, configuration: PipelineConfiguration,
    recording: RecordingSettings = RecordingSettings()
  ) {
    let player: @Sendable () throws(SourceError) -> OpenedSource = { () throws(SourceError) in
      var configuration = configuration
      let folder = pace == 1 ? recording.folder : nil
      let session = folder.map { SourceRecording(recording, folder: $0) }
      configuration.tap = session?.first
      return OpenedSource(try choice.open(configuration, pace: pace), session)
    }
    switch choice {
    case .replay:
      self.init(isLive: false, isPlayed: true, open: player)
    case .simulation, .calibrationSimulation, .acceptanceSimulation:
      self.init(isLive: false, open: player)
    case .attached, .gpsd:
      self.init(isLive: true, open: player)
    }
  }
}

extension SourceOpening {
  /// An estimate as the source's clients receive it; without a civil time they use the time of
  /// reception.
  func timed(_ estimate: Estimate) -> Estimate {
    guard !hasRecordedTimes else { return estimate }
    var estimate = estimate
    estimate.utc = nil
    return estimate
  }

  /// Adds coarse fixes of Wi-Fi to a source without a receiver, if the policy names a service.
  ///
  /// Without any sensor the source has only Wi-Fi fixes until a periodic search finds a board.
  package func withCoarseFixes(of policy: Policy) -> SourceOpening {
    guard isLive, let locator = WiFiLocator(policy) else { return self }
    return withCoarseFixes(of: locator, lookingEvery: BoardWatch.interval)
  }

  package func withCoarseFixes(
    of locator: WiFiLocator, lookingEvery interval: Double
  ) -> SourceOpening {
    var coarse = self
    let watch = BoardWatch(every: interval, open)
    coarse.discard = { watch.discard() }
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
  /// Adds coarse fixes to the source.
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
