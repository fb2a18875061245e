import Quantities

#if canImport(Glibc)
  import Glibc
#endif

/// What one device says, sample by sample: from its buffer where it has one that can be used, else by
/// asking the driver through sysfs.
///
/// Asking has the driver measure, or read the chip's newest measurement: a value is never old, but two
/// may be of one measurement. So it is asked at the device's rate at most, and whatever it then says is
/// a sample, changed or not.
final class IIOStream {
  /// One sample.
  struct Sample {
    /// The channels' quantities, in their order, at most eight.
    var values = SIMD8<Double>(repeating: 0)
    /// Which of them are at an end of the range.
    var isRail = SIMDMask<SIMD8<Int64>>(repeating: false)
    /// When the kernel took it; nil where it does not say.
    var timestamp: Timestamp?
  }

  let node: IIONode
  /// Samples a second; before `start` the wish.
  private(set) var rateHertz: Double

  private let channels: [IIOChannels]
  private let wish: Double
  private let mayBuffer: Bool
  private let clock: () -> Timestamp
  private var conversions: [IIOConversion] = []
  private var deviceRate: Double?
  private var buffer: IIOBuffer?
  private var attributes: [IIOAttribute] = []
  private var due = Timestamp(nanoseconds: 0)

  init(
    _ node: IIONode, channels: [IIOChannels], wish: Double, mayBuffer: Bool = true,
    clock: @escaping () -> Timestamp
  ) {
    self.node = node
    self.channels = channels
    self.wish = wish
    self.mayBuffer = mayBuffer
    self.clock = clock
    rateHertz = wish
  }

  /// Whether samples come from the kernel's buffer.
  var isBuffered: Bool { buffer != nil }

  /// Rate, range, and the buffer or a first look through sysfs.
  func start() throws(IIOFault) {
    buffer = nil
    attributes = []
    conversions = []
    deviceRate = try IIORate.choose(of: node, stem: channels[0].stem, wish: wish)
    for group in channels {
      try group.chooseRange(of: node)
      conversions += try group.conversions(of: node)
    }
    rateHertz = deviceRate ?? wish
    let names = channels.flatMap(\.names)
    if mayBuffer {
      var trigger = IIOTrigger.none
      buffer = try IIOBuffer(node, channels: names) { trigger = $0 }
      if buffer != nil {
        rateHertz = trigger.timerRate(wish: min(wish, rateHertz)) ?? rateHertz
        return
      }
    }
    for name in names { attributes.append(try IIOAttribute("\(name)_raw", of: node)) }
    // Some drivers switch the chip on and wait for each value: the rate is no higher than that allows.
    let begun = clock()
    do throws(IIOFault) { _ = try look() } catch {
      // A refusal of this one value, such as a chip's overflow, not of the device.
      if error.code != EINVAL { throw error }
    }
    let seconds = clock().seconds(since: begun)
    if seconds * rateHertz > 1 { rateHertz = 1 / seconds }
    due = clock()
  }

  /// Whether rate, range and buffer are what `start` left.
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

  /// The next sample; nil where there is none yet.
  func next() throws(IIOFault) -> Sample? {
    guard let buffer else {
      let now = clock()
      guard now >= due, !attributes.isEmpty else { return nil }
      let sample = try look()
      // A late caller is made up for by one period at most.
      let period = UInt64(1e9 / rateHertz)
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
  /// Three channels from a place on, or nothing where one is at its end.
  func vector(from place: Int, signs: SIMD3<Double> = SIMD3(1, 1, 1)) -> SIMD3<Double>? {
    if isRail[place] || isRail[place + 1] || isRail[place + 2] { return nil }
    return SIMD3(values[place], values[place + 1], values[place + 2]) * signs
  }
}
