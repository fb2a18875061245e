import Chips
import Quantities

#if canImport(Glibc)
  import Glibc
#endif

/// The samples of one device: from its buffer if it has a usable one, else by reading sysfs.
///
/// A read of sysfs makes the driver measure, or read the chip's newest measurement: a value is
/// never old, but two may be of one measurement. So sysfs is read at most at the device's rate, and
/// each value is a sample, changed or not.
final class IIOStream {
  /// One sample.
  struct Sample: Sendable {
    /// The channels' quantities, in their order, at most eight.
    var values = SIMD8<Double>(repeating: 0)
    /// Which of them are saturated.
    var isRail = SIMDMask<SIMD8<Int64>>(repeating: false)
    /// The kernel's timestamp; through sysfs the middle of the reads; nil for a buffer without
    /// stamps.
    var timestamp: Timestamp?
  }

  let node: IIONode
  /// Samples a second; before `start` the requested rate.
  private(set) var rateHertz: Double
  /// Half a period of the device: the kernel does not report the chip's averaging.
  var latencySeconds: Double { 0.5 / (deviceRate ?? rateHertz) }

  private let channels: [IIOChannels]
  private let requested: Double
  private let clock: () -> Timestamp
  private var conversions: [IIOConversion] = []
  private var deviceRate: Double?
  /// What the driver printed as that.
  private var printedRate: Double?
  private let shared: IIOSharedNode
  /// Whether samples come from the kernel's buffer.
  private(set) var isBuffered = false
  /// The last sample from a buffer that repeats it.
  private var last: Sample?
  private var attributes: [IIOAttribute] = []
  private var due = Timestamp(nanoseconds: 0)

  /// The time after which an unchanged field counts as a new sample, ns: the FIFO of a motion unit
  /// repeats each value of the slower magnetometer.
  private static var repeatNanoseconds: UInt64 { 100_000_000 }

  init(
    _ node: IIONode, channels: [IIOChannels], requested: Double, sharing: IIOSharing,
    clock: @escaping () -> Timestamp
  ) {
    self.node = node
    self.channels = channels
    self.requested = requested
    self.clock = clock
    shared = sharing.node(node)
    rateHertz = requested
  }

  deinit { shared.leave(self) }

  /// Sets rate and range, and enables the buffer or reads sysfs once.
  func start() throws(IIOFault) {
    isBuffered = false
    last = nil
    attributes = []
    conversions = []
    let stem = channels[0].stem
    let names = channels.flatMap(\.names)
    shared.join(self, names: names, requestedHertz: requested)
    let isCommon = IIORate.isCommon(of: node, stem: stem)
    deviceRate = try IIORate.choose(
      of: node, stem: stem, requested: isCommon ? shared.requestedHertz : requested)
    for group in channels {
      try group.chooseRange(of: node)
      conversions += try group.conversions(of: node)
    }
    printedRate = IIORate.printed(of: node, stem: stem)
    rateHertz = deviceRate ?? requested
    if let trigger = try shared.start() {
      isBuffered = true
      let requested = min(shared.requestedHertz, rateHertz)
      rateHertz = trigger.timerRate(requested: requested) ?? rateHertz
      return
    }
    for name in names { attributes.append(try IIOAttribute("\(name)_raw", of: node)) }
    // Another stream may need a higher rate than this one.
    if shared.isShared { rateHertz = min(rateHertz, requested) }
    // Some drivers switch the chip on and wait some periods for each value, which limits the rate:
    // at the device's highest rate these are the shortest.
    var seconds = try timeOfLook()
    if seconds * rateHertz > 1, !shared.isShared,
      let highest = IIORate.chooseHighest(of: node, stem: stem)
    {
      deviceRate = highest
      printedRate = IIORate.printed(of: node, stem: stem)
      seconds = try timeOfLook()
    }
    if seconds * rateHertz > 1 { rateHertz = 1 / seconds }
    due = clock()
  }

  private func timeOfLook() throws(IIOFault) -> Double {
    let begun = clock()
    do throws(IIOFault) { _ = try readSample() } catch {
      // EINVAL rejects one value, such as an overflow, not the device.
      if error.code != EINVAL { throw error }
    }
    return clock().seconds(since: begun)
  }

  /// Whether rate, range and buffer are unchanged since `start`.
  func holds() throws(IIOFault) -> Bool {
    guard IIORate.printed(of: node, stem: channels[0].stem) == printedRate else { return false }
    var now: [IIOConversion] = []
    for group in channels { now += try group.conversions(of: node) }
    return now == conversions && (!isBuffered || shared.isOn)
  }

  /// The next sample; nil if there is none yet.
  func next() throws(IIOFault) -> Sample? {
    guard isBuffered else {
      let now = clock()
      guard now >= due, !attributes.isEmpty else { return nil }
      var sample = try readSample()
      let end = clock()
      sample.timestamp = now.advanced(byNanoseconds: (end.nanoseconds - now.nanoseconds) / 2)
      // After a late call at most one period is caught up.
      let period = UInt64(bounded: 1e9 / rateHertz)
      let following = due.advanced(byNanoseconds: period)
      due = following.advanced(byNanoseconds: period) < now ? now : following
      return sample
    }
    while let scan = try shared.next(for: self) {
      var sample = Sample(timestamp: scan.timestamp)
      for place in conversions.indices { put(scan.counts[place], at: place, in: &sample) }
      if !isRepetition(sample) {
        last = sample
        return sample
      }
    }
    return nil
  }

  private func isRepetition(_ sample: Sample) -> Bool {
    guard channels[0].stem == "in_magn", shared.isShared, let last, last.values == sample.values,
      let time = sample.timestamp, let earlier = last.timestamp
    else { return false }
    return time.nanoseconds < earlier.nanoseconds + Self.repeatNanoseconds
  }

  private func readSample() throws(IIOFault) -> Sample {
    var sample = Sample()
    for place in attributes.indices {
      put(try attributes[place].read().digits, at: place, in: &sample)
    }
    return sample
  }

  private func put(_ count: Int64, at place: Int, in sample: inout Sample) {
    sample.values[place] = conversions[place].value(count)
    sample.isRail[place] = conversions[place].isRail(count)
  }
}

extension IIOStream.Sample {
  /// Three channels from an index on.
  func vector(from place: Int, axes: IIOAxes) -> Reading<SIMD3<Double>> {
    let atRail = (place..<place + 3).count { isRail[$0] }
    return Reading(
      axes(SIMD3(values[place], values[place + 1], values[place + 2])), axesAtEnd: atRail)
  }
}
