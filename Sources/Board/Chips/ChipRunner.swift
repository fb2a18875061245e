import Chips
import Configuration
import Formats
import LinuxIO
import Quantities

/// Operates one chip: starts it, reads it when its next sample is due, checks its configuration,
/// marks it as faulty when it stops to answer or to measure, and starts it again.
package struct ChipRunner {
  /// Interval between starts of a chip that was steady before, s: it must be back in service within
  /// two seconds.
  private static let firstRetry = 0.5
  /// The longest interval, s, of a chip that is lost again and again: each loss doubles it.
  private static let longestRetry = 60.0
  /// Time in service after which the interval is the first one again, s.
  private static let steadyTime = 60.0
  /// Smallest ratio of that interval to the duration of a start: some controllers block their bus
  /// for a second where no chip answers.
  private static let restRatio = 10.0
  /// Interval between checks of the configuration, ns: a check may be the only sign of a brown-out.
  private static let checkInterval: UInt64 = 1_000_000_000
  /// Failed reads in a row after which the chip is out of service.
  private static let mostFailures = 4
  /// Shortest interval between reads of a FIFO, ns.
  private static let fifoInterval: UInt64 = 10_000_000
  /// Shortest time to the next poll after one without a sample, ns.
  private static let shortestPoll: UInt64 = 500_000

  /// The greatest age of a sample with a stamp, s: beyond that of any full buffer.
  private static let longestAge = 10.0

  /// The most short polls for the missing samples of a group; then the next group is awaited.
  private static let mostShortPolls = 3

  /// Assumed rate of a chip whose driver reports none, hertz.
  private static let unknownRate = 10.0

  package let sensor: Board.Sensor
  /// When `run` must be called next.
  package private(set) var due: Timestamp
  /// True if a data-ready edge triggers the reading; the deadline then only covers a missed edge.
  var waitsForEdge = false
  /// Why the chip is not in service; nil while it is.
  package private(set) var fault: ChipError?
  /// Failed transfers and operations since the start; most of them are repeated without a loss.
  package private(set) var errors = 0
  /// The rate that the driver has set, hertz; nil before the first start.
  package private(set) var rateHertz: Double?
  /// True while the chip is read; its samples may be withheld by a fault.
  private(set) var isRunning = false
  private var wasStarted = false
  private var check = SampleCheck()
  /// That of the field of a motion unit with a magnetometer.
  private var fieldCheck = SampleCheck()
  private var retry = RetryDelay(first: Self.firstRetry, longest: Self.longestRetry)
  private var pause = Self.firstRetry
  private var inServiceSince = Timestamp(nanoseconds: 0)
  /// When a chip that does not measure is started again.
  private var restartDue: Timestamp?

  // Exactly one is set. Separate properties, so that each is mutated in place without a copy.
  private var magnetometer: (any Magnetometer)?
  private var inertialUnit: (any InertialUnit)?
  private var barometer: (any Barometer)?
  /// Reused by each call, so that a batch costs no allocation.
  private var batch: [InertialReading] = []

  private let axes: (field: ChipAxes, rate: ChipAxes, force: ChipAxes)
  /// From the body's axes to the chip's, for a module's own attitude.
  private let bodyToChip: Rotation<BodyFrame, SensorFrame>
  private var latency: UInt64 = 0
  private var timeline: SampleTimeline
  /// Until the first sample.
  private var isNew = true
  private var checkDue = Timestamp(nanoseconds: 0)
  private var lastSample = Timestamp(nanoseconds: 0)
  /// The samples since the last long wait, and the short waits among them.
  private var group = (samples: 0, shortPolls: 0)
  private var failures = 0
  private var silentStarts = 0
  private let now: () -> Timestamp
  private let makeDriver: () -> any SensorChip

  /// Makes a runner; nil for a driver of an unknown kind.
  /// - Parameters:
  ///   - sensor: The chip.
  ///   - mounting: From the board's axes to the body's, for a module's own attitude.
  ///   - now: The clock of the driver's bus.
  ///   - makeDriver: Makes the driver; called for each start of a lost chip, because a kernel
  ///     driver may have taken it over or released it.
  package init?(
    sensor: Board.Sensor, mounting: Rotation<SensorFrame, BodyFrame> = Board.standard.mounting,
    now: @escaping () -> Timestamp,
    makeDriver: @escaping () -> any SensorChip
  ) {
    self.sensor = sensor
    self.now = now
    self.makeDriver = makeDriver
    let driver = makeDriver()
    magnetometer = driver as? any Magnetometer
    inertialUnit = driver as? any InertialUnit
    barometer = driver as? any Barometer
    guard magnetometer != nil || inertialUnit != nil || barometer != nil else { return nil }
    axes = (
      ChipAxes(sensor.mount(of: .field)), ChipAxes(sensor.mount(of: .rate)),
      ChipAxes(sensor.mount(of: .force))
    )
    bodyToChip = ChipAxes(sensor.mount).toBoard.inverse * mounting.inverse
    timeline = SampleTimeline(rateHertz: Self.unknownRate)
    due = now()
  }

  /// Why the chip may be another part than named, by its first samples; nil for no doubt.
  package private(set) var doubt: String?

  /// True while the chip is started and without a fault.
  package var isInService: Bool { isRunning && fault == nil }

  /// Starts, checks or reads the chip, whichever is due.
  /// - Parameters:
  ///   - edge: When the chip's data-ready line rose; nil if the deadline woke the thread.
  ///   - deliver: Receives each sample, oldest first, in board axes.
  package mutating func run(edge: Timestamp? = nil, deliver: (SensorSamples) -> Void) {
    // The line of a missing chip may float: only the deadline triggers a new start.
    guard isRunning || edge == nil else { return }
    let begin = now()
    do throws(ChipError) {
      if isRunning {
        try verify()
        try read(edge: edge, deliver: deliver)
        failures = 0
      } else {
        if fault != nil { replaceDriver() }
        try start()
      }
    } catch {
      fail(error, begin)
    }
  }

  // MARK: Service

  private mutating func replaceDriver() {
    let driver = makeDriver()
    magnetometer = driver as? any Magnetometer
    inertialUnit = driver as? any InertialUnit
    barometer = driver as? any Barometer
  }

  private mutating func start() throws(ChipError) {
    try magnetometer?.start()
    try inertialUnit?.start()
    try barometer?.start()
    // After a loss the first sample ends the fault: a sick chip may accept a start and nothing
    // else.
    if !wasStarted { fault = nil }
    (isRunning, wasStarted, failures) = (true, true, 0)
    // A kernel driver reports its rate only after the start.
    let rate = magnetometer?.rateHertz ?? inertialUnit?.rateHertz ?? barometer?.rateHertz ?? 0
    timeline = SampleTimeline(rateHertz: rate > 0 ? rate : Self.unknownRate)
    rateHertz = rate > 0 ? rate : nil
    let age =
      magnetometer?.latencySeconds ?? inertialUnit?.latencySeconds ?? barometer?.latencySeconds ?? 0
    latency = UInt64(bounded: (sensor.latencySeconds ?? age) * 1e9)
    let now = now()
    (lastSample, due, inServiceSince) = (now, now, now)
    checkDue = now.advanced(byNanoseconds: Self.checkInterval)
  }

  /// Checks the configuration at intervals, and at once when no samples arrive.
  private mutating func verify() throws(ChipError) {
    let now = now()
    if let restartDue, now >= restartDue {
      pause = retry.next()
      self.restartDue = now.advanced(bySeconds: pause)
      try start()
      return
    }
    let silence = now.nanoseconds - lastSample.nanoseconds
    let isSilent = silence > UInt64(bounded: 8 * timeline.period) + 200_000_000
    guard now >= checkDue || isSilent else { return }
    if isInService, now.seconds(since: inServiceSince) >= Self.steadyTime { retry.reset() }
    checkDue = now.advanced(byNanoseconds: Self.checkInterval)
    var holds = try magnetometer?.holdsConfiguration() ?? true
    if holds { holds = try inertialUnit?.holdsConfiguration() ?? true }
    if holds { holds = try barometer?.holdsConfiguration() ?? true }
    if isSilent {
      silentStarts += 1
      // One new start may help. A chip that still has no samples is at fault: the bus is free for
      // others.
      guard silentStarts < 2 else {
        failures = Self.mostFailures
        throw ChipError(
          .unfinished("a measurement"), model: sensor.chip, bus: sensor.bus, address: sensor.address
        )
      }
    }
    if !holds || isSilent { try start() }
  }

  private mutating func fail(_ error: ChipError, _ begin: Timestamp) {
    failures += 1
    errors += 1
    let now = now()
    guard isRunning, failures < Self.mostFailures else {
      if isRunning { pause = retry.next() }
      (fault, isRunning, restartDue) = (error, false, nil)
      let rest = min(Self.restRatio * now.seconds(since: begin), Self.longestRetry)
      due = now.advanced(bySeconds: max(pause, rest))
      return
    }
    // A transient fault such as lost arbitration or a spike: try again at the next sample.
    due = now.advanced(byNanoseconds: UInt64(bounded: timeline.period))
  }

  /// Takes the chip out of service where its samples are no measurements, and back in after good
  /// ones.
  private mutating func judge() {
    guard let what = check.fault ?? fieldCheck.fault else {
      guard fault != nil else { return }
      (fault, restartDue, inServiceSince) = (nil, nil, now())
      return
    }
    guard restartDue == nil else { return }
    pause = retry.next()
    restartDue = now().advanced(bySeconds: pause)
    fault = ChipError(
      .notMeasuring(what), model: sensor.chip, bus: sensor.bus, address: sensor.address)
  }

  // MARK: Samples

  private mutating func read(
    edge: Timestamp?, deliver: (SensorSamples) -> Void
  ) throws(ChipError) {
    let begin = now()
    var found = 0
    if let reading = try magnetometer?.readField() {
      found = 1
      let stamp = stamp(begin, edge, by: magnetometer?.sampleTimestamp)
      check.add(reading, at: stamp)
      // A saturated sample has no field, but shows that the chip works. A field of zero is no
      // measurement.
      if let field = reading.value, field.components != .zero, check.fault == nil {
        var row = SensorSamples(timestamp: stamp)
        row.field = FieldSample(
          timestamp: stamp, field: MagneticField(components: axes.field(field.components)))
        deliver(row)
      }
    }
    if inertialUnit != nil { found = try readBatch(begin, edge, deliver) }
    if let reading = try barometer?.readPressure() {
      found = 1
      let stamp = stamp(begin, edge, by: barometer?.sampleTimestamp)
      check.add(hectopascal: reading.hectopascal)
      if check.fault == nil {
        var row = SensorSamples(timestamp: stamp)
        row.pressure = PressureSample(
          timestamp: stamp, hectopascal: reading.hectopascal, celsius: reading.celsius)
        deliver(row)
      }
    }
    if found > 0 {
      judge()
      if isNew {
        isNew = false
        doubt = barometer?.doubt ?? inertialUnit?.doubt ?? magnetometer?.doubt
      }
    }
    schedule(found: found, at: begin)
  }

  private mutating func readBatch(
    _ begin: Timestamp, _ edge: Timestamp?, _ deliver: (SensorSamples) -> Void
  ) throws(ChipError) -> Int {
    var found: [InertialReading] = []
    swap(&found, &batch)
    defer {
      found.removeAll(keepingCapacity: true)
      swap(&found, &batch)
    }
    let lost = try inertialUnit?.readInertia { found.append($0) } ?? 0
    guard !found.isEmpty else { return 0 }
    let (first, step) = stamps(found.count, found: begin, edge, lost)
    for (index, reading) in found.enumerated() {
      let stamp =
        sourceStamp(reading.timestamp, at: begin)
        ?? first.advanced(byNanoseconds: UInt64(index) * step)
      check.add(reading, at: stamp)
      if let field = reading.field { fieldCheck.add(field, at: stamp) }
      if check.fault == nil, fieldCheck.fault == nil, let row = row(reading, at: stamp) {
        deliver(row)
      }
    }
    return found.count
  }

  private func row(_ reading: InertialReading, at stamp: Timestamp) -> SensorSamples? {
    let rate = reading.angularRate?.clippedValue.map {
      AngularRate<SensorFrame>(components: axes.rate($0.components))
    }
    // A force of zero is no measurement; one of a free fall has noise.
    let force = reading.specificForce?.clippedValue.flatMap {
      $0.components == .zero
        ? nil : SpecificForce<SensorFrame>(components: axes.force($0.components))
    }
    // A field of zero is no measurement either.
    let field = reading.field?.value.flatMap {
      $0.components == .zero
        ? nil : MagneticField<SensorFrame>(components: axes.field($0.components))
    }
    guard rate != nil || force != nil || field != nil || reading.attitude != nil else { return nil }
    var row = SensorSamples(timestamp: stamp)
    if rate != nil || force != nil {
      row.inertial = InertialSample(timestamp: stamp, angularRate: rate, specificForce: force)
    }
    if let field { row.field = FieldSample(timestamp: stamp, field: field) }
    if let attitude = reading.attitude {
      let heading = (attitude.rotation * bodyToChip).attitudeAngles.heading
      row.heading = HeadingSample(
        timestamp: stamp, magnetic: MagneticHeading(heading.wrappedToTurn), true: nil,
        accuracy: attitude.accuracy)
    }
    return row
  }

  /// The instant of a sample by its source's stamp, else by the time of its reading.
  private mutating func stamp(
    _ begin: Timestamp, _ edge: Timestamp?, by source: Timestamp?
  ) -> Timestamp {
    // The timeline is needed for the next deadline in every case.
    let read = stamps(1, found: begin, edge, 0).first
    return sourceStamp(source, at: begin) ?? read
  }

  /// A stamp of a sample's source, less the latency; nil for none, and for one that is not of this
  /// clock: a kernel driver may have no right one.
  private func sourceStamp(_ source: Timestamp?, at begin: Timestamp) -> Timestamp? {
    guard let source,
      abs(source.seconds(since: begin)) < Self.longestAge
    else { return nil }
    return Timestamp(nanoseconds: source.nanoseconds - min(source.nanoseconds, latency))
  }

  /// The instants of samples that were read together, less the latency.
  private mutating func stamps(
    _ count: Int, found begin: Timestamp, _ edge: Timestamp?, _ lost: Int
  ) -> (first: Timestamp, step: UInt64) {
    var (found, isEmptied) = (begin, true)
    if let emptied = inertialUnit?.emptiedAt {
      // Samples that arrive faster than they are read stay in the FIFO.
      isEmptied = emptied >= begin
      found = isEmptied ? emptied : now()
    }
    let (first, step) =
      if let edge, count == 1 {
        (first: timeline.sample(at: min(edge, found)), step: UInt64(0))
      } else {
        timeline.stamps(
          count: count, keepsAll: inertialUnit?.keepsSamples == true, foundAt: found,
          isEmptied: isEmptied, lost: lost)
      }
    return (Timestamp(nanoseconds: first.nanoseconds - min(first.nanoseconds, latency)), step)
  }

  /// Sets the next deadline. Without a data-ready line it is slightly before the sample that is
  /// awaited, so that now and then a poll finds that it is not there yet: two polls a tenth of a
  /// period apart then bound its stamp, and the following samples are read shortly after their
  /// measurement.
  private mutating func schedule(found count: Int, at begin: Timestamp) {
    let period = UInt64(bounded: timeline.period)
    if count > 0 {
      lastSample = begin
      silentStarts = 0
    } else {
      timeline.foundNothing(at: begin)
    }
    // A FIFO is read for several samples at a time where they come fast.
    let keepsSamples = inertialUnit?.keepsSamples == true
    let awaited = keepsSamples ? max(1, Int((Self.fifoInterval + period / 2) / period)) : 1
    group.samples += count
    // A chip whose rate is far from the nominal one never completes a group in time.
    let isComplete =
      group.samples >= awaited || group.samples > 0 && group.shortPolls >= Self.mostShortPolls
    // From the planned time: a late poll must not delay those that follow.
    let isLittleLate = begin >= due && begin.nanoseconds - due.nanoseconds < period
    let planned = isLittleLate ? due : begin
    if waitsForEdge, count > 0 {
      due = begin.advanced(byNanoseconds: 3 * period + Self.fifoInterval)
    } else if isComplete {
      due = planned.advanced(byNanoseconds: UInt64(awaited) * period - period / 50)
      group = (0, 0)
    } else {
      due = begin.advanced(byNanoseconds: max(period / 10, Self.shortestPoll))
      group.shortPolls += 1
    }
  }
}
