import Quantities

#if canImport(Glibc)
  import Glibc
#endif

/// The samples of one device: from its buffer if it has a usable one, else by reading sysfs.
///
/// A read of sysfs makes the driver measure, or read the chip's newest measurement: a value is never old,
/// but two may be of one measurement. So sysfs is read at most at the device's rate, and each value is a
/// sample, changed or not.
final class IIOStream {
  /// One sample.
  struct Sample {
    /// The channels' quantities, in their order, at most eight.
    var values = SIMD8<Double>(repeating: 0)
    /// Which of them are saturated.
    var isRail = SIMDMask<SIMD8<Int64>>(repeating: false)
    /// The kernel's timestamp; nil for none.
    var timestamp: Timestamp?
  }

  let node: IIONode
  /// Samples a second; before `start` the requested rate.
  private(set) var rateHertz: Double

  private let channels: [IIOChannels]
  private let requested: Double
  private let mayBuffer: Bool
  private let clock: () -> Timestamp
  private var conversions: [IIOConversion] = []
  private var deviceRate: Double?
  private var buffer: IIOBuffer?
  private var attributes: [IIOAttribute] = []
  private var due = Timestamp(nanoseconds: 0)

  init(
    _ node: IIONode, channels: [IIOChannels], requested: Double, mayBuffer: Bool = true,
    clock: @escaping () -> Timestamp
  ) {
    self.node = node
    self.channels = channels
    self.requested = requested
    self.mayBuffer = mayBuffer
    self.clock = clock
    rateHertz = requested
  }

  /// Whether samples come from the kernel's buffer.
  var isBuffered: Bool { buffer != nil }

  /// Sets rate and range, and enables the buffer or reads sysfs once.
  func start() throws(IIOFault) {
    buffer = nil
    attributes = []
    conversions = []
    deviceRate = try IIORate.choose(of: node, stem: channels[0].stem, requested: requested)
    for group in channels {
      try group.chooseRange(of: node)
      conversions += try group.conversions(of: node)
    }
    rateHertz = deviceRate ?? requested
    let names = channels.flatMap(\.names)
    if mayBuffer {
      var trigger = IIOTrigger.none
      buffer = try IIOBuffer(node, channels: names) { trigger = $0 }
      if buffer != nil {
        rateHertz = trigger.timerRate(requested: min(requested, rateHertz)) ?? rateHertz
        return
      }
    }
    for name in names { attributes.append(try IIOAttribute("\(name)_raw", of: node)) }
    // Some drivers switch the chip on and wait for each value, which limits the rate.
    let begun = clock()
    do throws(IIOFault) { _ = try look() } catch {
      // EINVAL rejects one value, such as an overflow, not the device.
      if error.code != EINVAL { throw error }
    }
    let seconds = clock().seconds(since: begun)
    if seconds * rateHertz > 1 { rateHertz = 1 / seconds }
    due = clock()
  }

  /// Whether rate, range and buffer are unchanged since `start`.
  func holds() throws(IIOFault) -> Bool {
    if let deviceRate, let attribute = IIORate.attribute(of: node, stem: channels[0].stem),
      node.number(attribute) != deviceRate
    {
      return false
    }
    var now: [IIOConversion] = []
    for group in channels { now += try group.conversions(of: node) }
    return now == conversions && buffer?.isOn ?? true
  }

  /// The next sample; nil if there is none yet.
  func next() throws(IIOFault) -> Sample? {
    guard let buffer else {
      let now = clock()
      guard now >= due, !attributes.isEmpty else { return nil }
      let sample = try look()
      // After a late call at most one period is caught up.
      let period = UInt64(bounded: 1e9 / rateHertz)
      let following = due.advanced(byNanoseconds: period)
      due = following.advanced(byNanoseconds: period) < now ? now : following
      return sample
    }
    var sample = Sample()
    let (isThere, timestamp) = try buffer.next { put($1, at: $0, in: &sample) }
    sample.timestamp = timestamp
    return isThere ? sample : nil
  }

  private func look() throws(IIOFault) -> Sample {
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
  /// Three channels from an index on; nil if one is saturated.
  func vector(from place: Int, signs: SIMD3<Double> = SIMD3(1, 1, 1)) -> SIMD3<Double>? {
    if isRail[place] || isRail[place + 1] || isRail[place + 2] { return nil }
    return SIMD3(values[place], values[place + 1], values[place + 2]) * signs
  }
}
