import BoardFile
import Bus
import Chips
import Quantities
import Recording

/// One chip in service: started, read when its next sample is due, checked, given up when it falls silent
/// and taken back when it returns.
package struct ChipRunner {
  /// How often a chip that is not there is looked for, ns: it has to be back within two seconds.
  private static let retryInterval: UInt64 = 500_000_000
  /// How often the configuration is read back, ns: a brown-out that left no other trace shows then.
  private static let checkInterval: UInt64 = 1_000_000_000
  /// After as many failed reads in a row the chip is given up.
  private static let patience = 4
  /// A chip that is fetched from a FIFO is visited this often at the most, ns.
  private static let fifoInterval: UInt64 = 10_000_000
  /// The least time to the next look after one that found nothing, ns.
  private static let shortestPoll: UInt64 = 500_000

  /// What a chip that does not tell is taken to give, hertz.
  private static let unknownRate = 10.0

  package let sensor: Board.Sensor
  /// When the runner wants to be called next.
  package private(set) var due: Timestamp
  /// True where a data-ready edge calls the runner; time alone then only catches a missed edge.
  var waitsForEdge = false
  /// Why the chip is not in service; nil while it is.
  package private(set) var fault: ChipError?
  /// True once the chip has been in service.
  private(set) var wasInService = false

  // One of them is there; apart, so that each is changed in its place and nothing is copied.
  private var magnetometer: (any Magnetometer)?
  private var inertialUnit: (any InertialUnit)?
  private var barometer: (any Barometer)?
  /// Kept between calls, so that a batch costs no allocation.
  private var batch: [InertialReading] = []

  private let toBoard: Rotation<SensorFrame, SensorFrame>
  private var latency: UInt64 = 0
  private var timeline: SampleTimeline
  private var checkDue = Timestamp(nanoseconds: 0)
  private var lastSample = Timestamp(nanoseconds: 0)
  private var failures = 0
  private var silentStarts = 0
  private let now: () -> Timestamp

  /// Makes a runner; `now` is the clock that the driver's bus waits by. Nil for a driver of no kind that
  /// is known here.
  init?(sensor: Board.Sensor, driver: any SensorChip, now: @escaping () -> Timestamp) {
    magnetometer = driver as? any Magnetometer
    inertialUnit = driver as? any InertialUnit
    barometer = driver as? any Barometer
    guard magnetometer != nil || inertialUnit != nil || barometer != nil else { return nil }
    self.sensor = sensor
    self.now = now
    let placed = sensor.mount.rotation ?? AxisMount.standard.rotation
    toBoard = AxisMount.standard.rotation.inverse * placed
    timeline = SampleTimeline(rateHertz: Self.unknownRate)
    due = now()
  }

  /// True while the chip gives samples.
  package var isInService: Bool { wasInService && fault == nil }

  /// Does what is due: a start, a check or a reading.
  /// - Parameters:
  ///   - edge: When the chip's data-ready line rose, where one woke the thread.
  ///   - deliver: Takes each sample, oldest first, in board axes.
  mutating func run(edge: Timestamp? = nil, deliver: (SensorRow) -> Void) {
    // The line of a chip that is not there may float: only time calls for a new start.
    guard isInService || edge == nil else { return }
    do throws(ChipError) {
      if isInService {
        try check()
        try read(edge: edge, deliver: deliver)
        failures = 0
      } else {
        try start()
      }
    } catch {
      fail(error)
    }
  }

  // MARK: Service

  private mutating func start() throws(ChipError) {
    try magnetometer?.start()
    try inertialUnit?.start()
    try barometer?.start()
    (fault, wasInService, failures) = (nil, true, 0)
    // A chip of the kernel's knows its rate only now.
    let rate = magnetometer?.rateHertz ?? inertialUnit?.rateHertz ?? barometer?.rateHertz ?? 0
    timeline = SampleTimeline(rateHertz: rate > 0 ? rate : Self.unknownRate)
    let age =
      magnetometer?.latencySeconds ?? inertialUnit?.latencySeconds ?? barometer?.latencySeconds ?? 0
    latency = UInt64((sensor.latencySeconds ?? age) * 1e9)
    let now = now()
    (lastSample, due) = (now, now)
    checkDue = now.advanced(byNanoseconds: Self.checkInterval)
  }

  /// Reads the configuration back now and then, and sooner where the chip has fallen silent.
  private mutating func check() throws(ChipError) {
    let now = now()
    let silence = now.nanoseconds - lastSample.nanoseconds
    let isSilent = silence > UInt64(8 * timeline.period) + 200_000_000
    guard now >= checkDue || isSilent else { return }
    checkDue = now.advanced(byNanoseconds: Self.checkInterval)
    var holds = try magnetometer?.holdsConfiguration() ?? true
    if holds { holds = try inertialUnit?.holdsConfiguration() ?? true }
    if holds { holds = try barometer?.holdsConfiguration() ?? true }
    if isSilent {
      silentStarts += 1
      // Once a new start may help; a chip that stays mute is at fault, and others have the bus.
      guard silentStarts < 2 else {
        failures = Self.patience
        throw ChipError(
          .unfinished("a measurement"), model: sensor.chip, bus: sensor.bus, address: sensor.address
        )
      }
    }
    if !holds || isSilent { try start() }
  }

  private mutating func fail(_ error: ChipError) {
    failures += 1
    let now = now()
    guard isInService, failures < Self.patience else {
      fault = error
      due = now.advanced(byNanoseconds: Self.retryInterval)
      return
    }
    // A passing fault: lost arbitration, a spike. The next sample is not far.
    due = now.advanced(byNanoseconds: UInt64(timeline.period))
  }

  // MARK: Samples

  private mutating func read(
    edge: Timestamp?, deliver: (SensorRow) -> Void
  ) throws(ChipError) {
    let begin = now()
    var found = 0
    if let reading = try magnetometer?.readField() {
      found = 1
      let stamp = stamps(1, begin, edge, 0).first
      // A saturated sample is no field, but the chip is alive.
      if let field = reading.value {
        var row = SensorRow(timestamp: stamp)
        row.field = FieldSample(timestamp: stamp, field: toBoard(field))
        deliver(row)
      }
    }
    if inertialUnit != nil { found = try readBatch(begin, edge, deliver) }
    if let reading = try barometer?.readPressure() {
      found = 1
      let stamp = stamps(1, begin, edge, 0).first
      var row = SensorRow(timestamp: stamp)
      row.pressure = PressureSample(
        timestamp: stamp, hectopascal: reading.hectopascal, celsius: reading.celsius)
      deliver(row)
    }
    schedule(found: found, at: begin)
  }

  private mutating func readBatch(
    _ begin: Timestamp, _ edge: Timestamp?, _ deliver: (SensorRow) -> Void
  ) throws(ChipError) -> Int {
    var found: [InertialReading] = []
    swap(&found, &batch)
    defer {
      found.removeAll(keepingCapacity: true)
      swap(&found, &batch)
    }
    let lost = try inertialUnit?.readInertia { found.append($0) } ?? 0
    guard !found.isEmpty else { return 0 }
    let (first, step) = stamps(found.count, begin, edge, lost)
    for (index, reading) in found.enumerated() {
      let stamp = first.advanced(byNanoseconds: UInt64(index) * step)
      if let row = row(reading, at: stamp) { deliver(row) }
    }
    return found.count
  }

  private func row(_ reading: InertialReading, at stamp: Timestamp) -> SensorRow? {
    let rate = reading.angularRate?.value.map { toBoard($0) }
    let force = reading.specificForce?.value.map { toBoard($0) }
    guard rate != nil || force != nil else { return nil }
    var row = SensorRow(timestamp: stamp)
    row.inertial = InertialSample(timestamp: stamp, angularRate: rate, specificForce: force)
    return row
  }

  /// The instants of samples that were found together, less their age.
  private mutating func stamps(
    _ count: Int, _ begin: Timestamp, _ edge: Timestamp?, _ lost: Int
  ) -> (first: Timestamp, step: UInt64) {
    let (first, step) =
      if let edge, count == 1 {
        (first: timeline.sample(at: min(edge, begin)), step: UInt64(0))
      } else {
        timeline.stamps(
          count: count, keepsAll: inertialUnit?.keepsSamples == true, foundAt: begin, lost: lost)
      }
    return (Timestamp(nanoseconds: first.nanoseconds - min(first.nanoseconds, latency)), step)
  }

  /// After a sample the next is a period away; after none, look again in a tenth of it.
  private mutating func schedule(found count: Int, at begin: Timestamp) {
    let period = UInt64(timeline.period)
    guard count > 0 else {
      timeline.foundNothing(at: begin)
      due = begin.advanced(byNanoseconds: max(period / 10, Self.shortestPoll))
      return
    }
    lastSample = begin
    silentStarts = 0
    if waitsForEdge {
      due = begin.advanced(byNanoseconds: 3 * period + Self.fifoInterval)
    } else if inertialUnit?.keepsSamples == true {
      due = begin.advanced(byNanoseconds: max(period, Self.fifoInterval))
    } else {
      // A little early drifts into an empty poll now and then, which bounds the next stamp well.
      due = begin.advanced(byNanoseconds: period - period / 50)
    }
  }
}
